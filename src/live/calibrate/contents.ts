import type { GapId } from '../../contract/gaps.js'
import { messageIdsIn } from '../../mail/encoded-words.js'
import { snippetOf } from '../../mail/snippet.js'
import { baseSubject, isForwarded } from '../../mail/threading.js'
import { type Constraint, shows } from './elimination.js'
import { asFields, type Fields, objectOf, type ProbeExchange, rowsOf, shownValue } from './exchange.js'
import { isUnscoped } from './predictions.js'

/** A row with the number of the exchange that showed it. */
interface SeenRow {
  readonly row: Fields
  readonly number: number
}

/** Returns the constraints that the rows in responses put on assumptions. */
export function contentConstraints(exchanges: readonly ProbeExchange[]): Constraint[] {
  const identities = exchanges.flatMap(({ answer, number }) => {
    const row = answer.status === 200 ? objectOf(answer) : undefined
    return row?.['agent_handle'] !== undefined && row['mailbox_address'] !== undefined
      ? [{ row, number }]
      : []
  })
  const [threads, messages, webhooks] = ['threads', 'messages', 'webhooks'].map((list) => {
    const seen = new Map<unknown, SeenRow>()
    for (const { answer, number } of exchanges) {
      for (const row of rowsOf(answer, list) ?? [])
        if (!seen.has(row['id'])) seen.set(row['id'], { row, number })
    }
    return [...seen.values()]
  }) as [SeenRow[], SeenRow[], SeenRow[]]
  return withoutRepeats([
    ...[...identities, ...threads, ...messages, ...webhooks].flatMap(timeConstraints),
    ...messages.flatMap(messageConstraints),
    ...webhooks.flatMap(webhookConstraints),
    ...snippetConstraints(threads, messages),
    ...subjectConstraints(messages),
  ])
}

/** Drops constraints that repeat an earlier one. */
function withoutRepeats(constraints: readonly Constraint[]): Constraint[] {
  const kept = new Map<string, Constraint>()
  for (const constraint of constraints) {
    const names = constraint.explanations.map((explanation) => explanation[constraint.target])
    const key = `${constraint.target} ${names.join()}`
    if (!kept.has(key)) kept.set(key, constraint)
  }
  return [...kept.values()]
}

function timeConstraints(seen: SeenRow): Constraint[] {
  return ['created_at', 'updated_at', 'last_message_at'].flatMap((field) => {
    const value = seen.row[field]
    if (value === undefined) return []
    const names = assumptionsOfTime(String(value))
    return [shows('format.timestamps', names, [seen], `${field} is ${shownValue(value)}`)]
  })
}

/** Returns the assumptions under which a time has this form. */
function assumptionsOfTime(text: string): string[] {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return ['milliseconds']
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? ['seconds'] : []
}

function messageConstraints(seen: SeenRow): Constraint[] {
  const { direction, headers, attachments, text, html, from } = seen.row as Record<string, unknown>
  const entries = Array.isArray(attachments) ? attachments : []
  const directions = ['outbound', 'sent'].filter((name) => name === direction)
  const way = `direction is ${shownValue(direction)}`
  return [
    shows('messages.headers', assumptionsOfHeaders(headers), [seen], `headers is ${kindOf(headers)}`),
    ...authenticationConstraints(seen),
    ...senderConstraints(seen, from),
    ...bodyConstraints(seen, 'text', html),
    ...bodyConstraints(seen, 'html', text),
    ...(direction === 'inbound' ? [] : [shows('messages.outbound-direction', directions, [seen], way)]),
    ...entries.map((entry) => {
      const fields = Object.keys(asFields(entry) ?? {})
      const what = `an attachment has ${fields.join(', ') || 'no fields'}`
      return shows('messages.attachment-entry', assumptionsOfEntry(fields), [seen], what)
    }),
  ]
}

function assumptionsOfHeaders(headers: unknown): string[] {
  if (headers === undefined) return ['omitted']
  if (Array.isArray(headers)) {
    const isList = headers.every((field) => {
      const { name, value } = (asFields(field) ?? {}) as Record<string, unknown>
      return typeof name === 'string' && typeof value === 'string'
    })
    return isList ? ['list'] : []
  }
  const fields = asFields(headers)
  return fields && Object.keys(fields).every((name) => name === name.toLowerCase()) ? ['object'] : []
}

/** Returns the constraint from what a received message shows about its sender. */
function authenticationConstraints(seen: SeenRow): Constraint[] {
  const { direction, authentication } = seen.row as Record<string, unknown>
  if (direction !== 'inbound') return []
  const results = asFields(authentication)
  const inHeader = headerOf(seen, 'authentication-results') !== ''
  const names = results && 'dmarc' in results ? ['field'] : inHeader ? ['headers'] : ['omitted']
  const what = `authentication is ${kindOf(authentication)}, and Authentication-Results ${inHeader ? 'is in the headers' : 'is not'}`
  return [shows('messages.authentication', names, [seen], what)]
}

/** Returns the constraint from a sender without an address. */
function senderConstraints(seen: SeenRow, from: unknown): Constraint[] {
  if (typeof from !== 'string' || /[@]|<[^>]+>/.test(from)) return []
  const names = from.endsWith('<>') ? ['as-written'] : ['name-only']
  return [shows('messages.empty-sender', names, [seen], `from is ${shownValue(from)}`)]
}

