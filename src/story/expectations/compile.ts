import { quoted } from '../../base/mistake.js'
import { expectedOneOf } from '../../base/text.js'
import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { parseDuration } from '../../service/time/time.js'
import type { EntryFrame } from '../format/entry.js'
import type { StoryNames } from './kind.js'
import {
  type Expectation,
  type ExpectationKindName,
  kindIn,
  kindNamed,
  type ScenarioExpectation,
} from './kinds.js'
import type { Milestone, StoryWindow } from './time-window.js'

/** The parts of a scenario that expectations refer to. */
interface ExpectingStory {
  readonly timeline: readonly Pick<EntryFrame, 'key' | 'after' | 'when'>[]
  readonly expect: readonly ScenarioExpectation[]
  readonly secrets?: object | undefined
}

/** The names that expectations refer to. */
type ExpectingNames = StoryNames & { readonly extensions: Extensions }

/** Compiles the expectations of a scenario; omits those that refer to what is not found. Returns warnings as well. */
export function compileExpectations(
  scenario: ExpectingStory,
  lookups: ExpectingNames,
): { readonly expectations: readonly Expectation[]; readonly warnings: readonly string[] } {
  const moments = momentsOf(scenario, lookups)
  const secrets = Object.keys(scenario.secrets ?? {})
  const expectations: Expectation[] = []
  const warnings: string[] = []
  for (const [index, written] of scenario.expect.entries()) {
    const kind = kindIn(written) as ExpectationKindName
    const path = ['expect', index]
    const { key = null, describe = null, weight } = written
    checkKey(written.key, moments, () => lookups.problem([...path, 'key'], sameName(written.key)))
    const compiled = kindNamed(kind).compile(written, {
      ...{ names: lookups, extensions: lookups.extensions, path, secrets },
      window: windowOf(written, moments, (side, message) => lookups.problem([...path, side], message)),
      warn: (name, message) => warnings.push(`expect[${index}].${name}: ${message}`),
    })
    if (!compiled) continue
    expectations.push({ kind, key, describe, ...(weight !== undefined && { weight }), written, ...compiled })
  }
  return { expectations, warnings }
}

/** What windows may begin and end with: operations, and the keys of entries. */
interface Moments {
  readonly operations: readonly string[]
  /** When each of them happens, in milliseconds after the start; undefined if that is open. */
  readonly entries: ReadonlyMap<string, number | undefined>
}

function momentsOf({ timeline }: ExpectingStory, lookups: ExpectingNames): Moments {
  const operations: readonly string[] = everyOperationName(lookups.extensions)
  for (const [index, { key }] of timeline.entries()) {
    const path = ['timeline', index, 'key']
    checkKey(key, { operations }, () => lookups.problem(path, sameName(key)))
  }
  const entries = timeline.flatMap(({ key, after, when }): [string, number | undefined][] => {
    return key === undefined ? [] : [[key, when ? undefined : parseDuration(after ?? '')]]
  })
  return { operations, entries: new Map(entries) }
}

/** No key is the name of an operation, since `before` and `after` may name either. */
function checkKey(
  key: string | undefined,
  { operations }: Pick<Moments, 'operations'>,
  refuse: () => void,
): void {
  if (key !== undefined && operations.includes(key)) refuse()
}

function sameName(key: string | undefined): string {
  return `${key} is the name of an operation; expected another key`
}

/** Returns the window of an expectation; a moment that does not exist is a problem. */
function windowOf(
  { after, before, within, request }: ScenarioExpectation,
  moments: Moments,
  problem: (side: 'after' | 'before', message: string | (() => string)) => void,
): StoryWindow {
  const milestone = (side: 'after' | 'before', name: string | undefined): Milestone | null => {
    if (name === undefined) return null
    const time = parseDuration(name) ?? 0
    if (moments.operations.includes(name)) return { name }
    if (moments.entries.has(name)) return { name, isEntry: true }
    if (time > 0) return { name, after: time }
    problem(side, () => {
      const known = [...moments.operations, ...moments.entries.keys()]
      const message = `${quoted(name)} is neither an operation nor the key of an entry of the timeline, nor a time such as 5m`
      return `${message}${expectedOneOf(name, known)}`
    })
    return null
  }
  if (before !== undefined && before === request)
    problem('before', `nothing of ${before} comes before the first of ${before}`)
  const instant = (name = ''): number => moments.entries.get(name) ?? parseDuration(name) ?? Number.NaN
  if (instant(before) <= instant(after)) {
    problem('before', `${before} is not later than ${after}, which "after" names; nothing is between them`)
  }
  return {
    after: milestone('after', after),
    before: milestone('before', before),
    within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
  }
}
