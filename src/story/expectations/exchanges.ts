import { isJsonObject, parseJson } from '../../base/json.js'
import { counted, truncate } from '../../base/text.js'
import { replacesAnswer } from '../../service/faults/fault.js'
import { canonicalJson } from '../../service/time/random.js'
import { type Delivery, reachedReceiver } from '../../service/webhooks/delivery.js'
import type { Exchange, ExchangeWithRequest, JournalEntry } from '../../service/world/exchange.js'
import type { Observation } from './tracker.js'

/** Returns how many seconds a response asks the client to wait; undefined if it does not. */
export function asksToWait(status: number, retryAfter: string | undefined): number | undefined {
  const isAsking = (status === 429 || status === 503) && retryAfter !== undefined && /^\d+$/.test(retryAfter)
  return isAsking ? Number(retryAfter) : undefined
}

/** Returns a key that is equal for equal requests. */
export function requestKey({ method, path, query, request }: ExchangeWithRequest): string {
  const pairs = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${method} ${path} ${JSON.stringify(pairs)} ${request.body ?? ''}`
}

/** Returns whether a response asks the client to retry, or did not arrive completely. */
export function isFailure({ status, fault }: Pick<ExchangeWithRequest, 'status' | 'fault'>): boolean {
  const isDamaged = fault?.reset ?? fault?.malformed ?? fault?.empty ?? fault?.truncate
  return status >= 500 || status === 429 || isDamaged !== undefined
}

/** A line for what a client wrote: a request with its body. */
const written = /^(POST|PUT|PATCH|DELETE) (\/\S*)(?: (\S.*))?$/s

/** Returns a write that an author states in the form of `writeOf`; undefined if no write has such a form. */
export function statedWrite(text: string): string | undefined {
  const [, method, path, body = ''] = written.exec(text.trim()) ?? []
  return method === undefined ? undefined : lineOf(method, path as string, body)
}

function lineOf(method: string, path: string, body: string): string {
  const value = parseJson(body)
  return `${method} ${path} ${value === undefined ? body : canonicalJson(value)}`.trimEnd()
}

/** Returns a line for what a client wrote, which is the same for equal writes; undefined if it wrote nothing. */
export function writeOf(observation: Observation): string | undefined {
  if (observation.type !== 'exchange') return undefined
  const { method, path, status, request, replayed } = observation.exchange
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (isRead || status < 200 || status > 299 || replayed !== null) return undefined
  return lineOf(method, path, request.body ?? '')
}

/** Returns whether an attempt of a delivery begins, which asks the client to work, whatever it was told before. */
export function isAttempt(observation: Observation): boolean {
  return observation.type === 'delivery' && observation.delivery.attempts.at(-1)?.duration_ms === null
}

/** The maximum length of the message of a response in a line. */
const messageLength = 160

/** Returns whether a 4xx status shows a mistake of the client: one that a fault sets does not. */
export function isMistake({ status, fault }: Pick<Exchange, 'status' | 'fault'>): boolean {
  return status >= 400 && status <= 499 && !(fault && replacesAnswer(fault))
}

/** Returns the hints of exchanges, and why those match no operation, each once with how often it came up. */
export function hintsOf(exchanges: Iterable<Pick<Exchange, 'hints' | 'near_miss'>>): string[] {
  const counts = new Map<string, number>()
  for (const { hints, near_miss } of exchanges) {
    const all = near_miss === null ? hints : [...hints, near_miss]
    for (const hint of all) counts.set(hint, (counts.get(hint) ?? 0) + 1)
  }
  return [...counts].map(([hint, count]) => (count === 1 ? hint : `${hint} (${count} times)`))
}

/** Describes a refused request: `POST /api/v1/mail/messages got 404: There is no thread thr_1.` */
export function describeRefusal(entry: JournalEntry): string {
  const { method, path, status, operation, near_miss, request, response, via } = entry.show()
  const undocumented = `The interface does not document ${method} ${path}.`
  const why = (near_miss ?? firstLine(messageIn(response.body)))
    .replace(undocumented, 'The interface does not document it.')
    .replace(`${method} ${path}: `, '')
  const tool = via === 'mcp' ? (operation?.replace(/[.-]/g, '_') ?? toolIn(request.body)) : undefined
  const what = tool === undefined ? `${method} ${truncate(path, 80)}` : `a call of the tool "${tool}"`
  return `${what} got ${status}${why && `: ${why}`}`
}

/** The maximum number of hints about requests. */
const maxHints = 5

/** Returns likely mistakes in the requests of a journal: the hints that `serve` prints, and what else was refused. */
export function hintsAbout({
  journal,
}: {
  readonly journal: { entries(): readonly JournalEntry[] }
}): string[] {
  const entries = journal.entries()
  const refused = entries.filter(({ recorded }) => recorded.nearMiss === null && isMistake(recorded))
  const refusals = new Set(refused.slice(-maxHints).map(describeRefusal))
  return [...hintsOf(entries.map((entry) => entry.showWithoutBodies())), ...refusals].slice(0, maxHints)
}

/** Returns a message about what did not happen, with likely mistakes in the requests, which it does not say already, below it. */
export function withHints(message: string, all: readonly string[]): string {
  const hints = all.filter((hint) => !message.includes(hint))
  return hints.length === 0 ? message : `${message}\nHints about the requests:\n${listed(hints, maxHints)}`
}

/** Indents the first few blocks of text, and adds the number of the others. */
export function listed(blocks: readonly string[], most: number): string {
  const rest = blocks.length - most
  return [...blocks.slice(0, most), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}

/** Returns a hint or an explanation without the place in the documentation, a long list of what else there is, and its period. */
export function inShort(text: string): string {
  return text
    .replace(/ See docs\/[\w./#-]+\w\.?/, '')
    .replace(/; expected one of (?=.{80}).*$/s, '')
    .replace(/\.(?= \(\d+ times\)$|$)/, '')
}

/** Returns the first line of a text, truncated. */
function firstLine(text: string): string {
  const [first = ''] = text.trim().split(/\r?\n/, 1)
  return truncate(first, messageLength)
}

/** Returns the message in the body of an error, in any of the forms that the interface leaves open. */
function messageIn(body: string | null): string {
  const value = body === null ? undefined : parseJson(body)
  if (!isJsonObject(value)) return body ?? ''
  const { error, errors } = value
  const [listed] = Array.isArray(errors) ? errors : []
  const inner = [error, listed, value].find(isJsonObject) ?? value
  const texts = [inner['message'], inner['detail'], error, value['detail'], value['title'], listed]
  return texts.find((text) => typeof text === 'string') ?? (body as string)
}

function toolIn(body: string | null): string | undefined {
  const value = parseJson(body ?? '')
  return isJsonObject(value) && typeof value['tool'] === 'string' ? value['tool'] : undefined
}

/** Describes the delivery of several that says most, and how many others there are. */
export function describeWorst(deliveries: readonly Delivery[]): string {
  const failed = deliveries.filter((one) => !wasAccepted(one))
  const [first] = failed.length > 0 ? failed : deliveries
  const others = deliveries.length - 1
  const more = others === 0 ? '' : ` (and ${counted(others, 'other delivery', 'other deliveries')})`
  return `${describeDelivery(first as Delivery)}${more}`
}

/** Returns whether an attempt of a delivery reached a receiver. */
export function hasReached({ attempts }: Delivery): boolean {
  return attempts.some(({ error, duration_ms }) => duration_ms !== null && reachedReceiver(error))
}

/** Returns whether a receiver accepted a delivery. */
export function wasAccepted({ status }: Delivery): boolean {
  return status === 'succeeded'
}

/** Describes a delivery by the latest response: `the delivery of message.received to http://…/hook got 401 "bad signature"`. */
export function describeDelivery({ event, url, status, attempts, reason }: Delivery): string {
  const ended = attempts.filter(({ duration_ms }) => duration_ms !== null)
  const { response, error } = ended.findLast((one) => one.response !== null) ?? ended.at(-1) ?? {}
  const body = response?.body ? ` ${JSON.stringify(firstLine(response.body))}` : ''
  const what = `the delivery of ${event.type} to ${url}`
  if (error) return `${what} failed: ${error.message.replace(/\.$/, '')}`
  if (response) return `${what} got ${response.status}${body}`
  const why = status === 'pending' ? ' yet' : reason === null ? '' : `: ${reason}`
  return `${what} got no answer${why}`
}