/** Returns the constraint from a missing body beside another one with text. */
function bodyConstraints(seen: SeenRow, name: 'text' | 'html', other: unknown): Constraint[] {
  const value = seen.row[name]
  const isMissing = typeof value !== 'string' || value === ''
  if (!isMissing || typeof other !== 'string' || other.trim() === '') return []
  return [shows('messages.empty-body', assumptionsOfNothing(value), [seen], `${name} is ${kindOf(value)}`)]
}

const entryFields: Readonly<Record<string, readonly string[]>> = {
  full: ['content_id', 'content_type', 'filename', 'id', 'size_bytes', 'url'],
  'url-only': ['url'],
  'download-url': ['content_type', 'download_url', 'filename', 'id', 'size'],
}

function assumptionsOfEntry(fields: readonly string[]): string[] {
  return Object.keys(entryFields).filter((name) => entryFields[name]?.join() === fields.toSorted().join())
}

function webhookConstraints(seen: SeenRow): Constraint[] {
  const { agent_handle: handle, auth_token: token, has_auth_token } = seen.row as Record<string, unknown>
  const ofNothing = (gap: GapId, field: string, value: unknown): Constraint => {
    return shows(gap, assumptionsOfNothing(value), [seen], `${field} is ${kindOf(value)}`)
  }
  return [
    ...(isUnscoped(handle) || typeof handle !== 'string'
      ? [ofNothing('webhooks.unscoped-handle', 'agent_handle', handle)]
      : []),
    ...(has_auth_token === false ? [ofNothing('webhooks.auth-token-absent', 'auth_token', token)] : []),
  ]
}

function assumptionsOfNothing(value: unknown): string[] {
  if (value === undefined) return ['absent']
  if (value === null) return ['null']
  return value === '' ? ['empty-string'] : []
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null || value === '') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'words' : JSON.stringify(value)
}

/** The maximum number of threads whose snippets are compared, since composing one takes time. */
const enoughSnippets = 20

/** Returns the constraints from snippets of threads whose first and latest message are known for certain. */
function snippetConstraints(threads: readonly SeenRow[], messages: readonly SeenRow[]): Constraint[] {
  const constraints: Constraint[] = []
  const byThread = new Map<unknown, Fields[]>()
  for (const { row } of messages) {
    byThread.set(row['thread_id'], [...(byThread.get(row['thread_id']) ?? []), row])
  }
  for (const seen of threads) {
    const { id, snippet, created_at, last_message_at, message_count } = seen.row as Record<string, unknown>
    const own = byThread.get(id) ?? []
    // Two messages of one second may be in either order.
    const only = (time: unknown): Fields | undefined => {
      const [one, ...others] = own.filter((message) => message['created_at'] === time)
      return others.length === 0 ? one : undefined
    }
    const [first, latest] = [only(created_at), only(last_message_at)]
    const isWhole = own.length === message_count && message_count !== 1
    if (!isWhole || !first || !latest || typeof snippet !== 'string') continue
    if (own.some((message) => String(message['created_at']) < String(created_at))) continue
    if (constraints.length === enoughSnippets) break
    const names = [
      ...(mayYield(first, snippet) ? ['first'] : []),
      ...(mayYield(latest, snippet) ? ['latest'] : []),
    ]
    const whose = names.length === 0 ? 'neither its first nor its latest' : `its ${names.join(' and its ')}`
    constraints.push(shows('threads.snippet', names, [seen], `the snippet of ${id} is from ${whose} message`))
  }
  return constraints
}

/** Returns the constraints from replies with another subject than the message that their header names. */
function subjectConstraints(messages: readonly SeenRow[]): Constraint[] {
  const known = new Map(
    messages.flatMap((seen) => messageIdsIn(headerOf(seen, 'message-id')).map((id) => [id, seen] as const)),
  )
  return messages.flatMap((seen) => {
    const answered = messageIdsIn(headerOf(seen, 'in-reply-to')).flatMap((id) => known.get(id) ?? [])
    const [original] = answered
    const [subject, before] = [seen, original].map((one) => String(one?.row['subject'] ?? ''))
    if (!original || !subject || !before || isForwarded(subject)) return []
    if (baseSubject(subject).base === baseSubject(before).base) return []
    const isSame = seen.row['thread_id'] === original.row['thread_id']
    const why = `${seen.row['id']} replies to ${original.row['id']} with another subject, in ${isSame ? 'its' : 'another'} thread`
    return [shows('threads.new-subject', [isSame ? 'stays' : 'begins-a-thread'], [seen, original], why)]
  })
}

/** Returns the first value of a header field in either form; '' if there is none. */
function headerOf({ row: { headers } }: SeenRow, wanted: string): string {
  const fields = Array.isArray(headers)
    ? headers.map((field) => [asFields(field)?.['name'], asFields(field)?.['value']] as const)
    : Object.entries(asFields(headers) ?? {})
  const [, value] = fields.find(([name]) => String(name).toLowerCase() === wanted) ?? []
  const [first] = [value].flat()
  return typeof first === 'string' ? first : ''
}

/** Returns whether a snippet may come from a message: by the simulator's rule, or by its beginning. */
function mayYield(message: Fields, snippet: string): boolean {
  const { text, html, subject } = message as Record<string, unknown>
  const [words, page] = [text, html].map((part) => (typeof part === 'string' && part !== '' ? part : null))
  const ours = snippetOf({ text: words ?? null, html: page ?? null, subject: String(subject ?? '') })
  if (ours === snippet) return true
  const start = plain(snippet).slice(0, 30)
  return (
    start.length >= 12 &&
    [words, page].some((part) => part && plain(part.replace(/<[^>]*>/g, ' ')).includes(start))
  )
}

function plain(text: string): string {
  return text
    .replace(/[…\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
