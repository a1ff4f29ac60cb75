import { type Gap, type GapId, gapIds, gaps, type Readings } from '../gaps.js'
import type { GapNote, Notes } from './document.js'

/** Returns the notes of gaps; nothing if there are none. */
export type NoteGaps = (ids: readonly GapId[]) => Pick<Notes, 'x-gaps'>

/** Creates the function that notes gaps with their possible readings and, if there are any, with the ones in force. */
export function createNoteGaps(readings: Readings | undefined): NoteGaps {
  return (ids) => (ids.length === 0 ? {} : { 'x-gaps': ids.map((id) => noteOf(id, gaps[id], readings)) })
}

/** Returns the gaps that concern an operation, a field such as `Thread.snippet`, or `events`. */
export function gapsConcerning(subject: string): GapId[] {
  return gapIds.filter((id) => gaps[id].concerns.includes(subject))
}

/** Returns those of some gaps that also concern a subject. */
export function gapsAlsoConcerning(subject: string, ids: readonly GapId[] = []): GapId[] {
  return ids.filter((id) => gaps[id].concerns.includes(subject))
}

/** Returns the note of a gap, documented or of an extension. */
export function noteOf(id: string, gap: Gap, readings: Readings | undefined): GapNote {
  const { question, parts, readings: all } = gap
  return {
    id: id as GapId,
    question,
    readings: all.map(({ name, means }) => ({ name, means })),
    default: all[0].name,
    ...(readings && { reading: readings[id as GapId] ?? all[0].name }),
    part: parts.join(', '),
  }
}

type GapsByPlace = Readonly<Record<string, readonly GapId[]>>

/**
 * Gaps by the parameter they affect, for the operations they concern. `filters` stands for the parameters without a
 * documented name.
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

/** Gaps by the property of a list's answer they affect, for the operations they concern. */
export const gapsOfAnswers: GapsByPlace = {
  threads: ['threads.order', 'threads.unscoped'],
  messages: ['messages.order'],
  webhooks: ['webhooks.order'],
  total: ['threads.total', 'messages.total'],
}

/** Gaps of the body of a request. */
export const gapsOfBodies: readonly GapId[] = [
  'identities.patch-empty-body',
  'identities.patch-unknown-fields',
  'identities.patch-null',
  'identities.patch-content-type',
  'limits.body-size',
]

/** Gaps of whole schemas. */
export const gapsOfSchemas: GapsByPlace = {
  AttachmentEntry: ['messages.attachment-entry', 'messages.attachment-url'],
}

/** Gaps of the status, headers and body of answers other than 200. */
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

/** Gaps of bearer keys. */
export const gapsOfKeys: readonly GapId[] = ['auth.keys', 'auth.webhooks', 'messages.attachment-url']

/** Gaps of the answers of receivers. */
export const gapsOfReceivers: readonly GapId[] = ['events.success', 'events.timeout', 'events.retries']
