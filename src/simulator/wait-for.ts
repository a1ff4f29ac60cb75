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

/** A state of a thread. */
export interface ThreadMatch {
  /** The thread's id. */
  readonly thread: string
  /** Fields it must have, as the service shows them. */
  readonly has: Readonly<Partial<Record<keyof Thread, Match>>>
}

/** How long to wait. */
export interface WaitOptions {
  /** Wall time, such as `500ms` or `10s`; two seconds when it is left out. */
  readonly timeout?: string
}

/** Nothing that was waited for came in time. */
export class WaitError extends Error {
  override readonly name = 'WaitError'
  readonly code = 'timeout'
}

/** What a wait looks for: undefined as long as it is not there. */
export interface Search<Found> {
  find(): Found | undefined
  /** What was seen instead, for people. */
  describe(): string
}

/** Looks now, and again whenever something happens, until it is there. @throws WaitError */
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
  const stop = feed.subscribe(() => {
    // What a test of one's own throws is for whoever waits, not for whoever made something happen.
    try {
      found ??= search.find()
    } catch (reason) {
      failure ??= { reason }
    }
    if (found !== undefined || failure || feed.closed) pause.end()
  })
  if (feed.closed) pause.end()
  await pause.over.finally(stop)
  if (found !== undefined) return found
  if (failure) throw failure.reason
  const waited = feed.closed ? 'The world was closed before it came.' : `Waited ${timeout} in vain.`
  throw new WaitError(`${waited} ${masker.text(search.describe())}`)
}

/** What a request may be compared with, besides its operation. */
export const exchangeOptions: OptionTypes<Omit<ExchangeMatch, 'operation'>> = {
  method: 'string',
  path: 'any',
  query: 'object',
  body: 'any',
  status: 'number',
}

/** Refuses what is no description of anything. @throws TypeError */
export function checkWanted(wanted: object): void {
  if (typeof wanted === 'object' && wanted !== null) return
  throw new TypeError(
    `waitFor takes a function, or an object such as { operation: 'threads.list' }, { delivery: 'message.received' } or { thread: id, has: { unread: false } }, not ${String(wanted)}.`,
  )
}

/** Looks for an exchange that fits, or that a test of one's own takes. */
export function exchangeSearch(
  world: World,
  wanted: ExchangeMatch | ((exchange: Exchange) => boolean),
): Search<Exchange> {
  if (typeof wanted === 'object') {
    const others = { thread: 'string', has: 'object', delivery: 'string' }
    const operation = everyOperationName(world.extensions)
    checkOptions('waitFor', wanted, {
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
          typeof wanted === 'function' ? wanted(exchange) : differencesFrom(wanted, exchange).length === 0
        if (fits) return exchange
      }
      return undefined
    },
    describe: () => describeExchanges(world.journal.exchanges(), wanted),
  }
}

/** Looks for a thread in some state. */
export function threadSearch(threads: Threads, wanted: ThreadMatch): Search<Thread> {
  checkOptions('waitFor', wanted, { thread: 'string', has: 'object' })
  const { thread, has } = wanted
  checkThreadFields(has)
  const differ = (found: Thread): string[] => differences('thread', has as Match, found)
  return {
    find() {
      const found = threads.get(thread)
      return differ(found).length === 0 ? found : undefined
    },
    describe: () => `The thread "${thread}" is another: ${differ(threads.get(thread)).join('; ')}.`,
  }
}

function describeExchanges(
  exchanges: readonly Exchange[],
  wanted: Parameters<typeof exchangeSearch>[1],
): string {
  if (exchanges.length === 0) return 'No request has come to this world; is its key the one the client uses?'
  const count = `${exchanges.length} ${exchanges.length === 1 ? 'request has' : 'requests have'} come`
  const latest = exchanges.slice(-5).map(formatExchange).join('\n  ')
  const came = `${count}${exchanges.length > 5 ? ', at last' : ''}:\n  ${latest}`
  if (typeof wanted === 'function') return `None of the requests fits; ${came}`
  const ranked = exchanges.map((exchange) => ({ exchange, differ: differencesFrom(wanted, exchange) }))
  const [closest] = ranked.toSorted((a, b) => a.differ.length - b.differ.length)
  if (!closest) return came
  return `None of the requests fits. Nearest is ${formatExchange(closest.exchange)}:\n  ${closest.differ.join('\n  ')}\n${came}`
}

/** A delivery that is waited for: one that is over, where no status is given. */
export interface DeliveryWanted extends DeliveryMatch {
  /** The type of the event it tells of. */
  readonly delivery: EventType
}

/** How many deliveries are told of where none fits. */
const mostTold = 5

/** Looks for a delivery that fits. @throws TypeError */
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
  let looked = false
  return {
    find() {
      if (!looked) {
        looked = true
        return deliveries.list({ event }).find(fits)
      }
      // Of thousands of them, one has changed.
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
  const latest = all.slice(-mostTold).map((one) => `  ${formatDelivery(one)}`)
  return [`${count}${all.length > mostTold ? ', at last' : ''}:`, ...latest]
}
