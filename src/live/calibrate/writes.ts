import type { GapId } from '../../contract/gaps.js'
import type { Probed } from './analysis.js'
import { type Constraint, shows } from './elimination.js'
import {
  describeRequest,
  type Fields,
  isSameRequest,
  objectOf,
  type ProbeExchange,
  type ProbeRequest,
  rowsOf,
} from './exchange.js'
import type { KnownAgent } from './mailbox-view.js'
import { isEditable } from './predictions.js'
import { get, identityRequest } from './reads.js'

/** The dependencies of probes that write. */
export interface Writing {
  /** The agent whose identity may be updated. */
  readonly agent: KnownAgent
  /** Sends a request; `before` is the identity or the thread as it was. */
  readonly send: (gap: GapId | undefined, request: ProbeRequest, before?: Fields) => Promise<ProbeExchange>
  /** Sends a request immediately, even after an interruption. */
  readonly sendAnyway: (request: ProbeRequest) => Promise<ProbeExchange>
  /** The exchanges so far, with those of the run that is continued. */
  readonly probed: readonly Probed[]
  readonly learn: (constraint: Constraint) => void
  readonly isLearned: (gap: GapId) => boolean
  readonly missing: (gap: GapId, why: string) => void
  readonly note: (sentence: string) => void
}

/** A body size in bytes that one assumption of `limits.body-size` accepts and the other refuses. */
const largeBody = 150_000

const optionsProbe: ProbeRequest = { method: 'OPTIONS', target: '/api/v1/webhooks', key: 'own' }

/** Returns an update of an identity. */
function update(handle: string, body: string, type = 'application/json'): ProbeRequest {
  const target = `/api/v1/identities/${encodeURIComponent(handle).replace('%40', '@')}`
  return { method: 'PATCH', target, key: 'own', headers: { 'content-type': type }, body }
}

/** Returns the updates in order; all except one set a field to its present value. */
function updatesOf(
  handle: string,
  field: string,
  value: string,
): readonly (readonly [GapId, ProbeRequest])[] {
  const same = JSON.stringify({ [field]: value })
  const padded = `${same.slice(0, -1)}${' '.repeat(Math.max(0, largeBody - same.length))}}`
  return [
    ['identities.patch-empty-body', update(handle, '{}')],
    ['identities.patch-at-handle', update(`@${handle}`, same)],
    [
      'identities.patch-unknown-fields',
      update(handle, JSON.stringify({ [field]: value, calibration: 'none' })),
    ],
    ['identities.patch-content-type', update(handle, same, 'text/plain')],
    ['limits.body-size', update(handle, padded)],
    ['identities.patch-null', update(handle, JSON.stringify({ [field]: null }))],
  ]
}

/** Lists the requests that would be sent for an agent, one per line. */
export function plannedWrites(handle: string): string[] {
  const line = (request: ProbeRequest, gap?: GapId): string => {
    return `${describeRequest(request)}${gap === undefined ? '' : `   # ${gap}`}`
  }
  return [
    line(optionsProbe, 'errors.method-not-allowed'),
    line(identityRequest(handle)),
    ...updatesOf(handle, 'description', 'DESCRIPTION').map(([gap, request]) => line(request, gap)),
    line(update(handle, '{"display_name":"AS BEFORE","description":"AS BEFORE"}')),
    'GET /api/v1/mail/messages?thread_id=ID&limit=1 (of an unread thread)   # threads.unread-after-read',
  ]
}

/** Sends the probes that write, and always restores what they change. */
export async function probeWrites(writing: Writing): Promise<void> {
  const { agent, send } = writing
  await send('errors.method-not-allowed', optionsProbe)
  const { answer } = await writing.send(undefined, identityRequest(agent.handle))
  const original = answer.status === 200 ? objectOf(answer) : undefined
  if (original) await updateIdentity(writing, original)
  await readUnreadThread(writing)
}

