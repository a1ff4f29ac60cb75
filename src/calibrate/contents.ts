import type { GapId } from '../contract/gaps.js'
import { snippetOf } from '../mail/index.js'
import type { Constraint } from './elimination.js'
import { asFields, type Fields, objectOf, type ProbeExchange, rowsOf } from './exchange.js'
import { isUnscoped } from './fits.js'

/** A row with the exchange that showed it. */
interface SeenRow {
  readonly row: Fields
  readonly exchange: number
}

/** What the rows in answers show. */
export function contentConstraints(exchanges: readonly ProbeExchange[]): Constraint[] {
  const identities = exchanges.flatMap(({ answer, number }) => {
    const row = answer.status === 200 ? objectOf(answer) : undefined
    return row?.['agent_handle'] !== undefined && row['mailbox_address'] !== undefined
      ? [{ row, exchange: number }]
      : []
  })
  const [threads, messages, webhooks] = ['threads', 'messages', 'webhooks'].map((list) => {
    const seen = new Map<unknown, SeenRow>()
    for (const { answer, number } of exchanges) {
      for (const row of rowsOf(answer, list) ?? [])
        if (!seen.has(row['id'])) seen.set(row['id'], { row, exchange: number })
    }
    return [...seen.values()]
  }) as [SeenRow[], SeenRow[], SeenRow[]]
  const byThread = messagesByThread(messages)
  return withoutRepeats([
    ...timestamps([...identities, ...threads, ...messages, ...webhooks]),
    ...messages.flatMap((seen) => ofMessage(seen)),
    ...webhooks.flatMap((seen) => ofWebhook(seen)),
    ...ofSnippets(threads, byThread),
  ])
}

/** Leaves out what says the same as another one before. */
function withoutRepeats(constraints: readonly Constraint[]): Constraint[] {
  const kept = new Map<string, Constraint>()
  for (const constraint of constraints) {
    const names = constraint.explanations.map((explanation) => explanation[constraint.target])
    const key = `${constraint.target} ${names.join()}`
    if (!kept.has(key)) kept.set(key, constraint)
  }
  return [...kept.values()]
}

function messagesByThread(messages: readonly SeenRow[]): ReadonlyMap<unknown, readonly Fields[]> {
  const groups = new Map<unknown, Fields[]>()
  for (const { row } of messages) {
    const group = groups.get(row['thread_id'])
    if (group) group.push(row)
    else groups.set(row['thread_id'], [row])
  }
  return groups
}

/** A constraint on one gap: the readings that a row allows. */
function shows(target: GapId, names: readonly string[], { exchange }: SeenRow, seen: string): Constraint {
  return { target, explanations: names.map((name) => ({ [target]: name })), exchanges: [exchange], seen }
}

const timeFields = ['created_at', 'updated_at', 'last_message_at']

function timestamps(rows: readonly SeenRow[]): Constraint[] {
  return rows.flatMap((seen) => {
    return timeFields.flatMap((field) => {
      const value = seen.row[field]
      if (value === undefined) return []
      return [
        shows(
          'format.timestamps',
          readingsOfTime(String(value)),
          seen,
          `${field} is ${JSON.stringify(value)}`,
        ),
      ]
    })
  })
}

/** The readings under which a time is written like that. */
function readingsOfTime(text: string): string[] {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return ['milliseconds']
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? ['seconds'] : []
}

function ofMessage(seen: SeenRow): Constraint[] {
  const { row } = seen
  const { direction, headers, attachments } = row as Record<string, unknown>
  const constraints = [
    shows('messages.headers', readingsOfHeaders(headers), seen, `headers is ${kindOf(headers)}`),
    ...ofBodies(seen),
  ]
  if (direction !== 'inbound') {
    const names = ['outbound', 'sent'].filter((name) => name === direction)
    constraints.push(
      shows('messages.outbound-direction', names, seen, `direction is ${JSON.stringify(direction)}`),
    )
  }
  for (const entry of Array.isArray(attachments) ? attachments : []) {
    const names = readingsOfEntry(asFields(entry) ?? {})
    const fields = Object.keys(asFields(entry) ?? {}).join(', ')
    constraints.push(
      shows('messages.attachment-entry', names, seen, `an attachment has ${fields || 'no fields'}`),
    )
  }
  return constraints
}

