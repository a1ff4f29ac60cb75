import { distanceOf, formatExchange, formatMismatch, type Mismatch } from '../simulator/matching.js'
import { type AnsweredRequest, formatInstant } from '../world/index.js'
import type { Moment } from './time-window.js'
import type { NearestMatch } from './tracker.js'
import { ValueMatcher } from './value-matcher.js'

/** An exchange that almost fits, reduced to what a report shows. */
export interface Candidate {
  readonly moment: Moment
  readonly line: string
  readonly number: number
  readonly differences: readonly string[]
}

/** Creates a candidate from an exchange and its mismatches. */
export function toCandidate(
  exchange: AnsweredRequest,
  moment: Moment,
  mismatches: readonly Mismatch[] = [],
): Candidate {
  // The near miss says more than that the request matched no operation.
  const meant = exchange.operation === null ? exchange.near_miss : null
  const differences = mismatches.map((mismatch) => {
    return mismatch.name === 'operation' && meant !== null ? meant : formatMismatch(mismatch)
  })
  return { moment, line: formatExchange(exchange), number: exchange.seq, differences }
}

/** Describes a candidate as the nearest match. */
export function describeCandidate(
  { moment, line, number, differences }: Candidate,
  more: readonly string[] = [],
): NearestMatch {
  return { line, exchange: number, at: formatInstant(moment.at), differences: [...differences, ...more] }
}

/** Keeps the exchange with the fewest differences; on a tie, the one with the most similar values, then the first. */
export class NearestExchange {
  #best: Candidate | undefined
  #rank: readonly number[] = []

  /** The nearest exchange so far. */
  get found(): Candidate | undefined {
    return this.#best
  }

  /** Considers an exchange with mismatches. */
  offer(exchange: AnsweredRequest, moment: Moment, mismatches: readonly Mismatch[]): void {
    // An exchange of another operation may have fewer parameters to differ in, and is still further away.
    const isOther = mismatches.some(({ name }) => name === 'operation')
    // Similarity is measured by the text that a matcher looks for.
    const texts = mismatches.map(({ expected, ...rest }) => {
      return { ...rest, expected: expected instanceof ValueMatcher ? (expected.text ?? null) : expected }
    })
    const rank = [isOther ? 1 : 0, mismatches.length, distanceOf(texts)]
    if (this.#best && !isLess(rank, this.#rank)) return
    this.#best = toCandidate(exchange, moment, mismatches)
    this.#rank = rank
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, index) => value !== b[index])
  return place >= 0 && (a[place] as number) < (b[place] as number)
}
