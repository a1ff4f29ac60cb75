import type { RequestGap } from '../gap-case.js'

/** The subjects of requests. */
export const subjects = [
  'identity',
  'update',
  'threads',
  'messages',
  'webhooks',
  'files',
  'elsewhere',
] as const

/** One of them. */
export type Subject = (typeof subjects)[number]

/** The subject whose requests meet the gaps of an area most often. */
const subjectOfArea: Readonly<Record<string, Subject>> = {
  auth: 'identity',
  errors: 'elsewhere',
  query: 'threads',
  path: 'elsewhere',
  identities: 'update',
  threads: 'threads',
  messages: 'messages',
  webhooks: 'webhooks',
  limits: 'identity',
  format: 'elsewhere',
}

/** Gaps that other requests meet more often. */
const exceptions: { readonly [G in RequestGap]?: Subject } = {
  'auth.webhooks': 'webhooks',
  'auth.keys': 'messages',
  'auth.missing-status': 'files',
  'errors.body': 'threads',
  'errors.validation-status': 'update',
  'errors.not-found-code': 'identity',
  'query.repeated-parameter': 'messages',
  'identities.handle-case': 'identity',
  'identities.handle-format': 'identity',
  'threads.agent-at-prefix': 'messages',
  'threads.unread-after-read': 'messages',
  'messages.attachment-url': 'files',
  'limits.body-size': 'update',
  'format.timestamps': 'webhooks',
}

/** Returns the subject whose requests meet a gap most often. */
export function subjectOf(gap: RequestGap): Subject {
  return exceptions[gap] ?? subjectOfArea[gap.slice(0, gap.indexOf('.'))] ?? 'elsewhere'
}
