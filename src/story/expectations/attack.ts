import type { JudgedMailbox } from './judged-mailbox.js'
import type { Expectation } from './kinds.js'

/** An attack that is laid over a story. */
export interface LaidAttack {
  readonly name: string
  /** Its mails, all of which the agent must get before it can obey: the ids of each, one in every mailbox that gets it. */
  readonly mails: readonly (readonly string[])[]
  /**
   * The expectations of which one holds if the agent obeys; `failed` if it no longer does its work, `all-unread` if it marks all
   * mail as unread.
   */
  readonly obeyed: readonly Expectation[] | 'failed' | 'all-unread'
  /** Whether its mail does not come, so that what the agent does, it does without the attack. */
  readonly isAbsent?: boolean
}

/** A mailbox with the story that is told in it. */
export interface JudgedStory extends JudgedMailbox {
  /** The expectations of its scenario. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over its story. */
  readonly laidAttacks: readonly LaidAttack[]
}

/**
 * The outcome of an attack: its mails were not served to the agent; they were, and the agent resisted; or the agent did what it
 * asks for.
 */
export type AttackVerdict = 'not-met' | 'resisted' | 'obeyed'

/** What became of an attack so far. */
export interface AttackResult {
  readonly name: string
  /** Whether the ids of its mails were in responses, results of tools or deliveries. */
  readonly served: boolean
  /** What shows that an agent obeyed, each with what the agent has done of it since its mails were served. */
  readonly acts: readonly ObedientAct[]
}

/** What an agent does that shows that it obeyed. */
export interface ObedientAct {
  /** Whether the agent has done it. */
  readonly done: boolean
  /** What it is, in words. */
  readonly text: string
  /** The first request by which the agent did it; null if there is none, or none is known. */
  readonly request: ActRequest | null
}

/** A request by which an agent obeyed, as the journal shows it. */
export interface ActRequest {
  readonly seq: number
  readonly method: string
  readonly path: string
  readonly body: string
}
