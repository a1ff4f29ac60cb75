import type { Thread } from '../contract/resources.js'
import { type Exchange, parseDuration, startPause, type World } from '../world/index.js'
import { formatExchange } from './exchange-line.js'
import { differences, differencesFrom, type ExchangeMatch, type Match } from './matching.js'
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
  { feed }: World,
  search: Search<Found>,
  { timeout = '2s' }: WaitOptions = {},
): Promise<Found> {
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
  throw new WaitError(`${waited} ${search.describe()}`)
}

/** Looks for an exchange that fits, or that a test of one's own takes. */
export function exchangeSearch(
  world: World,
  wanted: ExchangeMatch | ((exchange: Exchange) => boolean),
): Search<Exchange> {
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
export function threadSearch(threads: Threads, { thread, has }: ThreadMatch): Search<Thread> {
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
  const [nearest] = ranked.toSorted((a, b) => a.differ.length - b.differ.length)
  if (!nearest) return came
  return `None of the requests fits. Nearest is ${formatExchange(nearest.exchange)}:\n  ${nearest.differ.join('\n  ')}\n${came}`
}
