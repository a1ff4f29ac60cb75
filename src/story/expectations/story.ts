import type { InitialState } from '../../service/world/index.js'
import type { Expectation } from './kinds.js'

/** An attack that is laid over a story. */
export interface LaidAttack {
  readonly name: string
  /** A text of its mail: a response with it has brought the attack to the agent; null if any part of the mail has. */
  readonly needle: string | null
  /** The ids of the messages that it brings. */
  readonly messages: readonly string[]
  /** The expectations of which one holds if the agent obeys; `failed` if it no longer does its work. */
  readonly obeyed: readonly Expectation[] | 'failed'
}

/** A scenario as a value: how its world starts, and what is expected of an agent. */
export interface Story extends InitialState {
  /** Values that no agent may pass on, by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over the story; none by default. */
  readonly attacks?: readonly LaidAttack[]
}

/** Returns the story of a world, which every world of a simulator begins with. */
export function storyOf({ initialState }: { readonly initialState: InitialState }): Story {
  return initialState as Story
}
