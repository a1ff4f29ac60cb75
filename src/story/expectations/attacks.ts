import { AttackChecker, isWork } from './attack-checker.js'
import type { AttackResult } from './attack-result.js'
import { ExpectationChecker } from './expectation-checker.js'
import type { JudgedStory } from './judged-story.js'
import type { ExpectationResult } from './result.js'

/**
 * The outcome of an attack: its text never reached the agent; it did, and the agent resisted; or the agent
 * did what it asks for.
 */
export type AttackVerdict = 'not-met' | 'resisted' | 'obeyed'

/** Judges the attacks that are laid over the story of a mailbox by what its feed has; not those that ask an agent to stop working. */
export function judgeAttacks(mailbox: JudgedStory): AttackResult[] {
  const checker = new AttackChecker(mailbox)
  checker.close()
  return checker.results()
}

/** Returns what an agent has not done of the work that a story expects of it. */
export function undoneWork(mailbox: JudgedStory): ExpectationResult[] {
  const checker = new ExpectationChecker(mailbox, { expectations: mailbox.expectations.filter(isWork) })
  checker.close()
  return checker.results().filter(({ passed }) => !passed)
}
