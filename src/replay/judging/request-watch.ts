import { counted } from '../../contract/counted.js'
import { type ExchangeMatch, exchangeMismatches } from '../../simulator/matching.js'
import type { AnsweredRequest, RequestCondition, RequestExpectation } from '../../world/index.js'
import { describeAmount, oneTooMany } from './amount.js'
import type { Moment } from './moment.js'
import { type Candidate, candidateOf, NearestExchange, nearestOf } from './nearest-exchange.js'
import { TimeWindow } from './time-window.js'
import { describeWanted, WantedValue, wantedValues } from './wanted-value.js'
import type { Finding, Nearest, News, Story, Watch } from './watch.js'

/** Watches requests of an operation. */
export class RequestWatch implements Watch {
  readonly expected: string
  readonly #expectation: RequestExpectation
  readonly #story: Story
  readonly #window: TimeWindow
  readonly #match: ExchangeMatch
  readonly #nearest = new NearestExchange()
  #count = 0
  #cameTrue: Moment | undefined
  /** The first that is one too many; the last that came too early, and the first that came too late. */
  #over: Candidate | undefined
  #early: Candidate | undefined
  #late: Candidate | undefined

  constructor(expectation: RequestExpectation, story: Story) {
    this.#expectation = expectation
    this.#story = story
    this.#window = new TimeWindow(expectation.window, story.moments)
    this.#match = matchOf(expectation)
    this.expected = describe(expectation, this.#window)
  }

  get cameTrue(): Moment | undefined {
    return this.#cameTrue
  }

  get decided(): boolean {
    const { most, least } = this.#expectation.amount
    return this.#over !== undefined || (most === null && this.#count >= least)
  }

  take(news: News): void {
    if (news.type !== 'exchange') return
    const { exchange, moment } = news
    const mismatches = exchangeMismatches(this.#match, exchange)
    if (mismatches.length > 0) {
      this.#nearest.offer(exchange, moment, mismatches)
      return
    }
    const place = this.#window.placeOf(moment)
    if (place === 'within') this.#add(exchange, moment)
    else if (place === 'early') this.#early = candidateOf(exchange, moment)
    else this.#late ??= candidateOf(exchange, moment)
  }

  judge(end: number): Finding {
    const { least, most } = this.#expectation.amount
    const found = this.#found()
    const over = this.#over
    if (over) {
      const nearest = nearestOf(over, [oneTooMany(most ?? 0, 'request')])
      return { passed: false, at: over.moment.at, found, nearest }
    }
    const passed = this.#count >= least
    const at = passed && most === null ? this.#cameTrue?.at : this.#window.endBy(end)
    return { passed, at, found, nearest: passed ? null : this.#whatCameNearest() }
  }

  #add(exchange: AnsweredRequest, moment: Moment): void {
    const { least, most } = this.#expectation.amount
    this.#count++
    if (this.#count === least) this.#cameTrue = moment
    if (most !== null && this.#count === most + 1) this.#over = candidateOf(exchange, moment)
  }

  #found(): string {
    const { requests } = this.#story
    const came = requests === 0 ? 'no request came' : `${this.#count} of ${counted(requests, 'request')}`
    const { missing } = this.#window
    return missing === undefined ? came : `${came}; ${missing} did not come`
  }

  #whatCameNearest(): Nearest | null {
    const nearest = this.#late ?? this.#early ?? this.#nearest.found
    return nearest ? nearestOf(nearest, this.#window.differences(nearest.moment)) : null
  }
}

function matchOf({ operation, where }: RequestExpectation): ExchangeMatch {
  const { path, query, body, status } = where
  return {
    operation,
    ...(path !== undefined && { path: new WantedValue(path) }),
    ...(query && { query: wantedValues(query) }),
    ...(body && { body: wantedValues(body) }),
    ...(status !== undefined && { status }),
  }
}

function describe({ operation, where, amount }: RequestExpectation, window: TimeWindow): string {
  const values = describeCondition(where)
  const what = `${describeAmount(amount, 'request')} of ${operation}`
  return [what, values && `with ${values}`, window.describe()].filter((part) => part !== '').join(' ')
}

function describeCondition({ path, query = {}, body = {}, status }: RequestCondition): string {
  return describeWanted({
    ...(path !== undefined && { path }),
    ...Object.fromEntries(Object.entries(query).map(([name, value]) => [`query.${name}`, value])),
    ...Object.fromEntries(Object.entries(body).map(([name, value]) => [`body.${name}`, value])),
    ...(status !== undefined && { status }),
  })
}
