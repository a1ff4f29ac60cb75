import { checkKnown, checkOptions } from '../../base/options.js'
import { counted, truncate } from '../../base/text.js'
import { adviceOf, everyOperationName } from '../../contract/extensions.js'
import { type GapId, gapIds } from '../../contract/gaps.js'
import type { NamedGap } from '../../contract/named-assumptions.js'
import type { NamedOperation, OperationName, operations } from '../../contract/operations.js'
import type { EventType, Thread } from '../../contract/resources.js'
import type { RelianceSummary } from '../../service/assumptions/settle.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  expectDeliveries,
} from '../../story/expectations/delivery.js'
import { hintsAbout, listed, withHints } from '../../story/expectations/exchanges.js'
import { describeJudged, followNow, judgedBy, unwritten } from '../../story/expectations/judge-now.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import {
  describeExpected,
  type FieldMatch,
  formatDifference,
  type Match,
  matchFields,
} from '../../story/expectations/match.js'
import { type ExchangeMatch, expectRequests, explainNoRequests } from '../../story/expectations/request.js'
import { expectSent, isOnly, type SentMatch, sentMatchOptions } from '../../story/expectations/sent.js'
import type { Amount, Compiled } from '../../story/expectations/tracker.js'
import type { Simulator } from './simulator.js'
import { checkThreadFields, exchangeOptions } from './wait-for.js'

/** The matchers that `mailboxMatchers` adds to `expect(mailbox)`, for declaring them in TypeScript. */
export interface MailboxMatchers<Result = void> {
  /**
   * Checks that the mailbox received requests of an operation, with these values.
   * @example expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
   */
  toHaveRequested<Operation extends NamedOperation>(
    operation: Operation,
    match?: RequestMatch<Operation>,
  ): Result
  /**
   * Checks that a mailbox contains a matching thread now.
   * @example expect(mailbox).toHaveThread({ agent: 'support', subject: /refund/i, unread: false })
   */
  toHaveThread(description: ThreadDescription): Result
  /**
   * Checks that agents sent mail with these values, by any operation.
   * @example expect(mailbox).toHaveSent({ from: 'support', to: 'ann@example.com', text: /249\.00/, times: 1 })
   */
  toHaveSent(description?: SentDescription): Result
  /**
   * Checks that an event was delivered to subscriptions; with another `status`, that deliveries have that status.
   * @example expect(mailbox).toHaveDelivered('message.received', { url: 'http://agent.test/hook', times: 1 })
   */
  toHaveDelivered(event: EventType, description?: DeliveryDescription): Result
  /**
   * Checks that there were requests, and that their responses depend on no gaps of the interface except these.
   * @example expect(mailbox).toHaveReliedOnlyOn(['threads.total'])
   * @example expect(mailbox).toHaveReliedOnlyOn({ not: ['threads.total'] })
   */
  toHaveReliedOnlyOn(gaps: readonly NamedGap[] | { readonly not: readonly NamedGap[] }): Result
}

/** Matchers for simulators, for the `expect` of Vitest or Jest: `expect.extend(mailboxMatchers)`. */
export const mailboxMatchers = {
  toHaveRequested: hintedMatcher(toHaveRequested, 2),
  toHaveThread: hintedMatcher(toHaveThread, 1),
  toHaveSent: hintedMatcher(toHaveSent, 1),
  toHaveDelivered: hintedMatcher(toHaveDelivered, 2),
  toHaveReliedOnlyOn: hintedMatcher(toHaveReliedOnlyOn, 1),
}

/** The names of the documented parameters in the query of an operation; any name if the interface leaves them open. */
type QueryName<Operation extends NamedOperation> =
  Operation extends Exclude<OperationName, 'webhooks.list'>
    ? keyof (typeof operations)[Operation]['query']
    : string

/** The expected values of requests besides their operation. */
export interface RequestMatch<Operation extends NamedOperation = NamedOperation>
  extends Omit<ExchangeMatch, 'operation' | 'query'> {
  /** Parameters of the query; null for one that must be absent. */
  readonly query?: Readonly<Partial<Record<QueryName<Operation>, Match>>>
  /** The exact number of matching requests; at least one by default. */
  readonly times?: number
}

/** Checks that a simulator received requests of an operation, with some values. */
function toHaveRequested(
  received: unknown,
  operation: NamedOperation,
  options: RequestMatch = {},
): MatcherResult {
  checkOptions('toHaveRequested', options, { ...exchangeOptions, times: 'public' })
  const { times, ...match } = options
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveRequested()')
  checkKnown('operation', [operation], everyOperationName(mailbox.extensions))
  const wanted = { operation, ...(match as ExchangeMatch) }
  return resultOf(mailbox, 'request', (amount) => expectRequests(wanted, amount), times)
}