function readingsOfHeaders(headers: unknown): string[] {
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

/** What stands for a body that is missing: one of the two, beside one that has words. */
function ofBodies(seen: SeenRow): Constraint[] {
  const { text, html } = seen.row as Record<string, unknown>
  const missing = [
    ['text', text, html],
    ['html', html, text],
  ] as const
  return missing.flatMap(([name, value, other]) => {
    if (typeof other !== 'string' || other.trim() === '' || (typeof value === 'string' && value !== ''))
      return []
    const names =
      value === undefined ? ['absent'] : value === null ? ['null'] : value === '' ? ['empty-string'] : []
    return [shows('messages.empty-body', names, seen, `${name} is ${kindOf(value)}`)]
  })
}

const entryFields: Readonly<Record<string, readonly string[]>> = {
  full: ['content_id', 'content_type', 'filename', 'id', 'size_bytes', 'url'],
  'url-only': ['url'],
  'download-url': ['content_type', 'download_url', 'filename', 'id', 'size'],
}

function readingsOfEntry(entry: Fields): string[] {
  const fields = Object.keys(entry).toSorted().join()
  return Object.keys(entryFields).filter((name) => entryFields[name]?.join() === fields)
}

function ofWebhook(seen: SeenRow): Constraint[] {
  const { agent_handle, auth_token, has_auth_token } = seen.row as Record<string, unknown>
  const constraints: Constraint[] = []
  if (isUnscoped(agent_handle) || typeof agent_handle !== 'string') {
    const names = readingsOfNothing(agent_handle)
    constraints.push(
      shows('webhooks.unscoped-handle', names, seen, `agent_handle is ${kindOf(agent_handle)}`),
    )
  }
  if (has_auth_token === false) {
    const names = readingsOfNothing(auth_token)
    constraints.push(shows('webhooks.auth-token-absent', names, seen, `auth_token is ${kindOf(auth_token)}`))
  }
  return constraints
}

function readingsOfNothing(value: unknown): string[] {
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

/** The first and the latest message of a thread, where they are known for certain. */
function endsOf(
  thread: Fields,
  messages: readonly Fields[],
): { readonly first?: Fields; readonly latest?: Fields } {
  const at = (time: unknown): Fields[] => messages.filter((message) => message['created_at'] === time)
  const [first, ...otherFirst] = at(thread['created_at'])
  const [latest, ...otherLatest] = at(thread['last_message_at'])
  const isWhole = messages.length === thread['message_count']
  // Two messages of one second may be either way round.
  return {
    ...(first && otherFirst.length === 0 && isWhole && isEarliest(first, messages) ? { first } : {}),
    ...(latest && otherLatest.length === 0 && thread['message_count'] !== 1 ? { latest } : {}),
  }
}

function isEarliest(first: Fields, messages: readonly Fields[]): boolean {
  return messages.every((message) => String(message['created_at']) >= String(first['created_at']))
}

/** As many threads as are looked at for their snippets: to compose one takes its time. */
const enoughSnippets = 20

function ofSnippets(
  threads: readonly SeenRow[],
  messages: ReadonlyMap<unknown, readonly Fields[]>,
): Constraint[] {
  const constraints: Constraint[] = []
  for (const seen of threads) {
    const { id, snippet } = seen.row as Record<string, unknown>
    const { first, latest } = endsOf(seen.row, messages.get(id) ?? [])
    if (!first || !latest || typeof snippet !== 'string') continue
    if (constraints.length === enoughSnippets) break
    const names = [gives(first, snippet) ? 'first' : '', gives(latest, snippet) ? 'latest' : ''].filter(
      Boolean,
    )
    const whose = names.length === 0 ? 'neither its first nor its latest' : `its ${names.join(' and its ')}`
    constraints.push(shows('threads.snippet', names, seen, `the snippet of ${id} is of ${whose} message`))
  }
  return constraints
}

/** Whether a message gives a snippet: by our own rule for snippets, or since it begins like that. */
function gives(message: Fields, snippet: string): boolean {
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
