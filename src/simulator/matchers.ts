import { everyOperationName, gapOf } from '../contract/extensions.js'
import { type GapId, gapIds } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import { checkOptions } from '../contract/options.js'
import type { EventType, Thread } from '../contract/resources.js'
import { counted, expectedOneOf } from '../contract/text.js'
import type { Delivery, Exchange, RelianceSummary } from '../world/index.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  deliveryDistance,
  deliveryMismatches,
  explainDelivery,
  explainNone,
  formatDelivery,
  isInProgress,
} from './delivery-matching.js'
import {
  checkThreadFields,
  describeValues,
  type ExchangeMatch,
  exchangeMismatches,
  formatExchange,
  formatMismatch,
  type Match,
  type Mismatch,
  mismatches,
  nearest,
} from './matching.js'
import type { Simulator } from './simulator.js'
import { exchangeOptions } from './wait-for.js'

/** The matchers that `mailboxMatchers` adds to `expect(mailbox)`, for declaring them in TypeScript. */
export interface MailboxMatchers<Result = void> {
  /**
   * Checks that the mailbox received requests of an operation, with these values.
   * @example expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
   */
  toHaveRequested(operation: AnyOperationName, match?: RequestMatch): Result
  /**
   * Checks that a mailbox contains a matching thread now.
   * @example expect(mailbox).toHaveThread({ agent: 'support', subject: /refund/i, unread: false })
   */
  toHaveThread(description: ThreadDescription): Result
  /**
   * Checks that an event was delivered to subscriptions; with another `status`, that deliveries have that status.
   * @example expect(mailbox).toHaveDelivered('message.received', { url: 'http://agent.test/hook', times: 1 })
   */
  toHaveDelivered(event: EventType, description?: DeliveryDescription): Result
  /**
   * Checks that there were requests, and that they relied on no silent points of the interface except these.
   * @example expect(mailbox).toHaveReliedOnlyOn(['threads.total'])
   */
  toHaveReliedOnlyOn(gaps: readonly GapId[]): Result
}

/** Matchers for simulators, for the `expect` of Vitest or Jest: `expect.extend(mailboxMatchers)`. */
export const mailboxMatchers = {
  toHaveRequested: masked(toHaveRequested),
  toHaveThread: masked(toHaveThread),
  toHaveDelivered: masked(toHaveDelivered),
  toHaveReliedOnlyOn: masked(toHaveReliedOnlyOn),
}

/** The expected values of requests besides their operation. */
export interface RequestMatch extends Omit<ExchangeMatch, 'operation'> {
  /** The exact number of matching requests; at least one by default. */
  readonly times?: number
}

/** Checks that a simulator received requests of an operation, with some values. */
function toHaveRequested(
  received: unknown,
  operation: AnyOperationName,
  options: RequestMatch = {},
): MatcherResult {
  checkOptions('toHaveRequested', options, { ...exchangeOptions, times: 'number' })
  const { times, ...match } = options
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveRequested()')
  const names = everyOperationName(mailbox.extensions)
  if (!names.includes(operation)) {
    throw new TypeError(`There is no operation "${operation}"${expectedOneOf(operation, names, '.')}`)
  }
  const { judged, fitting } = judge(mailbox.journal.exchanges(), (exchange) => {
    return exchangeMismatches({ operation, ...match }, exchange)
  })
  const pass = isExpectedNumber(fitting.length, times)
  return {
    pass,
    message() {
      const values = describeValues(match)
      const number = describeNumber(pass, times, 'request')
      const what = `Expected ${number} of ${operation}${values && ` with ${values}`}.`
      if (judged.length === 0) return `${what} ${noRequests(mailbox)}`
      const came = `${counted(judged.length, 'request')} came, of which ${describeFitting(fitting.length)}`
      const blocks = (pass ? fitting : nearest(judged)).map(formatRequest)
      return `${what}\n${came}${pass ? ':' : '; the nearest first:'}\n${listed(blocks, 8)}`
    },
  }
}

function formatRequest({ thing: exchange, mismatches }: Judged<Exchange>): string {
  const unmatched = exchange.operation === null ? exchange.near_miss : null
  const lines = mismatches.map((mismatch) => {
    return mismatch.name === 'operation' && unmatched !== null ? unmatched : formatMismatch(mismatch)
  })
  return formatJudged(formatExchange(exchange), lines.length === 0, lines)
}

