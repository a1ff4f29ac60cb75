import { counted, listOf } from '../../base/text.js'
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
  /** The assumption of every gap, with the source of those that were chosen. */
  readonly assumptions: Readonly<Record<string, { readonly assumption: string; readonly from: string }>>
  /** The names of what extensions add, and the extensions that flags name. */
  readonly extensions: readonly string[]
  readonly extend: readonly string[]
}

/** Returns what a state of a simulator belongs to. */
export function stateStartOf({ worlds, storyStart, extend }: PersistedSimulator): StateStart {
  const { initialState, extensions, clock } = worlds.first
  const { scenario, seed, fingerprint, start: begins, assumptions, origins } = initialState
  const chosen = Object.entries(assumptions).map(([gap, assumption]) => {
    return [gap, { assumption, from: origins[gap as keyof typeof origins] }] as const
  })
  return {
    ...{ scenario, seed, fingerprint: fingerprint(), begins: formatInstant(begins), ...storyStart },
    clock: clock.mode,
    assumptions: Object.fromEntries(chosen),
    extensions: addedNames(extensions),
    extend,
  }
}

/** Checks that a state continues with this start. @throws StateError `other-start` */
export function checkStart(name: string, stored: StateStart, start: StateStart): void {
  const refuse = (problem: string, remedy = 'Start with the former'): never => {
    const otherwise = 'name another place, or start over with --state-reset'
    throw new StateError('other-start', `${name} was created with ${problem}. ${remedy}, ${otherwise}.`)
  }
  const { scenario, begins, clock } = stored
  if (scenario !== start.scenario || stored.seed !== start.seed) {
    const [was, is] = [stored, start].map((one) => `the scenario "${one.scenario}" and the seed ${one.seed}`)
    refuse(`${was}, but this is ${is}`)
  }
  if (begins !== start.begins) {
    const problem = `a story that begins at ${begins}, but this one begins at ${start.begins}`
    refuse(problem, start.start === stored.start ? `Start with --start ${begins}` : 'Leave out --start')
  }
  if (stored.fingerprint !== start.fingerprint) {
    refuse(`other contents of the scenario "${scenario}"`, 'Restore the scenario')
  }
  const missing = stored.extensions.filter((name) => !start.extensions.includes(name))
  if (missing.length > 0) {
    const flags = stored.extend.filter((named) => !start.extend.includes(named))
    const remedy =
      flags.length > 0 ? `Add ${flags.map((named) => `--extend ${named}`).join(' ')}` : 'Restore them'
    refuse(`extensions that define ${listOf(missing)}, which this start lacks`, remedy)
  }
  const [first, ...others] = Object.keys(start.assumptions).filter((gap) => {
    const was = stored.assumptions[gap]
    return was && was.assumption !== start.assumptions[gap]?.assumption
  })
  if (first !== undefined) {
    const [was, is] = [stored, start].map(({ assumptions: { [first]: chosen } }) => {
      return `${first}=${chosen?.assumption} (${chosen?.from})`
    })
    const further = others.length > 0 ? `; ${counted(others.length, 'more assumption')} differ` : ''
    refuse(`the assumption ${was}, but this start has ${is}${further}`, 'Start with the same assumptions')
  }
  if (clock !== start.clock) refuse(`--clock ${clock}, but this start has --clock ${start.clock}`)
}

/** Returns what a state belongs to after it was continued by a start that may have additional extensions. */
export function continuedStart(stored: StateStart, start: StateStart): StateStart {
  return {
    ...stored,
    assumptions: { ...start.assumptions, ...stored.assumptions },
    extensions: [...new Set([...stored.extensions, ...start.extensions])],
    extend: [...new Set([...stored.extend, ...start.extend])],
  }
}
