import { counted } from '../../contract/counted.js'
import { differencesBetween } from './differences.js'
import type { Tape, TapedRequest } from './tape.js'
import { stableRequest, type Volatile } from './volatile.js'

/** Where a run first differs from its tape. */
export interface TapeDifference {
  /** The line of the tape; of the end of the file, where the run goes on after it. */
  readonly line: number
  /** The number of the request in the run, from 1; null where the run had ended by then. */
  readonly request: number | null
  /** What the tape has there; null where it had ended by then. */
  readonly expected: TapedRequest | null
  readonly found: TapedRequest | null
  /** What is not the same, a line each: `query.offset: expected "50", found "100"`. */
  readonly differences: readonly string[]
}

/** What became of the comparison of a run with a tape. */
export interface TapeOutcome {
  /** The tape, as it was named. */
  readonly file: string
  /** How many requests it holds. */
  readonly requests: number
  readonly same: boolean
  readonly difference: TapeDifference | null
}

/** Compares an agent's requests with those of a tape, as they come. */
export class TapeComparison {
  readonly #tape: Tape
  readonly #volatile: Volatile
  readonly #expected: Tape['requests']
  #next = 0
  #count = 0
  #before: string | undefined
  #difference: TapeDifference | null = null

  constructor(tape: Tape, volatile: Volatile) {
    this.#tape = tape
    this.#volatile = volatile
    this.#expected = tape.requests.filter(({ request }, index) => {
      return !this.#repeats(request, tape.requests[index - 1]?.request)
    })
  }

  /** Takes the next request of the run. */
  take(request: TapedRequest): void {
    this.#count++
    const key = this.#keyOf(request)
    const repeated = this.#volatile.repeats && key === this.#before
    this.#before = key
    if (this.#difference || repeated) return
    const expected = this.#expected[this.#next++]
    if (expected && key === this.#keyOf(expected.request)) return
    this.#difference = {
      line: expected?.line ?? this.#endOfTape,
      request: this.#count,
      expected: expected?.request ?? null,
      found: request,
      differences: this.#explain(expected?.request, request),
    }
  }

  /** What became of it, now that no further request comes. */
  end(): TapeOutcome {
    const { file, requests } = this.#tape
    const missing = this.#expected[this.#next]
    if (missing && !this.#difference) {
      const { line, request: expected } = missing
      const differences = this.#explain(expected, undefined)
      this.#difference = { line, request: null, expected, found: null, differences }
    }
    const difference = this.#difference
    return { file, requests: requests.length, same: difference === null, difference }
  }

  #explain(expected: TapedRequest | undefined, found: TapedRequest | undefined): string[] {
    if (!found) {
      const left = this.#expected.length - this.#next
      return [`the run ended here; the tape goes on with ${counted(left, 'more request')}`]
    }
    const before = this.#expected[this.#next - 2]?.request
    const hint = this.#isSame(found, before)
      ? ['it is the request before once more, which --volatile repeats lets pass']
      : []
    if (!expected) return ['the tape ends here; the run goes on', ...hint]
    const stable = (request: TapedRequest): TapedRequest => stableRequest(request, this.#volatile)
    return [...differencesBetween(stable(expected), stable(found)), ...hint]
  }

  #repeats(request: TapedRequest, before: TapedRequest | undefined): boolean {
    return this.#volatile.repeats && this.#isSame(request, before)
  }

  #isSame(request: TapedRequest, other: TapedRequest | undefined): boolean {
    return other !== undefined && this.#keyOf(request) === this.#keyOf(other)
  }

  #keyOf(request: TapedRequest): string {
    return canonical(stableRequest(request, this.#volatile))
  }

  get #endOfTape(): number {
    return (this.#tape.requests.at(-1)?.line ?? 1) + 1
  }
}

/** A value as JSON, the same for the same fields in any order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
