import { counted } from '../contract/text.js'
import { type ExchangeMatch, exchangeMismatches } from '../simulator/matching.js'
import type { AnsweredRequest, RequestCondition, RequestExpectation } from '../world/index.js'
import { type Candidate, describeCandidate, NearestExchange, toCandidate } from './nearest-exchange.js'
import { type Moment, TimeWindow } from './time-window.js'
import {
  describeAmount,
  describeExcess,
  type NearestMatch,
  type Observation,
  type RunFacts,
  type Tracker,
  type TrackerResult,
} from './tracker.js'
import { describeValues, type PatternTime, ValueMatcher, valueMatchers } from './value-matcher.js'

/** Counts the requests of an operation. */
export class RequestTracker implements Tracker {
  readonly expected: string
  readonly #expectation: RequestExpectation
  readonly #facts: RunFacts
  readonly #window: TimeWindow
  readonly #match: ExchangeMatch
  readonly #matchers: readonly ValueMatcher[]
  readonly #nearest = new NearestExchange()
  #count = 0
  #cameTrueAt: Moment | undefined
  /** The first that is one too many, the last that came too early, and the first that came too late. */
  #over: Candidate | undefined
  #early: Candidate | undefined
  #late: Candidate | undefined

  constructor(expectation: RequestExpectation, facts: RunFacts) {
    this.#expectation = expectation
    this.#facts = facts
    this.#window = new TimeWindow(expectation.window, facts.milestones)
    this.#match = matchOf(expectation, facts.patterns)
    const { path, query, body } = this.#match
    this.#matchers = [path, ...Object.values(query ?? {}), ...Object.values(body ?? {})].flatMap((value) =>
      value instanceof ValueMatcher ? value : [],
    )
    this.expected = describe(expectation, this.#window)
  }

  get cameTrueAt(): Moment | undefined {
    return this.#cameTrueAt
  }

  get decided(): boolean {
    const { most, least } = this.#expectation.amount
    return this.#over !== undefined || (most === null && this.#count >= least)
  }

  get problem(): string | undefined {
    return this.#matchers.find(({ problem }) => problem)?.problem
  }

  observe(observation: Observation): void {
    if (observation.type !== 'exchange') return
    const { exchange, moment } = observation
    const mismatches = exchangeMismatches(this.#match, exchange)
    if (mismatches.length > 0) {
      this.#nearest.offer(exchange, moment, mismatches)
      return
    }
    const place = this.#window.positionOf(moment)
    if (place === 'within') this.#add(exchange, moment)
    else if (place === 'early') this.#early = toCandidate(exchange, moment)
    else this.#late ??= toCandidate(exchange, moment)
  }

  evaluate(end: number): TrackerResult {
    const { least, most } = this.#expectation.amount
    const found = this.#found()
    const over = this.#over
    if (over) {
      const nearest = describeCandidate(over, [describeExcess(most ?? 0, 'request')])
      return { passed: false, at: over.moment.at, found, nearest }
    }
    const passed = this.#count >= least
    const at = passed && most === null ? this.#cameTrueAt?.at : this.#window.endBy(end)
    return { passed, at, found, nearest: passed ? null : this.#nearestMatch() }
  }

  #add(exchange: AnsweredRequest, moment: Moment): void {
    const { least, most } = this.#expectation.amount
    this.#count++
    if (this.#count === least) this.#cameTrueAt = moment
    if (most !== null && this.#count === most + 1) this.#over = toCandidate(exchange, moment)
  }

  #found(): string {
    const { requests } = this.#facts
    const came = requests === 0 ? 'no request came' : `${this.#count} of ${counted(requests, 'request')}`
    const { missing } = this.#window
    return missing === undefined ? came : `${came}; ${missing} did not come`
  }

  #nearestMatch(): NearestMatch | null {
    const nearest = this.#late ?? this.#early ?? this.#nearest.found
    return nearest ? describeCandidate(nearest, this.#window.differences(nearest.moment)) : null
  }
}

function matchOf({ operation, where }: RequestExpectation, time: PatternTime): ExchangeMatch {
  const { path, query, body, status } = where
  return {
    operation,
    ...(path !== undefined && { path: new ValueMatcher(path, time) }),
    ...(query && { query: valueMatchers(query, time) }),
    ...(body && { body: valueMatchers(body, time) }),
    ...(status !== undefined && { status }),
  }
}

function describe({ operation, where, amount }: RequestExpectation, window: TimeWindow): string {
  const values = describeCondition(where)
  const what = `${describeAmount(amount, 'request')} of ${operation}`
  return [what, values && `with ${values}`, window.describe()].filter((part) => part !== '').join(' ')
}

function describeCondition({ path, query = {}, body = {}, status }: RequestCondition): string {
  return describeValues({
    ...(path !== undefined && { path }),
    ...Object.fromEntries(Object.entries(query).map(([name, value]) => [`query.${name}`, value])),
    ...Object.fromEntries(Object.entries(body).map(([name, value]) => [`body.${name}`, value])),
    ...(status !== undefined && { status }),
  })
}
