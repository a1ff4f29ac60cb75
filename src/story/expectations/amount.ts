import { counted } from '../../base/text.js'
import { formatInstant } from '../../service/time/time.js'
import type { Judge } from './judge.js'
import { type Moment, type StoryWindow, TimeWindow } from './time-window.js'
import type { NearestMatch, Observation, RunFacts, Tracker } from './tracker.js'
import { distanceOf } from './values.js'

/** The expected number. */
export interface Amount {
  readonly least: number
  /** Null when there is no limit. */
  readonly most: number | null
}

/** Returns what expectations of a number of things have in common. */
export function countsAsAct<One extends { readonly amount: Amount }>() {
  return {
    isWork: ({ amount }: One): boolean => amount.least > 0,
    asAct: { contrary: (one: One): One => ({ ...one, amount: { least: 0, most: 0 } }) },
  }
}

/** A thing that almost matches, reduced to what a report shows. */
interface Candidate {
  readonly moment: Moment
  readonly shown: NearestMatch
}

/** A thing that happened, and the number of the request that caused it. */
interface Happening<Thing> {
  readonly thing: Thing
  readonly exchange: number
}

/** The maximum number of things that a surplus shows. */
const maxShown = 20

/**
 * Counts the things within a window that match, each of which happens once; keeps the nearest of the others.
 */
export function trackAmount<Thing>(
  judge: Judge<Thing>,
  { amount, window: span }: { readonly amount: Amount; readonly window: StoryWindow },
  { milestones }: RunFacts,
  happeningsIn: (observation: Observation) => readonly Happening<Thing>[],
): Tracker {
  const { least, most } = amount
  const [one, several] = judge.nouns
  const window = new TimeWindow(span, milestones)
  let seen = 0
  let count = 0
  let cameTrueAt: Moment | undefined
  /** The first above the limit, the last that came too early, and the first that came too late. */
  let over: Candidate | undefined
  let early: Candidate | undefined
  let late: Candidate | undefined
  let nearest: Candidate | undefined
  let distance = Number.POSITIVE_INFINITY
  /** All that match, in one line each, if a surplus shows them. */
  const fitting: string[] = []

  const note = ({ thing, exchange }: Happening<Thing>, moment: Moment): void => {
    seen++
    const mismatches = judge.compare(thing)
    const candidate = (): Candidate => {
      const differences = judge.differences(thing, mismatches)
      return {
        moment,
        shown: { line: judge.line(thing), exchange, at: formatInstant(moment.at), differences },
      }
    }
    if (mismatches.length > 0) {
      const found = distanceOf(mismatches)
      if (found >= distance) return
      nearest = candidate()
      distance = found
      return
    }
    const place = window.positionOf(moment)
    if (place === 'early') early = candidate()
    if (place === 'late') late ??= candidate()
    if (place !== 'within') return
    count++
    if (judge.showsSurplus && most !== null) fitting.push(`${count}. ${judge.line(thing)}`)
    if (count === least) cameTrueAt = moment
    if (most !== null && count === most + 1) over = candidate()
  }

  return {
    expected: describeExpectation([describeAmount(amount, one, several), judge.expected, window.describe()]),
    get cameTrueAt() {
      return cameTrueAt
    },
    get decided() {
      return over !== undefined || (most === null && count >= least)
    },
    get count() {
      return count
    },
    observe(observation) {
      for (const happening of happeningsIn(observation)) note(happening, observation.moment)
    },
    evaluate(end) {
      const came =
        seen === 0 ? `no ${one} ${judge.verb ?? 'came'}` : `${count} of ${counted(seen, one, several)}`
      const found = window.missing === undefined ? came : `${came}; ${window.missing} did not come`
      if (over) {
        return {
          passed: false,
          at: over.moment.at,
          found,
          nearest: withDifferences(over.shown, [
            describeExcess(amount, one),
            ...(count > 1 ? fitting.slice(0, maxShown) : []),
            ...(fitting.length > maxShown ? [`and ${fitting.length - maxShown} more`] : []),
          ]),
        }
      }
      const passed = count >= least
      const at = passed && most === null ? cameTrueAt?.at : window.endBy(end)
      // If some match, the differences of others do not matter.
      const closest = late ?? early ?? (count > 0 ? undefined : nearest)
      if (passed || !closest) return { passed, at, found, nearest: null }
      return {
        passed,
        at,
        found,
        nearest: withDifferences(closest.shown, window.differences(closest.moment)),
      }
    },
  }
}

/** Adds differences to a nearest match. */
export function withDifferences(nearest: NearestMatch, more: readonly string[]): NearestMatch {
  return { ...nearest, differences: [...nearest.differences, ...more] }
}

/** Joins the parts of an expectation in words. */
export function describeExpectation(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

/** Describes an expected number: `at least 1 request`, `no request`. */
export function describeAmount({ least, most }: Amount, one: string, several: string): string {
  if (most === null) return `at least ${counted(least, one, several)}`
  if (most === 0) return `no ${one}`
  if (least === most) return `exactly ${counted(most, one, several)}`
  if (least === 0) return `at most ${counted(most, one, several)}`
  return `${least} to ${counted(most, one, several)}`
}

/** Explains that something exceeds the limit by one. */
export function describeExcess({ most }: Amount, one: string): string {
  return most === null || most === 0
    ? `expected no such ${one}; this is the first`
    : `expected at most ${most} of them; this is number ${most + 1}`
}
