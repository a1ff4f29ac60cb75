import { counted } from '../../base/text.js'
import { formatInstant } from '../../service/time/time.js'
import { type Difference, distanceOf } from './match.js'
import { type Moment, type StoryWindow, TimeWindow } from './time-window.js'
import type { Amount, NearestMatch, Observation, RunFacts, Tracker, TrackerResult } from './tracker.js'

/** Returns whether a number is as expected. */
function isExpected({ least, most }: Amount, count: number): boolean {
  return count >= least && (most === null || count <= most)
}

/** Compares things of one kind, such as requests, with what is expected of them, and describes them. */
export interface Judge<Thing> {
  /** The noun for the things: one, and several. */
  readonly nouns: readonly [one: string, several: string]
  /** What happens to a thing; `came` by default. */
  readonly verb?: string
  /** Whether a thing may still become what is expected. */
  readonly mayChange?: true
  /** What is expected, after the noun: `of threads.list with query.agent "support"`. */
  readonly expected: string
  /** Returns the values of a thing that differ from the expected ones. */
  compare(thing: Thing): readonly Difference[]
  /** Formats a thing in a line. */
  line(thing: Thing): string
  /** Returns a thing as users see it; unchanged by default. */
  show?(thing: Thing): unknown
  /** Describes how a thing differs, with a line for each value. */
  differences(thing: Thing, differing: readonly Difference[]): readonly string[]
}

/** A thing that almost matches, reduced to what a report shows. */
interface Candidate {
  readonly moment: Moment
  readonly began: Moment
  readonly shown: NearestMatch
}

/** A thing that happened, and the number of the request that caused it. */
interface Happening<Thing> {
  readonly thing: Thing
  readonly exchange: number | null
  /** When it began, if that was before it became what counts. */
  readonly began?: Moment
}

/** The maximum number of things that a surplus shows. */
const maxShown = 20

/** The maximum number of things that match which are kept for whoever asks for them. */
const maxKept = 1_000

/** Returns the things that an observation shows. */
type HappeningsIn<Thing> = (observation: Observation) => readonly Happening<Thing>[]

/** Counts the things within a window that match; keeps the nearest of the others. */
export class Counter<Thing> implements Tracker {
  /** What is expected, in words. */
  readonly expected: string
  /** The number of things that match within the window. */
  count = 0
  /** The number of things so far, and the first that match. */
  #seen = 0
  readonly #matching: Thing[] = []
  readonly #happeningsIn: HappeningsIn<Thing>
  readonly #judge: Judge<Thing>
  readonly #amount: Amount
  readonly #window: TimeWindow
  /** The first above the limit, the last that came too early, and the first that came too late. */
  #over: Candidate | undefined
  #early: Candidate | undefined
  #late: Candidate | undefined
  #nearest: Candidate | undefined
  #distance = Number.POSITIVE_INFINITY
  /** The first that match, in one line each, if there may be too many. */
  readonly #fitting: string[] = []

  constructor(
    judge: Judge<Thing>,
    { amount, window }: { readonly amount: Amount; readonly window: StoryWindow },
    { milestones }: RunFacts,
    happeningsIn: HappeningsIn<Thing>,
    options?: ConstructorParameters<typeof TimeWindow>[2],
  ) {
    this.#judge = judge
    this.#happeningsIn = happeningsIn
    this.#amount = amount
    this.#window = new TimeWindow(window, milestones, options)
    const [one, several] = judge.nouns
    const parts = [describeAmount(amount, one, several), judge.expected, this.#window.describe()]
    this.expected = parts.filter((part) => part !== '').join(' ')
  }

  /** Whether no further thing changes the result. */
  get decided(): boolean {
    const { least, most } = this.#amount
    return this.#over !== undefined || (most === null && this.count >= least)
  }

  /** The first things that match, as users see them. */
  get matching(): readonly unknown[] {
    const { show } = this.#judge
    return show ? this.#matching.map(show) : this.#matching
  }

  observe(observation: Observation): void {
    for (const happening of this.#happeningsIn(observation)) this.note(happening, observation.moment)
  }

  /** Notes a thing that happened at a moment. */
  note({ thing, exchange, began: since }: Happening<Thing>, moment: Moment): void {
    const { most } = this.#amount
    this.#seen++
    const differing = this.#judge.compare(thing)
    const began = since ?? moment
    const candidate = (): Candidate => {
      const differences = this.#judge.differences(thing, differing)
      const shown = { line: this.#judge.line(thing), exchange, at: formatInstant(began.at), differences }
      return { moment, began, shown }
    }
    if (differing.length > 0) {
      const distance = distanceOf(differing)
      if (distance >= this.#distance) return
      this.#nearest = candidate()
      this.#distance = distance
      return
    }
    const place = this.#window.positionOf(moment, began)
    if (place === 'early') this.#early = candidate()
    if (place === 'late') this.#late ??= candidate()
    if (place !== 'within') return
    this.count++
    if (this.count <= maxKept) this.#matching.push(thing)
    if (most !== null && this.#fitting.length < maxShown)
      this.#fitting.push(`${this.count}. ${this.#judge.line(thing)}`)
    if (most !== null && this.count === most + 1) this.#over = candidate()
  }

  /** Returns the result for a play that ends at an instant; `came` says what came, by default in numbers. */
  evaluate(end: number, came = this.#came()): TrackerResult {
    const [one] = this.#judge.nouns
    const { missing } = this.#window
    const found = missing === undefined ? came : `${came}; ${missing} did not come`
    if (this.#over) {
      const { moment, shown } = this.#over
      const more = this.count - this.#fitting.length
      const all = [...this.#fitting, ...(more > 0 ? [`and ${more} more`] : [])]
      const excess = [describeExcess(this.#amount, one), ...(this.count > 1 ? all : [])]
      const differences = [...shown.differences, ...excess]
      return { passed: false, at: moment.at, found, nearest: { ...shown, differences, surplus: true } }
    }
    const passed = isExpected(this.#amount, this.count)
    const at = this.#window.endBy(end)
    // If some match, the differences of others do not matter, unless those may still become what is expected.
    const closest =
      this.#late ?? this.#early ?? (this.count > 0 && !this.#judge.mayChange ? undefined : this.#nearest)
    if (passed || !closest) return { passed, at, found, nearest: null }
    const { moment, began, shown } = closest
    const differences = [...shown.differences, ...this.#window.differences(moment, began)]
    return { passed, at, found, nearest: { ...shown, differences } }
  }

  #came(): string {
    const [one, several] = this.#judge.nouns
    if (this.#seen === 0) return `no ${one} ${this.#judge.verb ?? 'came'}`
    return `${this.count} of ${counted(this.#seen, one, several)}`
  }
}

/** Describes an expected number: `at least 1 request`, `no request`. */
function describeAmount({ least, most }: Amount, one: string, several: string): string {
  if (most === null) return `at least ${counted(least, one, several)}`
  if (most === 0) return `no ${one}`
  if (least === most) return `exactly ${counted(most, one, several)}`
  if (least === 0) return `at most ${counted(most, one, several)}`
  return `${least} to ${counted(most, one, several)}`
}

/** Explains that something exceeds the limit by one. */
function describeExcess({ most }: Amount, one: string): string {
  return most === null || most === 0
    ? `expected no such ${one}; this is the first`
    : `expected at most ${most} of them; this is number ${most + 1}`
}
