import { fromBase64, toBase64 } from '../../mail/transfer-encoding.js'
import type { History, PastChange } from '../record/history.js'
import type { LoggedChange } from '../record/log.js'
import { formatInstant } from '../time/time.js'
import type { DeliveryState } from '../webhooks/delivery.js'
import type { RecordedBody, RecordedExchange } from './exchange.js'
import type { InitialState } from './initial-state.js'
import type { Journal, JournalEntry } from './journal.js'
import { beginningOf } from './snapshot/document.js'
import type { RecordedWorld } from './world-state.js'

/** What happened in a world since its story began, as plain JSON. */
export interface ToldStory {
  /** The entries of its log, with the end of each exchange between them. */
  readonly entries: readonly LoggedChange[]
  /** Its requests and deliveries in the order in which listeners learned of them; undefined if some are no longer kept. */
  readonly traffic: readonly ToldTraffic[] | undefined
}

/** A request with its response, or a delivery that has changed. */
export type ToldTraffic = {
  /** The number of entries that come before it. */
  readonly after: number
} & ({ readonly exchange: ToldExchange } | { readonly delivery: DeliveryState })

/** The body of a response: its text, or else its bytes in base64, or the number of an earlier exchange with the same body. */
type ToldBody = { readonly text: string } | { readonly base64: string } | { readonly same: number }

/** An exchange as it was recorded. Credentials in headers are masked. */
export interface ToldExchange
  extends Omit<RecordedExchange, 'requestHeaders' | 'requestBytes' | 'responseBody' | 'replayed'> {
  readonly seq: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBytes?: string
  readonly responseBody: ToldBody | null
  readonly replayed?: number
}

/** Returns what happened in a world since its story began; undefined if it is no longer known. */
export function toldStory({ history, journal, initialState }: RememberedStory): ToldStory | undefined {
  const whole = history.whole()
  if (!whole) return undefined
  const { state, changes } = whole
  const begin = { ...beginningOf(initialState, state), at: formatInstant(state.clock.beganAt) }
  return { entries: [begin, ...changes.map(showChange)], traffic: trafficIn(changes, journal, history.first) }
}

/** A world that remembers its story. */
interface RememberedStory {
  readonly history: History<Pick<RecordedWorld, 'clock' | 'chosen'>>
  readonly journal: Journal
  readonly initialState: InitialState
}

/** Returns a change as an entry of a log; the end of an exchange has its number. */
function showChange({ at, change, seq }: PastChange): LoggedChange {
  const number = change.type === 'exchange' && { seq }
  return { ...change, at: formatInstant(at), ...number }
}

/** Returns the traffic among the changes of a history whose first position is `first`. */
function trafficIn(
  changes: readonly PastChange[],
  journal: Journal,
  first: number,
): ToldTraffic[] | undefined {
  const exchanges = new Map(journal.entries().map((entry) => [entry.seq, entry]))
  const bodies = new Map<string, number>()
  const traffic: ToldTraffic[] = []
  for (const [index, { change, seq, delivery, from = first + index }] of changes.entries()) {
    // The entry with which the log begins comes before all changes.
    if (delivery) traffic.push({ after: index + 2, delivery: delivery as DeliveryState })
    if (change.type !== 'exchange') continue
    const entry = exchanges.get(seq as number)
    if (!entry) return undefined
    traffic.push({ after: from - first + 1, exchange: tell(entry, bodies) })
  }
  return traffic.sort((one, other) => one.after - other.after)
}

/** Returns an exchange as plain JSON; `bodies` has the numbers of the exchanges that had a body first. */
function tell({ seq, recorded, showing }: JournalEntry, bodies: Map<string, number>): ToldExchange {
  const { requestHeaders, requestBytes, responseBody, replayed, ...facts } = recorded
  return {
    seq,
    ...facts,
    requestHeaders: showing.masker.headers(requestHeaders),
    ...(requestBytes && { requestBytes: toBase64(requestBytes) }),
    responseBody: responseBody && tellBody(responseBody, seq, bodies),
    ...(replayed && { replayed: replayed() }),
  }
}

function tellBody(body: RecordedBody, seq: number, bodies: Map<string, number>): ToldBody {
  const bytes = body.bytes()
  const told = textOrBase64(bytes)
  const key = JSON.stringify(told)
  const same = bodies.get(key)
  if (same !== undefined) return { same }
  bodies.set(key, seq)
  return told
}

function textOrBase64(bytes: Uint8Array): ToldBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: toBase64(bytes) }
  }
}

/** Reads the exchanges of a story that is told again, in their order. */
export class ToldExchanges {
  readonly #bodies = new Map<number, RecordedBody>()

  read({
    seq,
    requestHeaders,
    requestBytes,
    responseBody,
    replayed,
    ...facts
  }: ToldExchange): RecordedExchange {
    const body = responseBody && this.#bodyOf(responseBody)
    if (body) this.#bodies.set(seq, body)
    return {
      ...facts,
      requestHeaders: new Headers(requestHeaders),
      requestBytes: requestBytes === undefined ? undefined : fromBase64(requestBytes),
      responseBody: body,
      replayed: replayed === undefined ? undefined : () => replayed,
    }
  }

  #bodyOf(told: ToldBody): RecordedBody {
    if ('same' in told) return this.#bodies.get(told.same) ?? { bytes: () => new Uint8Array() }
    const bytes = 'text' in told ? new TextEncoder().encode(told.text) : fromBase64(told.base64)
    return { bytes: () => bytes, size: bytes.length }
  }
}

/** Returns a told story up to a moment. */
export function toldUntil(
  { entries, traffic }: ToldStory,
  { position, exchange }: { readonly position: number; readonly exchange: number },
): ToldStory {
  // The entry with which the log begins comes before all changes.
  const told = entries.slice(0, position + 1)
  const isTold = (one: ToldTraffic): boolean => {
    return 'exchange' in one ? one.exchange.seq <= exchange : one.after <= told.length
  }
  return { entries: told, traffic: traffic?.filter(isTold) }
}