/** Describes a thread by its fields, as the service would return them. Omitted fields match anything. */
export interface ThreadDescription extends Readonly<{ [Field in keyof Thread]?: FieldMatch<Thread[Field]> }> {
  /** The handle of the agent whose mailbox it is in. */
  readonly agent?: string
}

/** Checks that a mailbox of a simulator contains a matching thread. */
function toHaveThread(received: unknown, description: ThreadDescription): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveThread()')
  if (typeof description !== 'object' || description === null) {
    throw new TypeError(`toHaveThread takes an object with agent, subject, unread …, not ${description}.`)
  }
  const { agent, ...fields } = description
  checkThreadFields(fields)
  const threads = mailbox.threads.list(agent === undefined ? { everywhere: true } : { agent })
  const compared = threads.map((thread) => ({ thread, differing: matchFields(fields, thread) }))
  const [nearest] = compared.toSorted((a, b) => a.differing.length - b.differing.length)
  const pass = nearest?.differing.length === 0
  const whose = agent === undefined ? '' : ` of ${agent}`
  const values = describeExpected(fields)
  return {
    pass,
    message() {
      const expected = `${pass ? 'no' : 'a'} thread${whose}${values && ` with ${values}`}`
      const found = `${pass ? 'this one' : 'none'} among ${counted(threads.length, 'thread')}`
      const line = nearest && describeThread(nearest.thread)
      const differences = nearest?.differing.map(formatDifference) ?? []
      return describeJudged({ expected, found, nearest: line === undefined ? null : { line, differences } })
    },
  }
}

function describeThread({ id, subject, unread, message_count, last_message_at }: Thread): string {
  const messages = counted(message_count, 'message')
  return `"${subject}" (${id}: ${unread ? 'unread' : 'read'}, ${messages}, last ${last_message_at})`
}

/** The expected values of mail that agents sent. */
export interface SentDescription extends SentMatch {
  /** The exact number of matching messages; at least one by default. */
  readonly times?: number
}

/** Checks that agents of a simulator sent mail. */
function toHaveSent(received: unknown, options: SentDescription = {}): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveSent()')
  checkOptions('toHaveSent', options, { ...sentMatchOptions, times: 'public' })
  const { times, ...match } = options
  const handle = match.from?.replace(/^@/, '')
  const sent = mailbox.sent()
  // A deleted agent has mail, and any other needs to exist: `not.toHaveSent` would hold for a misspelt one.
  if (handle !== undefined && !sent.some(({ agent_handle }) => agent_handle === handle)) {
    mailbox.identities.get(handle)
  }
  // Without a number, the only allowed recipients are a rule for all mail.
  if (times === undefined && isOnly(match.to) && sent.length > 0)
    return resultOf(mailbox, 'sent', (amount) => expectSent(match, amount, { others: true }), 0)
  return resultOf(mailbox, 'sent', (amount) => expectSent(match, amount), times)
}

/** The expected values of deliveries; the status is `succeeded` by default. */
export interface DeliveryDescription extends DeliveryMatch {
  /** The exact number of matching deliveries; at least one by default. */
  readonly times?: number
}

/** Checks that subscriptions of a simulator were notified of an event. */
function toHaveDelivered(
  received: unknown,
  event: EventType,
  { times, status = 'succeeded', ...rest }: DeliveryDescription = {},
): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveDelivered()')
  const match: DeliveryMatch = { status, ...rest }
  checkDeliveryMatch('toHaveDelivered', event, match)
  return resultOf(mailbox, 'delivery', (amount) => expectDeliveries(event, match, amount), times)
}

/**
 * Checks that the requests a simulator received, and the deliveries it made, depend on no gaps other than
 * these, or on none of those in `not`. Fails if there were none, since that proves nothing.
 */
