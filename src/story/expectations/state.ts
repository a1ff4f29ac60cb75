import {
  CommandError,
  formatDuration,
  formatInstant,
  type StateExpectation,
} from '../../service/world/index.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import { type Moment, TimeWindow } from './time-window.js'
import { type MatcherOf, matchersOf, type NearestMatch, type RunFacts, type Tracker } from './tracker.js'
import { describeExpected, fieldMismatches, formatMismatch, formatValue } from './values.js'

/** Checks the state of an agent, a thread or a message: at the end, or at any moment of a window. */
export function trackState(
  expectation: StateExpectation,
  { mailbox, milestones }: RunFacts,
  matcherOf: MatcherOf,
): Tracker {
  const { kind, id, name } = expectation
  const window = new TimeWindow(expectation.window, milestones)
  const wanted = matchersOf(expectation.has, matcherOf)
  const when = window.isWhole ? 'at the end' : `at some moment ${window.describe()}`
  let cameTrueAt: Moment | undefined
  let tooLate: Moment | undefined

  function differencesOf(resource: object | undefined): string[] {
    return resource ? fieldMismatches(wanted, resource).map(formatMismatch) : ['it does not exist']
  }

  function show(resource: object | undefined): string {
    if (!resource) return `there is no ${name}`
    return Object.keys(wanted)
      .map((field) => `${field}: ${formatValue((resource as Record<string, unknown>)[field] ?? null)}`)
      .join(', ')
  }

  function nearest(at: number, lines: readonly string[]): NearestMatch {
    return { line: `${name}, ${id}`, exchange: null, at: formatInstant(at), differences: lines }
  }

  const into = ({ at }: Moment): string => `${formatDuration(at - milestones.start)} into the story`

  return {
    expected: `${name} has ${describeExpected(wanted)} ${when}`,
    get cameTrueAt() {
      return cameTrueAt
    },
    get decided() {
      return !window.isWhole && cameTrueAt !== undefined
    },
    observe({ type, moment }) {
      if (type !== 'state' || cameTrueAt) return
      const place = window.positionOf(moment)
      if (place === 'early' || (place === 'late' && tooLate)) return
      if (differencesOf(resourceOf(mailbox, kind, id)).length > 0) return
      if (place === 'within') cameTrueAt = moment
      else tooLate = moment
    },
    evaluate(end) {
      const resource = resourceOf(mailbox, kind, id)
      const differing = differencesOf(resource)
      const ofEnd = resource ? nearest(end, differing) : null
      if (window.isWhole) {
        const passed = differing.length === 0
        return { passed, found: show(resource), nearest: passed ? null : ofEnd }
      }
      if (cameTrueAt) {
        return { passed: true, at: cameTrueAt.at, found: `that, ${into(cameTrueAt)}`, nearest: null }
      }
      const at = window.endBy(end)
      if (tooLate) {
        const late = nearest(tooLate.at, window.differences(tooLate))
        return { passed: false, at, found: `that, but only ${into(tooLate)}`, nearest: late }
      }
      const { missing } = window
      const never = missing === undefined ? 'not once' : `${missing} did not come`
      return { passed: false, at, found: `${never}; at the end ${show(resource)}`, nearest: ofEnd }
    },
  }
}

/** Returns a resource as the service returns it; undefined if there is none with that id. */
function resourceOf(
  { identities, threads, mail }: JudgedMailbox,
  kind: StateExpectation['kind'],
  id: string,
): object | undefined {
  try {
    return { identity: identities, thread: threads, message: mail }[kind].get(id)
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not-found') return undefined
    throw error
  }
}
