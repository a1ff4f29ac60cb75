import { checkNames, checkOptions, checkText, type OptionNames } from '../../base/options.js'
import { expectedOneOf } from '../../base/text.js'
import { everyOperationName } from '../../contract/extensions.js'
import { type EventType, type Thread, threadSchema } from '../../contract/resources.js'
import { type Duration, parseDuration } from '../../service/time/time.js'
import { startPause } from '../../service/time/wall-time.js'
import type { Delivery } from '../../service/webhooks/delivery.js'
import type { Entry } from '../../service/world/entries.js'
import type { Exchange, ExchangeWithRequest, JournalEntry } from '../../service/world/exchange.js'
import type { SentMessage } from '../../service/world/sent-mail.js'
import type { World } from '../../service/world/world.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  expectDeliveries,
} from '../../story/expectations/delivery.js'
import { hintsAbout, withHints } from '../../story/expectations/exchanges.js'
import type { JudgedStory } from '../../story/expectations/expectation-checker.js'
import { describeJudged, followNow, judgedBy, unwritten } from '../../story/expectations/judge-now.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { Match } from '../../story/expectations/match.js'
import {
  type ExchangeMatch,
  expectRequests,
  explainNoRequests,
  formatExchange,
} from '../../story/expectations/request.js'
import { expectSent, type SentMatch, sentMatchOptions } from '../../story/expectations/sent.js'
import { expectState } from '../../story/expectations/state.js'
import { wholePlay } from '../../story/expectations/time-window.js'
import type { Compiled, JudgedMailbox } from '../../story/expectations/tracker.js'

/** A thread and the state it must have. */
export interface ThreadMatch {
  /** The thread's id. */
  readonly thread: string
  /** The expected fields, as the service returns them. */
  readonly has: Readonly<Partial<Record<keyof Thread, Match>>>
}

/** Options of a wait. */
export interface WaitOptions {
  /** The limit in wall time, such as `500ms` or `10s`; two seconds by default. */
  readonly timeout?: Duration
}

/** The error of a wait that timed out. */
export class WaitError extends Error {
  override readonly name = 'WaitError'
  readonly code = 'timeout'
}

/** What to wait for. */
interface Awaited<Found> {
  /** Returns it; undefined until it is there. It is called first, and then with each entry of the log that is new or has changed. */
  find(changed?: Entry): Found | undefined
  /** Says what is expected, and what is there instead. */
  describe(): string
}

/** Searches now, and again after every event, until something is found. @throws WaitError */
export async function waitUntil<Found>(
  { log, journal, masker }: World,
  awaited: Awaited<Found>,
  options: WaitOptions = {},
): Promise<Found> {
  checkOptions('waitFor', options, { timeout: 'public' })
  const { timeout = '2s' } = options
  const milliseconds = parseDuration(timeout)
  if (milliseconds === undefined || milliseconds < 0) {
    throw new TypeError(`timeout: "${timeout}" is not a duration such as 500ms or 10s.`)
  }
  let found = awaited.find()
  if (found !== undefined) return found
  const pause = startPause(milliseconds)
  let failure: { readonly reason: unknown } | undefined
  const unsubscribe = log.subscribe((entry) => {
    // An error of the caller's predicate rejects the wait; it must not reach the code that caused the event.
    try {
      found ??= awaited.find(entry)
    } catch (reason) {
      failure ??= { reason }
    }
    if (found !== undefined || failure || log.ended) pause.end()
  })
  if (log.ended) pause.end()
  await pause.over.finally(unsubscribe)
  if (found !== undefined) return found
  if (failure) throw failure.reason
  const waited = log.ended ? 'The world was closed during the wait.' : `Nothing matched within ${timeout}.`
  throw new WaitError(masker.known(withHints(`${waited} ${awaited.describe()}`, hintsAbout({ journal }))))
}

/** The names of the fields that select requests, besides the operation. */
export const exchangeOptions: OptionNames<Omit<ExchangeMatch, 'operation'>> = {
  method: 'public',
  path: 'public',
  query: 'public',
  body: 'public',
  status: 'public',
}

/** The names in what `waitFor` accepts for a request; the last four are of the other things that it waits for. */
const matchNames = [...Object.keys(exchangeOptions), 'operation', 'thread', 'has', 'delivery', 'sent']

