import { differences, showValue } from '../simulator/matching.js'
import type { Simulator } from '../simulator/simulator.js'
import { CommandError, formatDuration, formatInstant, type StateExpectation } from '../world/index.js'
import { type Moment, TimeWindow } from './time-window.js'
import type { NearestMatch, RunFacts, Tracker } from './tracker.js'
import { describeValues, problemOf, valueMatchers } from './value-matcher.js'

type Fields = Readonly<Record<string, unknown>>

/** Checks the state of an agent, a thread or a message: at the end, or at any moment of a window. */
export function trackState(expectation: StateExpectation, facts: RunFacts): Tracker {
  const { kind, id, name, has } = expectation
  const { simulator, milestones, patterns } = facts
  const window = new TimeWindow(expectation.window, milestones)
  const wanted = valueMatchers(has, patterns)
  const when = window.isWhole ? 'at the end' : `at some moment ${window.describe()}`
  let cameTrueAt: Moment | undefined
  let tooLate: Moment | undefined

  function differencesOf(fields: Fields | undefined): string[] {
    if (!fields) return ['it does not exist']
    return Object.entries(wanted).flatMap(([field, value]) =>
      differences(field, value, fields[field] ?? null),
    )
  }

  function show(fields: Fields | undefined): string {
    if (!fields) return `there is no ${name}`
    return Object.keys(wanted)
      .map((field) => `${field}: ${showValue(fields[field] ?? null)}`)
      .join(', ')
  }

  function nearest(at: number, lines: readonly string[]): NearestMatch {
    return { line: `${name}, ${id}`, exchange: null, at: formatInstant(at), differences: lines }
  }

  const into = ({ at }: Moment): string => `${formatDuration(at - milestones.start)} into the story`

  return {
    expected: `${name} has ${describeValues(has)} ${when}`,
    get cameTrueAt() {
      return cameTrueAt
    },
    get decided() {
      return !window.isWhole && cameTrueAt !== undefined
    },
    get problem() {
      return problemOf(Object.values(wanted))
    },
    observe({ type, moment }) {
      if (type !== 'state' || cameTrueAt) return
      const place = window.positionOf(moment)
      if (place === 'early' || (place === 'late' && tooLate)) return
      if (differencesOf(shown(simulator, kind, id)).length > 0) return
      if (place === 'within') cameTrueAt = moment
      else tooLate = moment
    },
    evaluate(end) {
      const fields = shown(simulator, kind, id)
      const differing = differencesOf(fields)
      const ofEnd = fields ? nearest(end, differing) : null
      if (window.isWhole) {
        const passed = differing.length === 0
        return { passed, found: show(fields), nearest: passed ? null : ofEnd }
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
      return { passed: false, at, found: `${never}; at the end ${show(fields)}`, nearest: ofEnd }
    },
  }
}

/** Returns a resource as the service shows it; undefined if there is none with that id. */
function shown(simulator: Simulator, kind: StateExpectation['kind'], id: string): Fields | undefined {
  try {
    if (kind === 'identity') return { ...simulator.identities.get(id) }
    return kind === 'thread' ? { ...simulator.threads.get(id) } : { ...simulator.mail.get(id) }
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not-found') return undefined
    throw error
  }
}
