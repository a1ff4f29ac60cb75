import { counted } from '../contract/text.js'
import { type ExchangeMatch, exchangeMismatches } from '../simulator/matching.js'
import type { RequestCondition, RequestExpectation } from '../world/index.js'
import { type Candidate, describeCandidate, NearestExchange, toCandidate } from './nearest-exchange.js'
import { type Moment, TimeWindow } from './time-window.js'
import { describeAmount, describeExcess, type RunFacts, type Tracker } from './tracker.js'
import { describeValues, type PatternTime, problemOf, ValueMatcher, valueMatchers } from './value-matcher.js'

/** Counts the requests of an operation. */
export function trackRequests(expectation: RequestExpectation, facts: RunFacts): Tracker {
  const { least, most } = expectation.amount
  const window = new TimeWindow(expectation.window, facts.milestones)
  const match = matchOf(expectation, facts.patterns)
  const { path, query = {}, body = {} } = match
  const matchers = [path, ...Object.values(query), ...Object.values(Object(body))]
  const nearest = new NearestExchange()
  let count = 0
  let cameTrueAt: Moment | undefined
  /** The first above the limit, the last that came too early, and the first that came too late. */
  let over: Candidate | undefined
  let early: Candidate | undefined
  let late: Candidate | undefined

  function describeFound(): string {
    const { requests } = facts
    const came = requests === 0 ? 'no request came' : `${count} of ${counted(requests, 'request')}`
    const { missing } = window
    return missing === undefined ? came : `${came}; ${missing} did not come`
  }

  return {
    expected: describe(expectation, window),
    get cameTrueAt() {
      return cameTrueAt
    },
    get decided() {
      return over !== undefined || (most === null && count >= least)
    },
    get problem() {
      return problemOf(matchers)
    },
    observe(observation) {
      if (observation.type !== 'exchange') return
      const { exchange, moment } = observation
      const mismatches = exchangeMismatches(match, exchange)
      if (mismatches.length > 0) {
        nearest.offer(exchange, moment, mismatches)
        return
      }
      const place = window.positionOf(moment)
      if (place === 'early') early = toCandidate(exchange, moment)
      if (place === 'late') late ??= toCandidate(exchange, moment)
      if (place !== 'within') return
      count++
      if (count === least) cameTrueAt = moment
      if (most !== null && count === most + 1) over = toCandidate(exchange, moment)
    },
    evaluate(end) {
      const found = describeFound()
      if (over) {
        const excess = describeCandidate(over, [describeExcess(most ?? 0, 'request')])
        return { passed: false, at: over.moment.at, found, nearest: excess }
      }
      const passed = count >= least
      const at = passed && most === null ? cameTrueAt?.at : window.endBy(end)
      const closest = late ?? early ?? nearest.found
      if (passed || !closest) return { passed, at, found, nearest: null }
      const differences = window.differences(closest.moment)
      return { passed, at, found, nearest: describeCandidate(closest, differences) }
    },
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
