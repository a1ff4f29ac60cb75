import type { GapId } from '../gaps.js'

type GapsByPlace = Readonly<Record<string, readonly GapId[]>>

/**
 * Gaps by the parameter they are about, for the operations they concern. `filters` stands for the parameters
 * without a name.
 */
export const gapsOfParameters: GapsByPlace = {
  handle: ['identities.handle-case', 'identities.handle-format', 'identities.patch-at-handle'],
  agent: [
    'identities.handle-case',
    'threads.agent-and-mailbox',
    'threads.agent-at-prefix',
    'threads.unknown-agent',
    'threads.unscoped',
    'messages.unknown-thread',
  ],
  mailbox: ['threads.agent-and-mailbox', 'threads.mailbox-case', 'threads.unknown-agent', 'threads.unscoped'],
  thread_id: ['messages.unknown-thread', 'threads.unread-after-read'],
  limit: ['threads.limit-out-of-range', 'messages.limit-maximum', 'messages.limit-out-of-range'],
  offset: ['threads.offset-out-of-range'],
  filters: [
    'webhooks.filter-names',
    'webhooks.agent-filter-unscoped',
    'identities.handle-case',
    'threads.agent-at-prefix',
  ],
}

/** Gaps by the property of a list's answer they are about, for the operations they concern. */
export const gapsOfAnswers: GapsByPlace = {
  threads: ['threads.order', 'threads.unscoped'],
  messages: ['messages.order'],
  webhooks: ['webhooks.order'],
  total: ['threads.total', 'messages.total'],
}

/** Gaps about the body of a request. */
export const gapsOfBodies: readonly GapId[] = [
  'identities.patch-empty-body',
  'identities.patch-unknown-fields',
  'identities.patch-null',
  'identities.patch-content-type',
  'limits.body-size',
]

/** Gaps about schemas as a whole. */
export const gapsOfSchemas: GapsByPlace = {
  AttachmentEntry: ['messages.attachment-entry', 'messages.attachment-url'],
}

/** Gaps about status, headers and body of whatever is not a 200. */
export const gapsOfErrors: readonly GapId[] = [
  'errors.body',
  'errors.validation-status',
  'errors.not-found-code',
  'errors.method-not-allowed',
  'errors.unknown-operation',
  'auth.missing-status',
  'auth.other-organization',
  'limits.rate',
]

/** Gaps about bearer keys. */
export const gapsOfKeys: readonly GapId[] = ['auth.keys', 'auth.webhooks', 'messages.attachment-url']

/** Gaps about what a subscriber answers. */
export const gapsOfReceivers: readonly GapId[] = ['events.success', 'events.timeout', 'events.retries']
