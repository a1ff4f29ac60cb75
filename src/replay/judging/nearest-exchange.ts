import { formatExchange } from '../../simulator/exchange-line.js'
import { distanceOf } from '../../simulator/matchers/nearness.js'
import { formatMismatch, type Mismatch } from '../../simulator/matching.js'
import { type AnsweredRequest, formatInstant } from '../../world/index.js'
import type { Moment } from './moment.js'
import { WantedValue } from './wanted-value.js'
import type { Nearest } from './watch.js'

/** An exchange that is not, or not quite, one that is meant; kept as what a report shows of it. */
export interface Candidate {
  readonly moment: Moment
  readonly line: string
  /** Its number in the journal. */
  readonly number: number
  readonly differences: readonly string[]
}

/** An exchange with what keeps it from being one that is meant. */
export function candidateOf(
  exchange: AnsweredRequest,
  moment: Moment,
  mismatches: readonly Mismatch[] = [],
): Candidate {
  // What an unmatched request came closest to says more than that it met no operation.
  const meant = exchange.operation === null ? exchange.near_miss : null
  const differences = mismatches.map((mismatch) => {
    return mismatch.name === 'operation' && meant !== null ? meant : formatMismatch(mismatch)
  })
  return { moment, line: formatExchange(exchange), number: exchange.seq, differences }
}

/** How a report shows an exchange. */
export function nearestOf(
  { moment, line, number, differences }: Candidate,
  more: readonly string[] = [],
): Nearest {
  return { line, exchange: number, at: formatInstant(moment.at), differences: [...differences, ...more] }
}

/** Keeps the exchange with the fewest differences; of equals, that whose values are most alike, then the first. */
export class NearestExchange {
  #best: Candidate | undefined
  #rank: readonly number[] = []

  /** The nearest so far. */
  get found(): Candidate | undefined {
    return this.#best
  }

  /** Takes in an exchange that differs. */
  offer(exchange: AnsweredRequest, moment: Moment, mismatches: readonly Mismatch[]): void {
    // One of another operation may have fewer parameters to differ in, and is further off all the same.
    const isOther = mismatches.some(({ name }) => name === 'operation')
    const rank = [isOther ? 1 : 0, mismatches.length, distanceOf(mismatches.map(asText))]
    if (this.#best && !isLess(rank, this.#rank)) return
    this.#best = candidateOf(exchange, moment, mismatches)
    this.#rank = rank
  }
}

/** With the text that was wanted, so that it can be told how like it another one is. */
function asText({ wanted, ...rest }: Mismatch): Mismatch {
  return { ...rest, wanted: wanted instanceof WantedValue ? (wanted.text ?? null) : wanted }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, index) => value !== b[index])
  return place >= 0 && (a[place] as number) < (b[place] as number)
}
