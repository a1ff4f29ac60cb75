import { appendFileSync, writeFileSync } from 'node:fs'
import { counted } from '../../contract/text.js'
import { explainWriteError, type FileBeside, openBeside } from '../../reports/index.js'
import { formatMismatch, jsonOf } from '../../simulator/matching.js'
import type { Exchange } from '../../world/index.js'
import { canonicalJson } from '../../world/random.js'
import { TapeError } from '../errors.js'
import {
  checkTape,
  readTape,
  type Tape,
  type TapedRequest,
  type TapeHead,
  tapeFormat,
  tapeVersion,
  usuallyVolatile,
  type Volatile,
  volatileOf,
} from './tape.js'

/** Which tapes a replay uses. */
export interface TapeOptions {
  /** The file that the agent's requests are recorded to. */
  readonly record?: string | undefined
  /** The tape that the agent's requests are compared with. */
  readonly compare?: string | undefined
  /** Fields that may differ, in addition to those that the tape names. */
  readonly volatile?: readonly string[] | undefined
}

/** Records the requests of a replay, and compares them with an earlier recording. */
export class Tapes {
  readonly #compared: Tape | undefined
  readonly #record: string | undefined
  readonly #volatile: readonly string[]
  readonly #comparison: TapeComparison | undefined
  #recording: FileBeside | undefined

  /** Reads the tape to compare with; nothing is written yet. @throws TapeError */
  constructor({ record, compare, volatile = [] }: TapeOptions) {
    this.#volatile = volatile
    this.#record = record
    this.#compared = compare === undefined ? undefined : readTape(compare)
    const fields = volatileOf([...(this.#compared?.head.volatile ?? []), ...volatile], '--volatile')
    this.#comparison = this.#compared && new TapeComparison(this.#compared, fields)
  }

  /** Checks the tape against a scenario, and begins the recording. @throws TapeError */
  async begin({ scenario, seed }: Pick<TapeHead, 'scenario' | 'seed'>): Promise<void> {
    if (this.#compared) checkTape(this.#compared, { scenario, seed })
    if (this.#record === undefined) return
    const names = new Set([...(this.#compared?.head.volatile ?? usuallyVolatile), ...this.#volatile])
    this.#recording = await openBeside(this.#record).catch((error: Error) => this.#refuse(error))
    this.#write(writeFileSync, {
      format: tapeFormat,
      version: tapeVersion,
      scenario,
      seed,
      volatile: [...names],
    })
  }

  /** Takes the next request. @throws TapeError `unwritable` */
  take({ method, path, query, request }: Exchange): void {
    const taped = { method, path, query: { ...query }, body: jsonOf(request.body) as TapedRequest['body'] }
    this.#comparison?.take(taped)
    this.#write(appendFileSync, taped)
  }

  /** Ends the recording; returns the outcome of the comparison, null without one. @throws TapeError `unwritable` */
  async end(): Promise<TapeOutcome | null> {
    await this.#recording?.finish().catch((error: Error) => this.#refuse(error))
    return this.#comparison?.end() ?? null
  }

  /** Drops the recording, so that the file stays as it was; does nothing after its end. */
  async discard(): Promise<void> {
    await this.#recording?.discard()
  }

  #write(write: (path: string, text: string) => void, line: object): void {
    if (!this.#recording) return
    try {
      write(this.#recording.beside, `${JSON.stringify(line)}\n`)
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuse(error: unknown): never {
    const problem = `${this.#record}: the tape cannot be written: ${explainWriteError(error)}.`
    throw new TapeError('unwritable', problem, { cause: error })
  }
}

/** The first difference between a run and its tape. */
export interface TapeDifference {
  /** The line of the tape; the one after the last if the run continues past its end. */
  readonly line: number
  /** The number of the request in the run, from 1; null if the run ended earlier. */
  readonly request: number | null
  /** The request on the tape; null if the tape has ended. */
  readonly expected: TapedRequest | null
  readonly found: TapedRequest | null
  /** The differences, a line each: `query.offset: expected "50", found "100"`. */
  readonly differences: readonly string[]
}

/** The result of comparing a run with a tape. */
export interface TapeOutcome {
  /** The file of the tape, as the user named it. */
  readonly file: string
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
      const before = tape.requests[index - 1]?.request
      return !volatile.repeats || !before || this.#keyOf(request) !== this.#keyOf(before)
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

  /** Returns the result, after the last request. */
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
      return [`the run ended here; the tape has ${counted(left, 'more request')}`]
    }
    const before = this.#expected[this.#next - 2]?.request
    const isRepeated = before && this.#keyOf(found) === this.#keyOf(before)
    const hint = isRepeated ? ['it repeats the request before it, which --volatile repeats allows'] : []
    if (!expected) return ['the tape ends here; the run continues', ...hint]
    const stable = [expected, found].map((one) => stableRequest(one, this.#volatile)) as [
      TapedRequest,
      TapedRequest,
    ]
    return [...differencesBetween(...stable), ...hint]
  }

  #keyOf(request: TapedRequest): string {
    return canonicalJson(stableRequest(request, this.#volatile))
  }

  get #endOfTape(): number {
    return (this.#tape.requests.at(-1)?.line ?? 1) + 1
  }
}

const shownDifferences = 10

/** Lists the differences between two requests: `query.offset: expected "50", found "100"`. */
function differencesBetween(expected: TapedRequest, found: TapedRequest): string[] {
  const lines = (['method', 'path', 'query', 'body'] as const).flatMap((part) => {
    return compare(part, expected[part], found[part])
  })
  const more = lines.length - shownDifferences
  return more > 0 ? [...lines.slice(0, shownDifferences), `and ${more} more`] : lines
}

function compare(name: string, expected: unknown, found: unknown): string[] {
  if (isObject(expected) && isObject(found) && Array.isArray(expected) === Array.isArray(found)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)])
    return [...names].flatMap((key) => compare(`${name}.${key}`, expected[key], found[key]))
  }
  const isSame = JSON.stringify(expected) === JSON.stringify(found)
  // Absent values are reported as such; null is a value.
  return isSame ? [] : [formatMismatch({ name, expected: expected as never, found })]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns a request without what may differ. */
function stableRequest(request: TapedRequest, { places }: Volatile): TapedRequest {
  let { path, query, body } = request
  for (const [part, ...inside] of places) {
    if (part === 'path') path = ''
    else if (part === 'query') query = inside.length === 0 ? {} : without(query, inside)
    else body = inside.length === 0 ? null : without(body, inside)
  }
  return { method: request.method, path, query, body }
}

function without<Value extends TapedRequest['body']>(
  value: Value,
  [step, ...rest]: readonly string[],
): Value {
  if (step === undefined || typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).flatMap(([name, item]): [string, TapedRequest['body']][] => {
    if (step !== '*' && step !== name) return [[name, item]]
    return rest.length === 0 ? [] : [[name, without(item, rest)]]
  })
  return (Array.isArray(value) ? left.map(([, item]) => item) : Object.fromEntries(left)) as Value
}