/** Describes a thread by its fields, as the service would show them. Omitted fields match anything. */
export interface ThreadDescription extends Readonly<Partial<Record<keyof Thread, Match>>> {
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
  const { judged, fitting } = judge(threadsOf(mailbox, agent), (thread) => {
    return Object.entries(fields).flatMap(([name, expected]) => {
      return mismatches(name, expected, thread[name as keyof Thread])
    })
  })
  const whose = agent === undefined ? '' : ` of ${agent}`
  const values = describeValues(fields)
  const described = `thread${whose}${values && ` with ${values}`}`
  return {
    pass: fitting.length > 0,
    message: () => {
      if (fitting.length > 0) {
        const found = listed(fitting.map(formatThread), 5)
        return `Expected no ${described}.\n${counted(fitting.length, 'thread')} of that kind:\n${found}`
      }
      if (judged.length === 0) return `Expected a ${described}. There is no thread${whose} at all.`
      const closest = listed(nearest(judged).map(formatThread), 3)
      return `Expected a ${described}.\n${counted(judged.length, 'thread')}, none of that kind; the nearest first:\n${closest}`
    },
  }
}

function threadsOf(mailbox: Simulator, agent: string | undefined): Thread[] {
  return mailbox.threads.list(agent === undefined ? { everywhere: true } : { agent })
}

function formatThread({ thing, mismatches }: Judged<Thread>): string {
  const { id, subject, unread, message_count, last_message_at } = thing
  const state = `${unread ? 'unread' : 'read'}, ${counted(message_count, 'message')}, last ${last_message_at}`
  const lines = mismatches.map(formatMismatch)
  return formatJudged(`"${subject}" (${id}: ${state})`, lines.length === 0, lines)
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
  checkDeliveryMatch(event, match)
  const { judged, fitting } = judge(mailbox.deliveries.list(), (delivery) => {
    return deliveryMismatches(event, match, delivery, mailbox.masker)
  })
  const pass = isExpectedNumber(fitting.length, times)
  return {
    pass,
    message() {
      const values = describeValues(status === 'any' ? rest : match)
      const number = describeNumber(pass, times, 'delivery', 'deliveries')
      const what = `Expected ${number} of ${event}${values && ` with ${values}`}.`
      if (judged.every(({ thing }) => thing.event.type !== event)) {
        return `${what} ${explainNone(mailbox, event)}`
      }
      const count = judged.length === 1 ? '1 delivery was made' : `${judged.length} deliveries were made`
      const made = `${count}, of which ${describeFitting(fitting.length)}`
      const blocks = (pass ? fitting : nearest(judged, deliveryDistance)).map((one) => {
        return formatJudgedDelivery(one, mailbox)
      })
      return `${what}\n${made}${pass ? ':' : '; the nearest first:'}\n${listed(blocks, 8)}`
    },
  }
}

function formatJudgedDelivery({ thing, mismatches }: Judged<Delivery>, { clock }: Simulator): string {
  const isOther = mismatches.some(({ name }) => name === 'event')
  const lines = [...mismatches.map(formatMismatch), ...(isOther ? [] : explain(thing, clock))]
  return formatJudged(formatDelivery(thing), mismatches.length === 0, lines)
}

function explain(delivery: Delivery, clock: Simulator['clock']): string[] {
  const remedy = `Wait for it: await mailbox.waitFor({ delivery: '${delivery.event.type}' }).`
  return explainDelivery(delivery, clock).map((line) => (isInProgress(delivery) ? `${line} ${remedy}` : line))
}

/**
 * Checks that the requests a simulator received, and the deliveries it made, relied on no other gaps than these. Fails
 * when there were none, since that proves nothing.
 */
function toHaveReliedOnlyOn(received: unknown, allowed: readonly GapId[]): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveReliedOnlyOn()')
  const own = mailbox.extensions.gaps
  const known: readonly string[] = [...gapIds, ...own.keys()]
  if (!Array.isArray(allowed)) {
    throw new TypeError(`toHaveReliedOnlyOn takes a list of gaps such as ['threads.order'], not ${allowed}.`)
  }
  for (const gap of allowed) {
    if (!known.includes(gap)) throw new TypeError(`There is no gap "${gap}"${expectedOneOf(gap, known, '.')}`)
  }
  const reliances = mailbox.reliances()
  const isUnused = mailbox.journal.exchanges().length === 0 && reliances.length === 0
  const beyond = reliances.filter(({ gap }) => !allowed.includes(gap as GapId))
  const list = allowed.join(', ')
  const expected = `Expected requests that rely on no gap${list && ` but ${list}`}`
  return {
    pass: !isUnused && beyond.length === 0,
    message() {
      if (isUnused) return `${expected}. ${noRequests(mailbox)}`
      if (beyond.length === 0) return describeNoOthers(list, reliances)
      const found = counted(new Set(beyond.map(({ gap }) => gap)).size, list ? 'other gap' : 'gap')
      const blocks = beyond.map((one) => `${formatReliance(one)}\n    ${gapOf(one.gap, own)?.advice}`)
      return `${expected}; they rely on ${found}:\n${listed(blocks, 20)}`
    },
  }
}

