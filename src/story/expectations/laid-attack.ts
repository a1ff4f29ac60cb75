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
