import { everyOperationName } from '../contract/extensions.js'
import { checkOptions, type OptionTypes } from '../contract/options.js'
import type { EventType, Thread } from '../contract/resources.js'
import {
  type Delivery,
  EventFeedReader,
  type Exchange,
  parseDuration,
  startPause,
  type World,
} from '../world/index.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  type DeliverySource,
  deliveryDistance,
  deliveryMismatches,
  explainDelivery,
  explainNone,
  formatDelivery,
} from './delivery-matching.js'
import {
  checkThreadFields,
  differences,
  differencesFrom,
  type ExchangeMatch,
  formatExchange,
  formatMismatch,
  type Match,
  nearest,
} from './matching.js'
import type { Threads } from './resources.js'

/** A thread and the state it must have. */
export interface ThreadMatch {
  /** The thread's id. */
  readonly thread: string
  /** The expected fields, as the service shows them. */
  readonly has: Readonly<Partial<Record<keyof Thread, Match>>>
}

/** Options of a wait. */
export interface WaitOptions {
  /** The limit in wall time, such as `500ms` or `10s`; two seconds by default. */
  readonly timeout?: string
}

/** The error of a wait that timed out. */
export class WaitError extends Error {
  override readonly name = 'WaitError'
  readonly code = 'timeout'
}

/** A condition to wait for; `find` returns undefined until it is met. */
export interface Search<Found> {
  find(): Found | undefined
  /** Describes what was seen instead. */
  describe(): string
}

/** Searches now, and again after every event, until something is found. @throws WaitError */
export async function waitUntil<Found>(
  { feed, masker }: World,
  search: Search<Found>,
  options: WaitOptions = {},
): Promise<Found> {
  checkOptions('waitFor', options, { timeout: 'any' })
  const { timeout = '2s' } = options
  const milliseconds = parseDuration(timeout)
  if (milliseconds === undefined || milliseconds < 0) {
    throw new TypeError(`timeout: "${timeout}" is not a duration such as 500ms or 10s.`)
  }
  let found = search.find()
  if (found !== undefined) return found
  const pause = startPause(milliseconds)
  let failure: { readonly reason: unknown } | undefined
  const unsubscribe = feed.subscribe(() => {
    // An error of the caller's predicate rejects the wait; it must not reach the code that caused the event.
    try {
      found ??= search.find()
    } catch (reason) {
      failure ??= { reason }
    }
    if (found !== undefined || failure || feed.closed) pause.end()
  })
  if (feed.closed) pause.end()
  await pause.over.finally(unsubscribe)
  if (found !== undefined) return found
  if (failure) throw failure.reason
  const waited = feed.closed ? 'The world was closed during the wait.' : `Nothing matched within ${timeout}.`
  throw new WaitError(`${waited} ${masker.text(search.describe())}`)
}

/** The types of the fields that select requests, besides the operation. */
export const exchangeOptions: OptionTypes<Omit<ExchangeMatch, 'operation'>> = {
  method: 'string',
  path: 'any',
  query: 'object',
  body: 'any',
  status: 'number',
}

/** Refuses anything but an object. @throws TypeError */
export function checkMatch(match: object): void {
  if (typeof match === 'object' && match !== null) return
  throw new TypeError(
    `waitFor takes a function, or an object such as { operation: 'threads.list' }, { delivery: 'message.received' } or { thread: id, has: { unread: false } }, not ${String(match)}.`,
  )
}

/** Searches for an exchange that matches, or for which a predicate returns true. */
export function exchangeSearch(
  world: World,
  match: ExchangeMatch | ((exchange: Exchange) => boolean),
): Search<Exchange> {
  if (typeof match === 'object') {
    const others = { thread: 'string', has: 'object', delivery: 'string' }
    const operation = everyOperationName(world.extensions)
    checkOptions('waitFor', match, {
      ...exchangeOptions,
      ...others,
      operation,
    } as OptionTypes<ExchangeMatch>)
  }
  let since = 0
  return {
    find() {
      for (const exchange of world.journal.exchanges({ since })) {
        since = exchange.seq
        const fits =
          typeof match === 'function' ? match(exchange) : differencesFrom(match, exchange).length === 0
        if (fits) return exchange
      }
      return undefined
    },
    describe: () => describeExchanges(world.journal.exchanges(), match),
  }
}

