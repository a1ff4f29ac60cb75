import { listOf } from '../../base/text.js'
import { addedNames } from '../../contract/extensions.js'
import { StateError } from '../../service/model/errors.js'
import { type ClockMode, formatInstant } from '../../service/time/time.js'
import type { PersistedSimulator, StoryStart } from '../../service/world/worlds.js'

/** What a state belongs to: it continues only after a start that agrees with it. */
export interface StateStart extends StoryStart {
  readonly scenario: string
  readonly seed: number
  /** Differs if the content of the scenario differs. */
  readonly fingerprint: string
  /** The instant at which the story of the first world begins, ISO 8601 UTC. */
  readonly begins: string
  readonly clock: ClockMode
  /** The assumption of every gap. */
  readonly assumptions: Readonly<Record<string, string>>
  /** The names of what extensions add. */
  readonly extensions: readonly string[]
}

/** Returns what a state of a simulator belongs to. */
export function stateStartOf({ worlds, storyStart }: PersistedSimulator): StateStart {
  const { initialState, extensions, clock } = worlds.first
  const { scenario, seed, fingerprint, start: begins, assumptions } = initialState
  return {
    ...{ scenario, seed, fingerprint: fingerprint(), begins: formatInstant(begins), ...storyStart },
    ...{ clock: clock.mode, assumptions, extensions: addedNames(extensions) },
  }
}

/** Checks that a state continues with this start. @throws StateError `other-start` */
export function checkStart(name: string, stored: StateStart, start: StateStart): void {
  const missing = stored.extensions.filter((added) => !start.extensions.includes(added))
  const [first] = [
    ...differenceOf('the scenario', stored.scenario, start.scenario),
    ...differenceOf('--seed', stored.seed, start.seed),
    ...differenceOf('--start', stored.begins, start.begins),
    ...differenceOf('the fingerprint of its scenario', stored.fingerprint, start.fingerprint),
    ...(missing.length > 0 ? [`extensions that define ${listOf(missing)}, but this start lacks them`] : []),
    ...Object.entries(start.assumptions).flatMap(([gap, assumption]) => {
      return differenceOf(`--assume ${gap} as`, stored.assumptions[gap] ?? assumption, assumption)
    }),
    ...differenceOf('--clock', stored.clock, start.clock),
  ]
  if (first === undefined) return
  const remedy = 'Start with the former, name another place, or start over with --state-reset'
  throw new StateError('other-start', `${name} was created with ${first}. ${remedy}.`)
}

function differenceOf(what: string, was: string | number, is: string | number): string[] {
  return was === is ? [] : [`${what} ${was}, but this start has ${is}`]
}
