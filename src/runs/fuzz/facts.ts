import { once } from '../../base/once.js'
import type { GapId } from '../../contract/gaps.js'
import { type AnyOperationName, limits as contractLimits } from '../../contract/operations.js'
import type { Fault } from '../../service/faults/fault.js'
import { canonicalJson } from '../../service/time/random.js'
import { parseInstant } from '../../service/time/time.js'
import type { Delivery } from '../../service/webhooks/delivery.js'
import { writeOf } from '../../story/expectations/exchanges.js'
import type { ExpectationResult } from '../../story/expectations/result.js'
import { describeWait } from '../pace/asked-wait.js'
import type { Play } from '../play.js'
import { type LateNews, lateNewsOf } from './late-news.js'
import { answeredPeople, type Outcome, outcomeOf } from './outcome.js'
import type { RequestNumber } from './request-number.js'

/** How a client ended. */
export interface ClientEnd {
  /** Whether it ended by itself with success, or was still running when the story had ended. */
  readonly passed: boolean
  /** Whether it ended by itself. */
  readonly ended: boolean
  /** Why it did not pass, in a line; null if it did. */
  readonly why: string | null
  /**
   * The wait required by a response that was in progress when the story ended, so that verdicts are missing;
   * null if there was none.
   */
  readonly waiting?: string | null
}

/** An assumption that responses or deliveries of a run relied on. */
export interface ReliedAssumption {
  readonly gap: GapId
  readonly assumption: string
  readonly instead: readonly string[]
}

/** A request, and when it came, in milliseconds after the start. */
export interface AskedRequest extends RequestNumber {
  readonly after: number
}

/** The facts of a client's run through a story. */
export interface PlayedStory extends ClientEnd {
  readonly verdicts: readonly ExpectationResult[]
  /** The number of requests, in total and of each operation. */
  readonly requests: number
  readonly operations: ReadonlyMap<AnyOperationName, number>
  /** Each request of an operation, in order. */
  readonly asked: readonly AskedRequest[]
  /** How often the most frequent request was sent. */
  readonly repeats: number
  /** Limits of the pages of threads that it asked for. */
  readonly limits: ReadonlySet<number>
  /** The agents whose mail it listed; empty if it listed the mail of all agents. */
  readonly agents: ReadonlySet<string>
  readonly relied: readonly ReliedAssumption[]
  /** The faults that hit a request, in their written form. */
  readonly faults: ReadonlySet<string>
  /** The names of the entries that happened as written. */
  readonly happened: ReadonlySet<string>
  /** Its distinct writes, sorted. */
  readonly writes: readonly string[]
  readonly repeatedWrites: boolean
  /** How many requests of it sent mail. */
  readonly mails: number
  /** Whether it sent mail with several equal requests. */
  readonly repeatedMail: boolean
  /** Whether it sent an `Idempotency-Key`. */
  readonly sendsKeys: boolean
  readonly deliveries: readonly Delivery[]
  /** What it did by the end. */
  outcome(): Outcome
  /** The addresses of the people to whose mail it replied. */
  answered(): ReadonlySet<string>
  /** The moments at which newer mail stays unread before it answers. */
  lateNews(): readonly LateNews[]
}

const defaultLimit = contractLimits['threads.list'].limit.default

/** Collects the facts of a play. */
export function playedStoryOf({ simulator, agent, waiting, verdicts }: Play): PlayedStory {
  const counts = new Map<AnyOperationName, number>()
  const equal = new Map<string, number>()
  const limits = new Set<number>()
  const agents = new Set<string>()
  let isOfAll = false
  const relied = new Map<string, ReliedAssumption>()
  const faults = new Set<string>()
  const writes: string[] = []
  const asked: AskedRequest[] = []
  const sent: string[] = []
  const start = parseInstant(simulator.start) as number
  let sendsKeys = false
  const entries = simulator.journal.entries()
  for (const entry of entries) {
    const { at, operation, method, path, search, requestBody, requestHeaders, reliances, fault } =
      entry.recorded
    if (operation === null) continue
    sendsKeys ||= requestHeaders.get('idempotency-key') !== undefined
    const nth = (counts.get(operation) ?? 0) + 1
    counts.set(operation, nth)
    asked.push({ request: operation, nth, after: at - start })
    const key = `${method} ${path}${search} ${requestBody ?? ''}`
    equal.set(key, (equal.get(key) ?? 0) + 1)
    if (simulator.sentBy([entry]).length > 0) sent.push(key)
    if (operation === 'threads.list') {
      const query = new URLSearchParams(search)
      const agent = query.get('agent')
      if (agent === null) isOfAll = true
      else agents.add(agent.replace(/^@/, ''))
      limits.add(Number(query.get('limit') ?? defaultLimit))
    }
    for (const reliance of reliances) addReliance(relied, reliance)
    if (fault) faults.add(nameOfFault(fault))
    if (method !== 'GET') {
      const exchange = entry.showRequest()
      const write = writeOf({ type: 'exchange', exchange } as Parameters<typeof writeOf>[0])
      if (write !== undefined) writes.push(write)
    }
  }
  const deliveries = simulator.deliveries.list()
  for (const delivery of deliveries) for (const reliance of delivery.reliances) addReliance(relied, reliance)
  const distinct = [...new Set(writes)].sort()
  return {
    passed: agent?.passed !== false,
    ended: agent?.ended === 'by-itself',
    why: agent?.why ?? null,
    waiting: waiting && describeWait(waiting),
    verdicts: verdicts.filter(({ index }) => !waiting?.not_judged.includes(index)),
    requests: entries.length,
    operations: counts,
    asked,
    repeats: Math.max(0, ...equal.values()),
    limits,
    agents: isOfAll ? new Set() : agents,
    relied: [...relied.values()],
    faults,
    happened: new Set(
      simulator.timeline.played().flatMap(({ name, problem }) => (problem === null ? [name] : [])),
    ),
    writes: distinct,
    repeatedWrites: distinct.length < writes.length,
    mails: sent.length,
    repeatedMail: new Set(sent).size < sent.length,
    sendsKeys,
    deliveries,
    // When it is needed, since most plays are judged without it.
    outcome: once(() => outcomeOf(simulator)),
    answered: once(() => answeredPeople(simulator)),
    lateNews: once(() => lateNewsOf(simulator, asked)),
  }
}

function addReliance(
  relied: Map<string, ReliedAssumption>,
  { gap, assumption, instead }: ReliedAssumption,
): void {
  const key = `${gap}=${assumption}`
  const before = relied.get(key)
  if (!before) relied.set(key, { gap, assumption, instead })
  else if (instead.some((name) => !before.instead.includes(name))) {
    relied.set(key, { gap, assumption, instead: [...new Set([...before.instead, ...instead])] })
  }
}

/** Returns a name for a fault that does not depend on its id. */
export function nameOfFault({ id: _, ...fault }: Fault & { readonly id?: string }): string {
  return canonicalJson(fault)
}