function describeNoOthers(list: string, reliances: readonly RelianceSummary[]): string {
  const expected = `Expected requests that rely on ${list ? `other gaps than ${list}` : 'a gap'}`
  if (reliances.length === 0) return `${expected}; they rely on none.`
  return `${expected}; they rely on no other:\n${listed(reliances.map(formatReliance), 20)}`
}

/** Formats a reliance: `threads.order, read last-message-desc, in 3 requests of threads.list`. */
function formatReliance({ gap, reading, operations, events = [], count }: RelianceSummary): string {
  const names = [...operations, ...events]
  const by = names.length === 0 ? '' : ` of ${names.join(', ')}`
  return `${gap}, read ${reading}, in ${countedWhere(operations, events, count)}${by}`
}

function countedWhere(operations: readonly string[], events: readonly string[], count: number): string {
  if (events.length === 0) return counted(count, 'request')
  if (operations.length === 0) return counted(count, 'delivery', 'deliveries')
  return `${count} requests and deliveries`
}

/** The result of a matcher; the message is shown when the assertion fails. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** A thing with the values that differ from the expected ones. */
interface Judged<Thing> {
  readonly thing: Thing
  readonly mismatches: readonly Mismatch[]
}

/** Compares each thing with the expected values. */
function judge<Thing>(
  things: readonly Thing[],
  mismatchesOf: (thing: Thing) => readonly Mismatch[],
): { readonly judged: readonly Judged<Thing>[]; readonly fitting: readonly Judged<Thing>[] } {
  const judged = things.map((thing) => ({ thing, mismatches: mismatchesOf(thing) }))
  return { judged, fitting: judged.filter(({ mismatches }) => mismatches.length === 0) }
}

/** Returns whether the expected number of things fit: exactly `times`, or at least one. */
function isExpectedNumber(fitting: number, times: number | undefined): boolean {
  return times === undefined ? fitting > 0 : fitting === times
}

/** Describes the expected number: `a request`, `no request`, `exactly 2 requests`, `not exactly 2 requests`. */
function describeNumber(pass: boolean, times: number | undefined, one: string, many = `${one}s`): string {
  if (times === undefined) return `${pass ? 'no' : 'a'} ${one}`
  return `${pass ? 'not ' : ''}exactly ${counted(times, one, many)}`
}

/** Describes the number that fit: `none fits`, `1 fits`, `2 fit`. */
function describeFitting(fitting: number): string {
  return fitting === 0 ? 'none fits' : `${fitting} ${fitting === 1 ? 'fits' : 'fit'}`
}

/** Formats a thing with a mark that shows whether it fits, followed by lines about it. */
function formatJudged(title: string, fits: boolean, lines: readonly string[]): string {
  return [`${fits ? '✓' : '✗'} ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Wraps a matcher so that its message has the secrets of the world masked. */
function masked<Arguments extends readonly unknown[]>(
  matcher: (received: unknown, ...args: Arguments) => MatcherResult,
): (received: unknown, ...args: Arguments) => MatcherResult {
  return (received, ...args) => {
    const { pass, message } = matcher(received, ...args)
    return { pass, message: () => (received as Simulator).masker.text(message()) }
  }
}

/** Returns the simulator that was passed to a matcher or function. @throws TypeError when it is something else */
export function simulatorIn(received: unknown, call: string): Simulator {
  const { journal, threads, reliances } = (received ?? {}) as Partial<Simulator>
  if (journal && threads && typeof reliances === 'function') return received as Simulator
  const type = received === null ? 'null' : typeof received
  throw new TypeError(
    `${call} looks at a simulator, not ${type}; give it the mailbox of the test, or what createSimulator or listen returns.`,
  )
}

/** Indents the first few blocks of text, and adds the number of the others. */
export function listed(blocks: readonly string[], shown: number): string {
  const rest = blocks.length - shown
  return [...blocks.slice(0, shown), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}

/** Explains that a world received no request, and which requests went to the first world instead. */
export function noRequests(mailbox: Simulator): string {
  const none = `No request has come to ${mailbox.id}`
  const [first] = mailbox.worlds()
  const strays = first === undefined || first.id === mailbox.id ? [] : first.journal.exchanges()
  const last = strays.at(-1)
  if (!first || !last) return `${none}; does the client use mailbox.baseUrl and mailbox.apiKey?`
  const came = `${counted(strays.length, 'request')} came to ${first.id}, the last ${formatExchange(last)}`
  return `${none}; ${came}. Does the client use mailbox.apiKey?`
}
