import { keyOf, quoted } from '../../base/mistake.js'
import { expectedOneOf } from '../../base/text.js'
import { everyOperationName } from '../../contract/extensions.js'
import { parseDuration } from '../../service/time/time.js'
import type { ScenarioExpectation } from './format.js'
import type { Resolving, StoryNames } from './kind.js'
import { type ExpectationKindName, kindIn, kindNamed } from './kinds.js'

/** The parts of a scenario at which a window may begin or end. */
export interface StoryMoments {
  readonly timeline: readonly { readonly key?: string | undefined; readonly when?: object | undefined }[]
  readonly expect: readonly ScenarioExpectation[]
}

/** No moments, before a story has any. */
export const noMoments: StoryMoments = { timeline: [], expect: [] }

/**
 * Checks that what `before` and `after` name exists, has a definite time, and does not itself wait for
 * something. `earlier` are the moments of the story on which these are laid.
 */
export function checkMoments(
  lookups: Pick<StoryNames, 'problem'> & Pick<Resolving, 'extensions'>,
  { timeline, expect }: StoryMoments,
  earlier: StoryMoments,
): void {
  const all = [...earlier.expect, ...expect]
  const byKey = new Map(all.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])))
  const names = everyOperationName(lookups.extensions) as readonly string[]
  const told = [...earlier.timeline, ...timeline]
  const entries = told.flatMap(({ key, when }) => (when ? [] : (key ?? [])))
  const known = new Set([...names, ...entries, ...byKey.keys()])
  for (const [own, expectation] of expect.entries()) {
    const index = earlier.expect.length + own
    for (const side of ['before', 'after'] as const) {
      const wanted = expectation[side]
      if (wanted === undefined) continue
      const path = ['expect', index, side]
      const other = names.includes(wanted) ? undefined : byKey.get(wanted)
      if (wanted === expectation.key) lookups.problem(path, `${quoted(wanted)} is this expectation itself`)
      else if (!known.has(wanted) && !isDuration(wanted)) {
        const others = () => [...known].filter((key) => key !== expectation.key)
        const message = `${quoted(wanted)} is neither an operation nor the key of an entry or expectation, nor a time such as 5m`
        lookups.problem(path, () => `${message}${expectedOneOf(wanted, others())}`)
      } else if (side === 'before' && wanted === expectation.request) {
        lookups.problem(path, `nothing of ${wanted} comes before the first of ${wanted}`)
      } else if (other && holdsAtStart(other)) lookups.problem(path, alwaysTrue(wanted))
      else if (other && waitsFor(other, expectation, byKey)) {
        const message = `${quoted(wanted)} itself waits for ${keyOf(['expect', index])}, so neither would come first`
        lookups.problem(path, message)
      }
    }
  }
  // No key is the name of an operation, since `before` and `after` may name either.
  for (const [name, parts] of Object.entries({ timeline, expect })) {
    const first = earlier[name as keyof StoryMoments].length
    for (const [index, { key }] of parts.entries()) {
      if (key === undefined || !names.includes(key)) continue
      lookups.problem(
        [name, first + index, 'key'],
        `${key} is the name of an operation; expected another key`,
      )
    }
  }
}

function isDuration(text: string): boolean {
  return (parseDuration(text) ?? 0) > 0
}

function alwaysTrue(wanted: string): string {
  return (
    `${quoted(wanted)} is true from the start, so nothing comes before or after it; expected something that comes ` +
    'true, such as a request with "at_least"'
  )
}

function holdsAtStart(expectation: ScenarioExpectation): boolean {
  return kindNamed(kindIn(expectation) as ExpectationKindName).holdsAtStart(expectation)
}

/** Returns whether an expectation waits for another one, directly or indirectly. */
function waitsFor(
  one: ScenarioExpectation,
  other: ScenarioExpectation,
  byKey: ReadonlyMap<string, ScenarioExpectation>,
): boolean {
  const reached = new Set([one])
  for (const { before, after } of reached) {
    for (const next of [byKey.get(before ?? ''), byKey.get(after ?? '')]) if (next) reached.add(next)
    if (reached.has(other)) return true
  }
  return false
}
