import { checkOptions, checkText, type OptionNames } from '../../base/options.js'
import { everyOperationName } from '../../contract/extensions.js'
import type { EventType, Thread } from '../../contract/resources.js'
import { type Duration, parseDuration } from '../../service/time/time.js'
import { startPause } from '../../service/time/wall-time.js'
import type { Delivery } from '../../service/webhooks/delivery.js'
import type { Entry } from '../../service/world/entries.js'
import type { Exchange, JournalEntry } from '../../service/world/exchange.js'
import { type SentMessage, showSent } from '../../service/world/sent-mail.js'
import type { World } from '../../service/world/world.js'
import { checkDeliveryMatch, type DeliveryMatch, deliveryJudge } from '../../story/expectations/delivery.js'
import { type Judge, judgeAll, showJudged } from '../../story/expectations/judge.js'
import type { Match } from '../../story/expectations/match.js'
import { withHints } from '../../story/expectations/refusals.js'
import { type ExchangeMatch, requestJudge } from '../../story/expectations/request.js'
import { type SentMatch, sentJudge, sentMatchOptions } from '../../story/expectations/sent.js'
import { threadJudge } from '../../story/expectations/state.js'
import type { JudgedMailbox } from '../../story/expectations/tracker.js'

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
  /** What it is, after "no": `request of threads.list`. */
  readonly wanted: string
  /** Describes what is there instead. */
  describe(): string
}

/** Searches now, and again after every event, until something is found. @throws WaitError */
export async function waitUntil<Found>(
  { log, journal, masker }: World,
  awaited: Awaited<Found>,
  options: WaitOptions = {},
): Promise<Found> {
  checkOptions('waitFor', options, waitOptions)
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
  const waited = log.ended
    ? 'The world was closed during the wait.'
    : `Nothing matched within ${timeout}: no ${awaited.wanted}.`
  throw new WaitError(masker.known(withHints(`${waited} ${awaited.describe()}`, { journal })))
}

/** The names of the fields that select requests, besides the operation. */
export const exchangeOptions: OptionNames<Omit<ExchangeMatch, 'operation'>> = {
  method: 'public',
  path: 'public',
  query: 'public',
  body: 'public',
  status: 'public',
}

const waitOptions: OptionNames<WaitOptions> = { timeout: 'public' }

const threadOptions: OptionNames<ThreadMatch> = { thread: 'required', has: 'required' }

/**
 * What `waitFor` accepts for a request; the last four are the options of the other things that it waits for.
 */
const matchOptions: OptionNames<ExchangeMatch & ThreadMatch & SentWanted & Pick<DeliveryWanted, 'delivery'>> =
  {
    ...exchangeOptions,
    operation: 'public',
    thread: 'public',
    has: 'public',
    delivery: 'public',
    sent: 'public',
  }

/** Everything that `waitFor` can wait for. */
export type AnyMatch =
  | ThreadMatch
  | SentWanted
  | DeliveryWanted
  | ExchangeMatch
  | ((exchange: Exchange) => boolean)

/** Returns what is awaited, by its form. @throws TypeError, WorldError */
export function awaited(
  mailbox: JudgedMailbox,
  world: World,
  match: AnyMatch,
): Awaited<Thread | SentMessage | Delivery | Exchange> {
  if (typeof match === 'function') return awaitedExchange(mailbox, world, match)
  checkMatch(match)
  if ('sent' in match) return awaitedSent(mailbox, world, match)
  if ('delivery' in match) return awaitedDelivery(mailbox, match)
  if ('thread' in match) return awaitedThread(mailbox, match)
  return awaitedExchange(mailbox, world, match)
}

/** Refuses anything but an object. @throws TypeError */
function checkMatch(match: object): void {
  if (typeof match === 'object' && match !== null) return
  throw new TypeError(
    `waitFor takes a function, or an object such as { operation: 'threads.list' }, { sent: { from: 'support' } }, { delivery: 'message.received' } or { thread: id, has: { unread: false } }, not ${String(match)}.`,
  )
}

