import type { LaidAttack } from './attack.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import type { Expectation } from './kinds.js'

/** A mailbox with the story that is told in it. */
export interface JudgedStory extends JudgedMailbox {
  /** The expectations of its scenario. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over its story. */
  readonly laidAttacks: readonly LaidAttack[]
}
