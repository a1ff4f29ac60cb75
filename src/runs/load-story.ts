import { parseStart, requestedLayers } from '../doors/simulator/scenario-loader.js'
import type { AttackChoice } from '../story/attacks/lay-attacks.js'
import type { OnProgress } from '../story/compile/compilation.js'
import { loadScenario } from '../story/load.js'
import type { Story } from '../story/story.js'
import type { PlayOptions } from './agent/options.js'

/** How the story of plays is loaded. */
export interface StoryOptions
  extends Pick<PlayOptions, 'scenario' | 'seed' | 'start' | 'assume' | 'extend' | 'deliveryFormat'> {
  readonly onProgress?: OnProgress | undefined
  /** Called with each file of the story before it is read. */
  readonly onFile?: ((file: URL) => void) | undefined
  /** Whether the attacks of the scenario are checked as well. @internal */
  readonly checksAttacks?: boolean | undefined
  /** The attacks that are laid over it. @internal */
  readonly under?: AttackChoice | undefined
  /** A story with the same mailboxes. @internal */
  readonly like?: Story | undefined
  /** The story, already loaded. @internal */
  readonly initialState?: Story | undefined
}

/** Loads the story of plays. @throws ScenarioError, WorldError */
export async function loadStory(options: StoryOptions): Promise<Story> {
  const { scenario = 'support-desk', assume, seed, extend, deliveryFormat } = options
  const { checksAttacks, onProgress, onFile, under, like } = options
  if (options.initialState) return options.initialState
  const start = parseStart(options.start)
  const common = { seed, start, extend, deliveryFormat, checksAttacks, onProgress, onFile, under, like }
  return loadScenario(scenario, { ...common, assumptions: requestedLayers(assume) })
}