function described<Thing>(judge: Judge<Thing>): Pick<Awaited<Thing>, 'wanted' | 'describe'> {
  const [noun] = judge.nouns
  return {
    wanted: [noun, judge.expected].filter((text) => text !== '').join(' '),
    describe: () => showJudged(judge, judgeAll(judge)),
  }
}

/** Awaits an exchange that matches, or for which a predicate returns true. */
function awaitedExchange(
  mailbox: JudgedMailbox,
  { journal, extensions }: World,
  match: ExchangeMatch | ((exchange: Exchange) => boolean),
): Awaited<Exchange> {
  if (typeof match === 'object') {
    checkOptions('waitFor', match, matchOptions)
    const { operation } = match
    if (operation !== undefined) checkText('waitFor: operation', operation, everyOperationName(extensions))
  }
  const judge = typeof match === 'function' ? predicateJudge(mailbox, match) : requestJudge(mailbox, match)
  let since = 0
  return {
    find() {
      for (const entry of journal.entries({ since })) {
        since = entry.seq
        if (judge.compare(entry).length === 0) return entry.show()
      }
      return undefined
    },
    ...described(judge),
  }
}

/** Creates the judge of requests that uses a predicate, which cannot say how a request differs. */
function predicateJudge(
  mailbox: JudgedMailbox,
  isWanted: (exchange: Exchange) => boolean,
): Judge<JournalEntry> {
  const judge = requestJudge(mailbox, {})
  const refused = [{ name: 'request', expected: true, found: false }]
  return {
    ...judge,
    things: () => judge.things().toReversed(),
    compare: (entry) => (isWanted(entry.show()) ? [] : refused),
    differences: () => [],
  }
}

/** Awaits a state of a thread. */
function awaitedThread(mailbox: JudgedMailbox, match: ThreadMatch): Awaited<Thread> {
  checkOptions('waitFor', match, threadOptions)
  const judge = threadJudge(mailbox, match.has, { id: match.thread })
  return {
    find: () => judge.things().find((thread) => judge.compare(thread).length === 0),
    ...described(judge),
  }
}

/** The message to wait for, which an agent sends. */
export interface SentWanted {
  readonly sent: SentMatch
}

const sentWantedOptions: OptionNames<SentWanted> = { sent: 'required' }

/** Awaits a matching message that an agent sends. @throws TypeError, WorldError */
function awaitedSent(mailbox: JudgedMailbox, { journal }: World, wanted: SentWanted): Awaited<SentMessage> {
  checkOptions('waitFor', wanted, sentWantedOptions)
  checkOptions('waitFor: sent', wanted.sent, sentMatchOptions)
  const judge = sentJudge(mailbox, wanted.sent)
  let since = 0
  return {
    find() {
      const entries = journal.entries({ since })
      since = entries.at(-1)?.seq ?? since
      const sent = mailbox.sentBy(entries).map((mail) => showSent(mail, mailbox.store))
      return sent.find((mail) => judge.compare(mail).length === 0)
    },
    ...described(judge),
  }
}

/** The delivery to wait for. Without a status, it must have ended. */
export interface DeliveryWanted extends DeliveryMatch {
  /** The type of its event. */
  readonly delivery: EventType
}

/** Awaits a matching delivery. @throws TypeError */
function awaitedDelivery(
  mailbox: JudgedMailbox,
  { delivery: event, ...match }: DeliveryWanted,
): Awaited<Delivery> {
  checkDeliveryMatch('waitFor', event, match)
  const judge = deliveryJudge(mailbox, event, match)
  const isWanted = (one: Delivery): boolean => judge.compare(one).length === 0
  let hasListed = false
  return {
    find(changed) {
      if (!hasListed) {
        hasListed = true
        return judge.things().find(isWanted)
      }
      // Only what has changed is checked: there may be thousands.
      if (changed?.type !== 'delivery' || changed.delivery.event.type !== event) return undefined
      const found = mailbox.deliveries.find(changed.delivery.id)
      return found && isWanted(found) ? found : undefined
    },
    ...described(judge),
  }
}