function toHaveReliedOnlyOn(
  received: unknown,
  named: readonly GapId[] | { readonly not: readonly GapId[] },
): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveReliedOnlyOn()')
  const { not } = Object(named) as { readonly not?: readonly GapId[] }
  const gaps = not ?? named
  if (!Array.isArray(gaps) || not?.length === 0) {
    throw new TypeError(
      `toHaveReliedOnlyOn takes a list of gaps such as ['threads.order'], or { not: ['threads.order'] }, not ${JSON.stringify(named)}.`,
    )
  }
  checkKnown('gap', gaps, [...gapIds, ...mailbox.extensions.gaps.keys()])
  const reliances = mailbox.reliances()
  const refused = reliances.filter(({ gap }) => gaps.includes(gap as GapId) === (not !== undefined))
  const list = gaps.join(', ')
  const expected = not ? `no reliance on ${list}` : `no reliance on a gap${list && ` but ${list}`}`
  const result = {
    pass: refused.length === 0,
    message() {
      const [first] = refused
      if (!first) return `Expected another reliance; found ${expected}.`
      const names = new Set(refused.map(({ gap }) => gap))
      const blocks = refused.map((one) => {
        return `${formatReliance(one)}\n    ${adviceOf(one.gap, mailbox.extensions.gaps)}`
      })
      const pin = `pin it with \`assume: { ${first.gap}: ${first.assumption} }\`, and change the list of gaps`
      return `Expected ${expected}; found ${[...names].join(', ')}:\n${listed(blocks, 20)}\nIf the service is known to do so, ${pin}.`
    },
  }
  // Deliveries alone may depend on gaps as well.
  return reliances.length > 0 ? result : unlessSilent(mailbox, expected, result)
}

/** Returns the result of a matcher, which fails where no request came: that proves nothing. */
export function unlessSilent(mailbox: Simulator, expected: string, result: MatcherResult): MatcherResult {
  if (mailbox.journal.entries().length > 0) return result
  return { pass: false, message: () => `Expected ${expected}. ${explainNoRequests(mailbox)}` }
}

/** Formats a reliance: `threads.order: assumption last-message-desc, in 3 responses or deliveries of threads.list`. */
function formatReliance({ gap, assumption, operations, events = [], count }: RelianceSummary): string {
  const of = [...operations, ...events].join(', ')
  return `${gap}: assumption ${assumption}, in ${counted(count, 'response or delivery', 'responses or deliveries')} of ${of}`
}

/** The result of a matcher; the message is shown when the assertion fails. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/**
 * Returns whether there is the expected number of things: exactly `times`, or at least one.
 * @throws Error if that depends on what is no longer known
 */
function resultOf(
  mailbox: Simulator,
  kind: Expectation['kind'],
  expected: (amount: Amount) => Compiled,
  times?: number,
): MatcherResult {
  const runOf = (least: number, most: number | null) => {
    return followNow(mailbox, [unwritten(kind, expected({ least, most }))])
  }
  const run = runOf(times ?? 1, times ?? null)
  const judged = judgedBy(run, mailbox)
  const forgotten = run.forgottenOf(0)
  if (forgotten !== undefined)
    throw new Error(`It is not known whether there is ${judged.expected}: ${forgotten}.`)
  return {
    pass: judged.held,
    message() {
      if (!judged.held) return describeJudged(judged)
      // After `not`, each of those that match is too many, and nothing is missing.
      if (times === undefined) return describeJudged({ ...judgedBy(runOf(0, 0), mailbox), hints: [] })
      return `Expected not ${judged.expected}; found: ${judged.found}.`
    },
  }
}

/**
 * Wraps a matcher so that its message ends with hints about the requests, and has the secrets of the world masked. More
 * arguments than it takes would be ignored, so that `toHaveSent({ to }, { times: 1 })` held for two messages.
 */
export function hintedMatcher<Arguments extends readonly unknown[]>(
  matcher: (received: unknown, ...args: Arguments) => MatcherResult,
  most: number,
): (received: unknown, ...args: Arguments) => MatcherResult {
  return (received, ...args) => {
    const surplus = args.slice(most).find((one) => one !== undefined)
    if (surplus !== undefined) {
      const taken = counted(most, 'argument')
      throw new TypeError(
        `${matcher.name} takes ${taken}, so ${truncate(JSON.stringify(surplus) ?? String(surplus), 80)} has no effect; write all of it into the ${most === 1 ? 'first' : 'last'} one.`,
      )
    }
    const { pass, message } = matcher(received, ...args)
    const mailbox = received as Simulator
    return {
      pass,
      message() {
        const text = message()
        // After `not`, something happened that should not have.
        return mailbox.masker.keys.known(pass ? text : withHints(text, hintsAbout(mailbox)))
      },
    }
  }
}

/** Returns the simulator that was passed to a matcher or function. @throws TypeError when it is something else */
export function simulatorIn(received: unknown, call: string): Simulator {
  const { journal, threads, reliances } = (received ?? {}) as Partial<Simulator>
  if (journal && threads && typeof reliances === 'function') return received as Simulator
  if (typeof Object(received).then === 'function')
    throw new TypeError(`${call} looks at a simulator, not a promise; await it first.`)
  const type = received === null ? 'null' : typeof received
  throw new TypeError(
    `${call} looks at a simulator, not ${type}; give it the mailbox of the test, or what createSimulator or listen returns.`,
  )
}
