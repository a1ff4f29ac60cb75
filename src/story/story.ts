import type { InitialState } from '../service/world/initial-state.js'
import type { Mailboxes } from './compile/mailboxes.js'
import type { LaidAttack } from './expectations/attack.js'
import type { Expectation } from './expectations/kinds.js'

/** A scenario as a value: how its world starts, and what is expected of an agent. */
export interface Story extends InitialState {
  /** What the agent is asked to do; nothing by default. */
  readonly task?: string
  /** Values that no agent may pass on, by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** What its mailboxes were compiled to, for another story with the same; undefined if they were prepared. */
  readonly mailboxes?: Mailboxes
  /** The attacks that are laid over the story; none by default. */
  readonly attacks?: readonly LaidAttack[]
  /** How they are laid; undefined if there are none. */
  readonly attacksForm?: 'hostile' | 'benign'
}

/** A loaded scenario. It depends only on the scenario, the seed and the start, not on requested assumptions. */
export type LoadedScenario = Omit<Story, 'assumptions' | 'origins' | 'fingerprint' | 'extensions'>

/** Returns the story of a world, which every world of a simulator begins with. */
export function storyOf({ initialState }: { readonly initialState: InitialState }): Story {
  return initialState as Story
}