/** Everything that `waitFor` can wait for. */
export type AnyMatch =
  | ThreadMatch
  | SentWanted
  | DeliveryWanted
  | ExchangeMatch
  | ((exchange: Exchange) => boolean)

/** Returns what is awaited, by its form. @throws TypeError, WorldError */
export function awaited(
  mailbox: JudgedStory,
  world: World,
  match: AnyMatch,
): Awaited<Thread | SentMessage | Delivery | Exchange> {
  if (typeof match === 'function') return awaitedByPredicate(mailbox, world, match)
  if (typeof match !== 'object' || match === null) {
    throw new TypeError(
      `waitFor takes a function, or an object such as { operation: 'threads.list' }, { sent: { from: 'support' } }, { delivery: 'message.received' } or { thread: id, has: { unread: false } }, not ${String(match)}.`,
    )
  }
  if ('sent' in match) {
    checkOptions('waitFor', match, { sent: 'required' })
    checkOptions('waitFor: sent', match.sent, sentMatchOptions)
    return awaitedThing(mailbox, 'sent', expectSent(match.sent, some), (mail: SentMessage) => mail)
  }
  if ('delivery' in match) {
    const { delivery: event, ...wanted } = match
    checkDeliveryMatch('waitFor', event, wanted)
    return awaitedThing(mailbox, 'delivery', expectDeliveries(event, wanted, some), (one: Delivery) => one)
  }
  if ('thread' in match) return awaitedThread(mailbox, match)
  checkNames('waitFor', match, matchNames)
  const { operation } = match
  if (operation !== undefined)
    checkText('waitFor: operation', operation, everyOperationName(world.extensions))
  return awaitedThing(mailbox, 'request', expectRequests(match, some), ({ seq }: ExchangeWithRequest) => {
    return world.journal.entries({ since: seq - 1, limit: 1 })[0]?.show()
  })
}

const some = { least: 1, most: null }

/** Awaits the first thing that an expectation counts. */
function awaitedThing<Thing, Found>(
  mailbox: JudgedStory,
  kind: Expectation['kind'],
  compiled: Compiled,
  show: (thing: Thing) => Found | undefined,
): Awaited<Found> {
  const run = followNow(mailbox, [unwritten(kind, compiled)])
  return {
    find(changed) {
      if (changed) run.observe(changed)
      const [first] = run.matching(0)
      return first === undefined ? undefined : show(first as Thing)
    },
    describe: () => describeJudged(judgedBy(run, mailbox)),
  }
}

/** Awaits an exchange for which a predicate returns true; it cannot say how another one differs. */
function awaitedByPredicate(
  mailbox: JudgedMailbox,
  { journal }: World,
  isWanted: (exchange: Exchange) => boolean,
): Awaited<Exchange> {
  let since = 0
  let last: JournalEntry | undefined
  return {
    find() {
      for (const entry of journal.entries({ since })) {
        since = entry.seq
        last = entry
        const exchange = entry.show()
        if (isWanted(exchange)) return exchange
      }
      return undefined
    },
    describe: () => {
      return last ? `The last request was ${formatExchange(last.showRequest())}.` : explainNoRequests(mailbox)
    },
  }
}

/** Awaits a state of a thread. */
function awaitedThread(mailbox: JudgedStory, match: ThreadMatch): Awaited<Thread> {
  checkOptions('waitFor', match, { thread: 'required', has: 'required' })
  const { thread: id, has } = match
  checkThreadFields(has)
  mailbox.threads.get(id)
  const state = {
    kind: 'thread',
    id,
    name: 'the thread',
    has: has as Readonly<Record<string, Match>>,
  } as const
  const run = followNow(mailbox, [unwritten('thread', expectState({ ...state, window: wholePlay }))])
  return {
    find: () => (run.passes(0, 0) ? mailbox.threads.get(id) : undefined),
    describe: () => describeJudged(judgedBy(run, mailbox)),
  }
}

/** Refuses fields that no thread has. @throws TypeError */
export function checkThreadFields(fields: object): void {
  const known = Object.keys(threadSchema().shape)
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`A thread has no "${unknown}"${expectedOneOf(unknown, known, '.')}`)
}

/** The message to wait for, which an agent sends. */
export interface SentWanted {
  readonly sent: SentMatch
}

/** The delivery to wait for. Without a status, it must have ended. */
export interface DeliveryWanted extends DeliveryMatch {
  /** The type of its event. */
  readonly delivery: EventType
}
