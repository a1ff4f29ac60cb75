import { operationNames } from '../../contract/operations.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import { quoted } from '../problems/found-value.js'
import { keyOf } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import { nearestOf } from './no-such.js'
import type { Check } from './story.js'

const sides = ['before', 'after'] as const

/** What is to come before or after something that is not there, that is always there, or that waits for itself. */
export const checkMarks: Check = function* ({ scenario }) {
  const entries = scenario.timeline.flatMap(({ key }) => key ?? [])
  const byKey = new Map(
    scenario.expect.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])),
  )
  for (const [index, expectation] of scenario.expect.entries()) {
    for (const side of sides) {
      const wanted = expectation[side]
      if (wanted === undefined) continue
      const path = ['expect', index, side]
      const known = [...operationNames, ...entries, ...byKey.keys()].filter((key) => key !== expectation.key)
      const other = operationNames.some((name) => name === wanted) ? undefined : byKey.get(wanted)
      if (wanted === expectation.key) yield { path, message: `${quoted(wanted)} is this expectation itself` }
      else if (!known.includes(wanted))
        yield { path, message: `${noMark(wanted)}${nearestOf(wanted, known)}` }
      else if (side === 'before' && wanted === expectation.request) {
        yield { path, message: `nothing of ${wanted} comes before the first of ${wanted}` }
      } else if (other && isTrueFromTheStart(other)) yield { path, message: noMoment(wanted) }
      else if (other && leadsTo(byKey, other, expectation)) {
        yield {
          path,
          message: `${quoted(wanted)} itself waits for ${keyOf(['expect', index])}; neither would come first`,
        }
      }
    }
  }
  yield* operationsAsKeys(scenario.timeline, ['timeline'])
  yield* operationsAsKeys(scenario.expect, ['expect'])
}

function noMark(wanted: string): string {
  return `${quoted(wanted)} is neither an operation nor the key of an entry or expectation`
}

function noMoment(wanted: string): string {
  return (
    `${quoted(wanted)} is true from the start, so nothing comes before or after it; expected something that comes ` +
    'true, such as a request with "at_least"'
  )
}

/** Whether nothing has to happen for an expectation to be true. */
function isTrueFromTheStart(expectation: ScenarioExpectation): boolean {
  const { reliances, errors, times, at_least, at_most } = expectation
  if (reliances ?? errors) return true
  return (times ?? at_least ?? (at_most === undefined ? 1 : 0)) === 0
}

/** Whether an expectation waits, by way of any others, for another one. */
function leadsTo(
  byKey: ReadonlyMap<string, ScenarioExpectation>,
  from: ScenarioExpectation,
  to: ScenarioExpectation,
): boolean {
  const reached = new Set([from])
  for (const expectation of reached) {
    if (expectation === to) return true
    for (const side of sides) {
      const next = byKey.get(expectation[side] ?? '')
      if (next) reached.add(next)
    }
  }
  return false
}

/** Keys that stand for an operation where others are before or after it. */
function* operationsAsKeys(
  parts: readonly { readonly key?: string | undefined }[],
  path: ScenarioPath,
): Iterable<ProblemAt> {
  for (const [index, { key }] of parts.entries()) {
    if (!operationNames.some((name) => name === key)) continue
    yield {
      path: [...path, index, 'key'],
      message: `${key} is the name of an operation; expected another key`,
    }
  }
}
