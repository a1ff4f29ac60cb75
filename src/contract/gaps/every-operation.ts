/** What gaps concern that every operation has. */
export const everyOperation = [
  'identities.get',
  'identities.update',
  'threads.list',
  'messages.list',
  'webhooks.list',
] as const
