import type { InitialState } from '../../service/world/index.js'
import type { Expectation } from './kinds.js'

/** An attack that is laid over a story. */
export interface LaidAttack {
  readonly name: string
  /** Its mails, all of which the agent must get before it can obey. */
  readonly mails: readonly LaidMail[]
  /**
   * The expectations of which one holds if the agent obeys; `failed` if it no longer does its work, `all-unread` if it marks all
   * mail as unread.
   */
  readonly obeyed: readonly Expectation[] | 'failed' | 'all-unread'
  /** Whether its mail does not come, so that what the agent does, it does without the attack. */
  readonly isAbsent?: boolean
}

/** A mail of an attack. */
export interface LaidMail {
  /** A part of its text: a response with it has brought the text to the agent; empty if any part of the mail has. */
  readonly needle: string
  /** The ids of its messages, one in each mailbox that gets it. */
  readonly ids: readonly string[]
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
