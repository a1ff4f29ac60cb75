import { type LoadOptions, loadScenario } from '../scenario/index.js'
import { readScenario } from '../scenario/source/read-scenario.js'
import { summarize, type WorldSummary } from '../simulator/summary.js'
import { digestOf, World } from '../world/index.js'

/** What is in a scenario that can be used. */
export interface CheckedScenario extends WorldSummary {
  readonly scenario: string
  readonly seed: number
  /** How many entries its timeline has. */
  readonly timeline: number
  /** How many expectations it has. */
  readonly expect: number
  /** 32 hex digits over the world as it begins. */
  readonly digest: string
}

/** Loads a scenario as a whole and tells what is in it. @throws ScenarioError, ReadingError */
export async function contentsOf(
  scenario: string,
  options: Pick<LoadOptions, 'seed' | 'onProgress'>,
): Promise<CheckedScenario> {
  const beginning = await loadScenario(scenario, options)
  // What happens and what is expected is counted as it is written, repetitions once.
  const { checked } = await readScenario(scenario, options.seed, () => undefined)
  const world = new World('check', beginning, 'frozen')
  return {
    scenario: beginning.scenario,
    seed: beginning.seed,
    ...summarize(world.store),
    timeline: checked.timeline.length,
    expect: checked.expect.length,
    digest: digestOf(world),
  }
}
