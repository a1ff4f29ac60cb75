/**
 * The limits and defaults the interface states; what it leaves open is a gap.
 * @see interface 4.3, 4.4, 8
 */
export const limits = {
  'threads.list': { limit: { minimum: 1, maximum: 100, default: 50 }, offset: { default: 0 } },
  'messages.list': { limit: { default: 50 } },
} as const
