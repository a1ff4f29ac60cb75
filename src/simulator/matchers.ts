import { everyOperationName, gapOf } from '../contract/extensions.js'
import { type GapId, gapIds } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import { checkOptions } from '../contract/options.js'
import type { EventType, Thread } from '../contract/resources.js'
import { counted, nearestOf } from '../contract/text.js'
import type { Delivery, Exchange, RelianceSummary } from '../world/index.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  deliveryDistance,
  deliveryMismatches,
  explainDelivery,
  explainNone,
  formatDelivery,
  isGoingOn,
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

/** The matchers that `mailboxMatchers` adds to `expect(mailbox)`, for declaring them to TypeScript. */
export interface MailboxMatchers<Result = void> {
  /**
   * Requests of an operation came, with these values in them.
   * @example expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
   */
  toHaveRequested(operation: AnyOperationName, match?: RequestMatch): Result
  /**
   * A thread like that is in a mailbox now.
   * @example expect(mailbox).toHaveThread({ agent: 'support', subject: /refund/i, unread: false })
   */
  toHaveThread(description: ThreadDescription): Result
  /**
   * Subscriptions were told of an event, and their receivers have taken it unless another status is given.
   * @example expect(mailbox).toHaveDelivered('message.received', { url: 'http://agent.test/hook', times: 1 })
   */
  toHaveDelivered(event: EventType, description?: DeliveryDescription): Result
  /**
   * Requests came, and they relied on no silent point of the interface but these.
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

/** The wanted values of requests besides their operation. */
export interface RequestMatch extends Omit<ExchangeMatch, 'operation'> {
  /** How many requests are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

/** Whether requests of an operation came to a simulator, and with what. */
function toHaveRequested(
  received: unknown,
  operation: AnyOperationName,
  wanted: RequestMatch = {},
): MatcherResult {
  checkOptions('toHaveRequested', wanted, { ...exchangeOptions, times: 'number' })
  const { times, ...match } = wanted
  const mailbox = simulatorIn(received, 'toHaveRequested')
  const names = everyOperationName(mailbox.extensions)
  if (!names.includes(operation)) {
    throw new TypeError(`There is no operation "${operation}"${nearestOf(operation, names, '.')}`)
  }
  const { judged, fitting } = judge(mailbox.journal.exchanges(), (exchange) => {
    return exchangeMismatches({ operation, ...match }, exchange)
  })
  const pass = isWantedNumber(fitting.length, times)
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

/** A thread as the service would show it; what is left out may be anything. */
export interface ThreadDescription extends Readonly<Partial<Record<keyof Thread, Match>>> {
  /** The handle of the agent whose mailbox it is in. */
  readonly agent?: string
}

/** Whether a thread like that is in a mailbox of a simulator. */
function toHaveThread(received: unknown, { agent, ...fields }: ThreadDescription): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveThread')
  checkThreadFields(fields)
  const { judged, fitting } = judge(threadsOf(mailbox, agent), (thread) => {
    return Object.entries(fields).flatMap(([name, wanted]) => {
      return mismatches(name, wanted, thread[name as keyof Thread])
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
      const likest = listed(nearest(judged).map(formatThread), 3)
      return `Expected a ${described}.\n${counted(judged.length, 'thread')}, none of that kind; the nearest first:\n${likest}`
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

/** The wanted values of deliveries; the status is `succeeded` where none is given. */
export interface DeliveryDescription extends DeliveryMatch {
  /** How many deliveries are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

/** Whether subscriptions of a simulator were told of an event. */
function toHaveDelivered(
  received: unknown,
  event: EventType,
  { times, status = 'succeeded', ...rest }: DeliveryDescription = {},
): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveDelivered')
  const match: DeliveryMatch = { status, ...rest }
  checkDeliveryMatch(event, match)
  const { judged, fitting } = judge(mailbox.deliveries.list(), (delivery) => {
    return deliveryMismatches(event, match, delivery, mailbox.masker)
  })
  const pass = isWantedNumber(fitting.length, times)
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
  return explainDelivery(delivery, clock).map((line) => (isGoingOn(delivery) ? `${line} ${remedy}` : line))
}

/**
 * Whether the requests that came to a simulator, and the deliveries that came from it, relied on no other gaps than
 * these. Where none came, they did not: nothing has been shown then.
 */
function toHaveReliedOnlyOn(received: unknown, allowed: readonly GapId[]): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveReliedOnlyOn')
  const own = mailbox.extensions.gaps
  const known: readonly string[] = [...gapIds, ...own.keys()]
  for (const gap of allowed) {
    if (!known.includes(gap)) throw new TypeError(`There is no gap "${gap}"${nearestOf(gap, known, '.')}`)
  }
  const reliances = mailbox.reliances()
  const silent = mailbox.journal.exchanges().length === 0 && reliances.length === 0
  const beyond = reliances.filter(({ gap }) => !allowed.includes(gap as GapId))
  const list = allowed.join(', ')
  const wanted = `Expected requests that rely on no gap${list && ` but ${list}`}`
  return {
    pass: !silent && beyond.length === 0,
    message() {
      if (silent) return `${wanted}. ${noRequests(mailbox)}`
      if (beyond.length === 0) return unwanted(list, reliances)
      const found = counted(new Set(beyond.map(({ gap }) => gap)).size, list ? 'other gap' : 'gap')
      const blocks = beyond.map((one) => `${formatReliance(one)}\n    ${gapOf(one.gap, own)?.advice}`)
      return `${wanted}; they rely on ${found}:\n${listed(blocks, 20)}`
    },
  }
}

function unwanted(list: string, reliances: readonly RelianceSummary[]): string {
  const wanted = `Expected requests that rely on ${list ? `other gaps than ${list}` : 'a gap'}`
  if (reliances.length === 0) return `${wanted}; they rely on none.`
  return `${wanted}; they rely on no other:\n${listed(reliances.map(formatReliance), 20)}`
}

/** `threads.order, read last-message-desc, in 3 requests of threads.list`. */
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

/** The verdict of a matcher; the message is shown where it is not what was expected. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** A thing with the values in which it differs from what is wanted. */
interface Judged<Thing> {
  readonly thing: Thing
  readonly mismatches: readonly Mismatch[]
}

/** Compares each thing with what is wanted. */
function judge<Thing>(
  things: readonly Thing[],
  mismatchesOf: (thing: Thing) => readonly Mismatch[],
): { readonly judged: readonly Judged<Thing>[]; readonly fitting: readonly Judged<Thing>[] } {
  const judged = things.map((thing) => ({ thing, mismatches: mismatchesOf(thing) }))
  return { judged, fitting: judged.filter(({ mismatches }) => mismatches.length === 0) }
}

/** Tells whether as many fit as are wanted: exactly `times`, or at least one. */
function isWantedNumber(fitting: number, times: number | undefined): boolean {
  return times === undefined ? fitting > 0 : fitting === times
}

/** Describes how many are expected: `a request`, `no request`, `exactly 2 requests`, `not exactly 2 requests`. */
function describeNumber(pass: boolean, times: number | undefined, one: string, many = `${one}s`): string {
  if (times === undefined) return `${pass ? 'no' : 'a'} ${one}`
  return `${pass ? 'not ' : ''}exactly ${counted(times, one, many)}`
}

/** Describes how many fit: `none fits`, `1 fits`, `2 fit`. */
function describeFitting(fitting: number): string {
  return fitting === 0 ? 'none fits' : `${fitting} ${fitting === 1 ? 'fits' : 'fit'}`
}

/** Formats a thing with a mark that tells whether it fits, and lines about it. */
function formatJudged(title: string, fits: boolean, lines: readonly string[]): string {
  return [`${fits ? '✓' : '✗'} ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Masks the secrets of its world in the message of a matcher. */
function masked<Arguments extends readonly unknown[]>(
  matcher: (received: unknown, ...args: Arguments) => MatcherResult,
): (received: unknown, ...args: Arguments) => MatcherResult {
  return (received, ...args) => {
    const { pass, message } = matcher(received, ...args)
    return { pass, message: () => (received as Simulator).masker.text(message()) }
  }
}

/** Returns the simulator a matcher was given. @throws TypeError when it is something else */
export function simulatorIn(received: unknown, matcher: string): Simulator {
  const { journal, threads, reliances } = (received ?? {}) as Partial<Simulator>
  if (journal && threads && typeof reliances === 'function') return received as Simulator
  const given = received === null ? 'null' : typeof received
  throw new TypeError(
    `expect(mailbox).${matcher}() looks at a simulator, not ${given}; give it the mailbox of the test, or what createSimulator or listen returns.`,
  )
}

/** Indents the first few blocks of text, and says how many there are besides. */
export function listed(blocks: readonly string[], shown: number): string {
  const rest = blocks.length - shown
  return [...blocks.slice(0, shown), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}

/** Explains that no request has come, and which went to the first world instead. */
export function noRequests(mailbox: Simulator): string {
  const none = `No request has come to ${mailbox.id}`
  const [first] = mailbox.worlds()
  const strays = first === undefined || first.id === mailbox.id ? [] : first.journal.exchanges()
  const last = strays.at(-1)
  if (!first || !last) return `${none}; does the client use mailbox.baseUrl and mailbox.apiKey?`
  const came = `${counted(strays.length, 'request')} came to ${first.id}, the last ${formatExchange(last)}`
  return `${none}; ${came}. Does the client use mailbox.apiKey?`
}
