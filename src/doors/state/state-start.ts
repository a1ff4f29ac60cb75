import { listOf } from '../../base/text.js'
import { addedNames } from '../../contract/extensions.js'
import { StateError } from '../../service/model/errors.js'
import { formatInstant } from '../../service/time/time.js'
import type { PersistedSimulator, StoryStart } from '../../service/world/worlds.js'

/** What a state belongs to: it continues only after a start that agrees with it. */
export interface StateStart extends StoryStart {
  /** What must be equal, by the words with which a refusal names it. */
  readonly options: Readonly<Record<string, string>>
  /** The names of what extensions add. */
  readonly extensions: readonly string[]
}

/** Returns what a state of a simulator belongs to. */
export function stateStartOf({ worlds, storyStart }: PersistedSimulator): StateStart {
  const { initialState, extensions, clock } = worlds.first
  const { scenario, seed, fingerprint, start, assumptions } = initialState
  const chosen = Object.entries(assumptions).map(([gap, assumption]) => [`--assume ${gap} as`, assumption])
  const options = {
    'the scenario': scenario,
    '--seed': String(seed),
    '--start': formatInstant(start),
    'the fingerprint of its scenario': fingerprint(),
    ...Object.fromEntries(chosen),
    '--clock': clock.mode,
  }
  return { ...storyStart, options, extensions: addedNames(extensions) }
}

/** Checks that a state continues with this start. @throws StateError `other-start` */
export function checkStart(name: string, stored: StateStart, start: StateStart): void {
  const missing = stored.extensions.filter((added) => !start.extensions.includes(added))
  const [other] = Object.entries(stored.options).filter(([what, was]) => was !== start.options[what])
  if (missing.length === 0 && !other) return
  const difference =
    missing.length > 0 || !other
      ? `extensions that define ${listOf(missing)}, but this start lacks them`
      : `${other[0]} ${other[1]}, but this start has ${start.options[other[0]]}`
  const remedy = 'Start with the former, name another place, or start over with --state-reset'
  throw new StateError('other-start', `${name} was created with ${difference}. ${remedy}.`)
}
