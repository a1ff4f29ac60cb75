import type { Assumptions } from '../../contract/gaps.js'
import { parseInstant } from '../../service/time/time.js'
import {
  describeExchange,
  type Fields,
  get,
  identityRequest,
  type LiveRequest,
  objectOf,
  rowsOf,
  words,
} from '../answer.js'
import { refuseWrongKey } from '../calibrate/survey.js'
import { LiveError, type ServiceClient } from '../service-client.js'

/** A thread of a live service, with its messages, the oldest first. */
export interface LiveThread {
  readonly row: Fields
  readonly messages: readonly Fields[]
}

/** The mailbox of an agent. */
export interface LiveMailbox {
  readonly identity: Fields
  readonly threads: readonly LiveThread[]
}

/** How much of a mailbox is read, and how. */
export interface ReadingOptions {
  /** How the service settles the gaps. */
  readonly assumptions: Assumptions
  /** Only threads with mail within this many milliseconds before the latest mail. */
  readonly since: number | undefined
  /** Called with the number of threads that were read, and of all. */
  readonly onThread: (read: number, all: number) => void
}

/** The most threads of an agent that are read: a service may never end its list. */
const mostThreads = 100_000

/** Reads the mailbox of an agent: its list of threads, and the messages of each. @throws LiveError */
export async function readMailbox(
  client: ServiceClient,
  handle: string,
  { assumptions, since, onThread }: ReadingOptions,
): Promise<LiveMailbox> {
  const found = await client.send(identityRequest(handle))
  refuseWrongKey(found)
  const identity = objectOf(found)
  if (!identity) throw new LiveError('unknown-agent', `--agent ${handle}: ${describeExchange(found)}.`)
  const rows = await allThreads(client, words(identity['agent_handle']))
  const latest = Math.max(0, ...rows.map((row) => timeIn(row['last_message_at'])))
  const wanted = rows.filter((row) => since === undefined || timeIn(row['last_message_at']) >= latest - since)
  const limit = assumptions['messages.limit-maximum'] === '100' ? 100 : 500
  const threads: LiveThread[] = []
  for (const row of wanted) {
    const messages = await listOf(
      client,
      get('mail/messages', { thread_id: words(row['id']), limit }),
      'messages',
    )
    threads.push({
      row,
      messages: messages.toSorted((a, b) => timeIn(a['created_at']) - timeIn(b['created_at'])),
    })
    onThread(threads.length, wanted.length)
  }
  return { identity, threads }
}

/** Returns all threads of an agent, page by page. */
async function allThreads(client: ServiceClient, agent: string): Promise<Fields[]> {
  const threads = new Map<unknown, Fields>()
  for (let offset = 0; offset < mostThreads; offset += 100) {
    const before = threads.size
    const page = await listOf(client, get('mail/threads', { agent, limit: 100, offset }), 'threads')
    for (const row of page) threads.set(row['id'], row)
    if (page.length < 100 || threads.size === before) break
  }
  return [...threads.values()]
}

/** Returns the rows of a list: without them, mail would be missing silently. @throws LiveError */
export async function listOf(
  client: ServiceClient,
  request: LiveRequest,
  list: string,
): Promise<readonly Fields[]> {
  const answer = await client.send(request)
  refuseWrongKey(answer)
  const rows = rowsOf(answer, list)
  if (rows) return rows
  throw new LiveError(
    'unexpected',
    `${describeExchange(answer)}: expected a list of ${list}; check --base-url.`,
  )
}

/** Parses a time. @throws LiveError */
export function timeIn(value: unknown): number {
  const instant = parseInstant(words(value))
  if (instant === undefined)
    throw new LiveError('unexpected', `The service returned "${value}" instead of a time.`)
  return instant
}
