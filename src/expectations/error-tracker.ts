import { counted } from '../contract/text.js'
import { type AnsweredRequest, type ErrorsExpectation, replacesOperation } from '../world/index.js'
import { type Candidate, describeCandidate, toCandidate } from './nearest-exchange.js'
import type { Observation, RunFacts, Tracker, TrackerResult } from './tracker.js'

/** Looks for answers with a 4xx status, except those that a fault gave in place of the service. */
export class ErrorTracker implements Tracker {
  readonly expected: string
  readonly cameTrueAt = undefined
  readonly #except: readonly number[]
  readonly #facts: RunFacts
  readonly #counts = new Map<number, number>()
  #first: { readonly candidate: Candidate; readonly differences: readonly string[] } | undefined

  constructor({ except }: ErrorsExpectation, facts: RunFacts) {
    this.#except = except
    this.#facts = facts
    this.expected = `no answer with a 4xx status${except.length === 0 ? '' : ` but ${except.join(', ')}`}`
  }

  get decided(): boolean {
    return this.#first !== undefined
  }

  observe(observation: Observation): void {
    if (observation.type !== 'exchange') return
    const { exchange, moment, answer } = observation
    const { status } = exchange
    if (!isMistake(exchange) || this.#except.includes(status)) return
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    this.#first ??= {
      candidate: toCandidate(exchange, moment),
      differences: this.#differences(exchange, answer()),
    }
  }

  evaluate(): TrackerResult {
    const { requests } = this.#facts
    if (requests === 0) return { passed: true, found: 'no request came', nearest: null }
    const all = counted(requests, 'request')
    const first = this.#first
    if (!first) return { passed: true, found: `none in ${all}`, nearest: null }
    const counts = [...this.#counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} ${times(count)}`)
    return {
      passed: false,
      at: first.candidate.moment.at,
      found: `${counts.join(', ')} in ${all}`,
      nearest: describeCandidate(first.candidate, first.differences),
    }
  }

  #differences({ status, near_miss }: AnsweredRequest, body: string | null): string[] {
    const but = this.#except.length === 0 ? '' : ` but ${this.#except.join(', ')}`
    return [
      `status: expected none from 400 to 499${but}, found ${status}`,
      ...(near_miss === null ? [] : [near_miss]),
      ...(body === null || body === '' ? [] : [`answer: ${showBody(body)}`]),
    ]
  }
}

/** Tells whether the client made a mistake: a status that a fault gave does not say so. */
function isMistake({ status, fault }: AnsweredRequest): boolean {
  return status >= 400 && status <= 499 && !(fault && replacesOperation(fault))
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

/** Shows the body of an answer in a line, cut if it is long. */
function showBody(body: string): string {
  const text = body.replace(/\s+/g, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