async function updateIdentity(writing: Writing, original: Fields): Promise<void> {
  const { agent, send } = writing
  const field = ['description', 'display_name'].find((name) => typeof original[name] === 'string')
  let current: Fields | undefined = original
  try {
    for (const [gap, request] of updatesOf(
      agent.handle,
      field ?? 'description',
      String(original[field ?? ''] ?? ''),
    )) {
      if (writing.probed.some(({ exchange }) => isSameRequest(exchange.request, request))) continue
      if (field === undefined && gap !== 'identities.patch-empty-body') {
        writing.missing(gap, 'neither field of the identity is a string that could be set to its own value')
        continue
      }
      const before: Fields = current
      // Until the response arrives, the state of the identity is unknown.
      current = undefined
      const { answer } = await send(gap, request, before)
      current = answer.status === 200 ? objectOf(answer) : answer.status < 500 ? before : undefined
      current = await restore(writing, original, current)
    }
  } finally {
    await restore(writing, original, current)
  }
}

/** Restores an identity; returns its state afterwards. */
async function restore(writing: Writing, original: Fields, current: Fields | undefined): Promise<Fields> {
  const { agent, sendAnyway, note } = writing
  const differing = (identity: Fields | undefined): string[] => {
    return Object.keys(original).filter((field) => isEditable(field) && identity?.[field] !== original[field])
  }
  if (current && differing(current).length === 0) return current
  let problem = ''
  try {
    const seen = current ?? objectOf((await sendAnyway(identityRequest(agent.handle))).answer)
    const fields = differing(seen)
    if (seen && fields.length === 0) return seen
    const values = Object.fromEntries(fields.map((field) => [field, original[field]]))
    const { answer } = await sendAnyway(update(agent.handle, JSON.stringify(values)))
    const now = answer.status === 200 ? objectOf(answer) : undefined
    if (now && differing(now).length === 0) return now
    problem = `the service returns ${answer.status}`
  } catch (error) {
    problem = (error as Error).message
  }
  const values = Object.keys(original)
    .filter(isEditable)
    .map((field) => `${field}: ${JSON.stringify(original[field])}`)
  note(`NOT RESTORED: the identity of ${agent.handle} was ${values.join(', ')} before; ${problem}.`)
  return original
}

/** Lists the messages of one unread thread, the oldest, to see whether that marks it as read. */
async function readUnreadThread(writing: Writing): Promise<void> {
  const { agent, send, learn, missing, note } = writing
  const gap = 'threads.unread-after-read' as const
  // Another thread might be marked as read.
  if (writing.isLearned(gap)) return
  const list = get('/api/v1/mail/threads', { agent: agent.handle, limit: '100' })
  // A run that is continued may have stopped between the two lists.
  const earlier = writing.probed.find(
    ({ before, exchange: { request } }) => before && request.method === 'GET',
  )
  const thread = earlier?.before ?? (await oldestUnread(writing, list))
  if (!thread) return missing(gap, `no thread of ${agent.handle} is unread`)
  const id = thread['id'] as string
  const messages = get('/api/v1/mail/messages', { thread_id: id, limit: '1' })
  const read = earlier?.exchange ?? (await send(undefined, messages, thread))
  if ((rowsOf(read.answer, 'messages') ?? []).length === 0)
    return missing(gap, 'the messages of a thread could not be listed')
  const again = await send(undefined, list)
  const after = rowsOf(again.answer, 'threads')?.find((one) => one['id'] === id)
  if (!after) return missing(gap, 'the thread that was listed moved to another page')
  const isSame = ['message_count', 'last_message_at'].every((field) => after[field] === thread[field])
  if (!isSame) return missing(gap, 'a message arrived in the thread while it was listed')
  const assumption = after['unread'] === true ? 'stays-unread' : 'becomes-read'
  const seen = `thread ${id} was unread; after its messages were listed, unread is ${after['unread']}`
  learn(shows(gap, [assumption], [read, again], seen))
  if (assumption === 'becomes-read') {
    const subject = JSON.stringify(thread['subject'])
    note(
      `NOT RESTORED: the thread ${id} (${subject}) was unread and is now read; the interface cannot undo that.`,
    )
  }
}

async function oldestUnread({ send }: Writing, list: ProbeRequest): Promise<Fields | undefined> {
  const rows = rowsOf((await send(undefined, list)).answer, 'threads') ?? []
  const unread = rows.filter((thread) => thread['unread'] === true && Number(thread['message_count']) > 0)
  const [oldest] = unread.toSorted((a, b) =>
    String(a['last_message_at']) < String(b['last_message_at']) ? -1 : 1,
  )
  return oldest
}