/** Searches for a thread in a state. */
export function threadSearch(threads: Threads, match: ThreadMatch): Search<Thread> {
  checkOptions('waitFor', match, { thread: 'string', has: 'object' }, ['thread', 'has'])
  const { thread, has } = match
  checkThreadFields(has)
  const differ = (found: Thread): string[] => differences('thread', has as Match, found)
  return {
    find() {
      const found = threads.get(thread)
      return differ(found).length === 0 ? found : undefined
    },
    describe: () => `The thread "${thread}" differs: ${differ(threads.get(thread)).join('; ')}.`,
  }
}

function describeExchanges(
  exchanges: readonly Exchange[],
  match: Parameters<typeof exchangeSearch>[1],
): string {
  if (exchanges.length === 0) return 'No request has come to this world; does the client use its key?'
  const count = `${exchanges.length} ${exchanges.length === 1 ? 'request has' : 'requests have'} come`
  const latest = exchanges.slice(-5).map(formatExchange).join('\n  ')
  const came = `${count}${exchanges.length > 5 ? '; the latest' : ''}:\n  ${latest}`
  if (typeof match === 'function') return `None of the requests fits; ${came}`
  const ranked = exchanges.map((exchange) => ({ exchange, differ: differencesFrom(match, exchange) }))
  const [closest] = ranked.toSorted((a, b) => a.differ.length - b.differ.length)
  if (!closest) return came
  return `None of the requests fits. Nearest is ${formatExchange(closest.exchange)}:\n  ${closest.differ.join('\n  ')}\n${came}`
}

/** The delivery to wait for. Without a status, it must have ended. */
export interface DeliveryWanted extends DeliveryMatch {
  /** The type of its event. */
  readonly delivery: EventType
}

/** The most deliveries that are listed when none matches. */
const shownDeliveries = 5

/** Searches for a matching delivery. @throws TypeError */
export function deliverySearch(
  source: DeliverySource,
  { feed }: World,
  { delivery: event, ...match }: DeliveryWanted,
): Search<Delivery> {
  checkDeliveryMatch(event, match)
  const { deliveries, masker } = source
  const differ = (one: Delivery) => deliveryMismatches(event, match, one, masker)
  const fits = (one: Delivery): boolean => differ(one).length === 0
  const reader = new EventFeedReader(feed, feed.latest, new Set(['delivery']))
  let hasListed = false
  return {
    find() {
      if (!hasListed) {
        hasListed = true
        return deliveries.list({ event }).find(fits)
      }
      // Only the changed deliveries are checked: there may be thousands.
      for (let next = reader.next(); next; next = reader.next()) {
        const found = next.type === 'gap' ? undefined : deliveries.find((next.data as Delivery).id)
        if (found && fits(found)) return found
      }
      return undefined
    },
    describe() {
      const all = deliveries.list({ event })
      if (all.length === 0) return explainNone(source, event)
      const judged = all.map((one) => ({ one, mismatches: differ(one) }))
      const [closest] = nearest(judged, deliveryDistance) as [(typeof judged)[number]]
      const lines = [...closest.mismatches.map(formatMismatch), ...explainDelivery(closest.one, source.clock)]
      return [
        `None of the deliveries fits. Nearest is ${formatDelivery(closest.one)}:`,
        ...lines.map((line) => `  ${line}`),
        ...(all.length === 1 ? [] : describeAll(all)),
      ].join('\n')
    },
  }
}

function describeAll(all: readonly Delivery[]): string[] {
  const count = `${all.length} deliveries were made`
  const latest = all.slice(-shownDeliveries).map((one) => `  ${formatDelivery(one)}`)
  return [`${count}${all.length > shownDeliveries ? '; the latest' : ''}:`, ...latest]
}
