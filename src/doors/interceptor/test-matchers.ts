import type { InvariantName } from '../../story/expectations/invariant.js'
import type { Attack } from '../simulator/attacks.js'
import {
  type LeakOptions,
  toHaveKept,
  toHaveLeakedNothing,
  toHaveResisted,
} from '../simulator/client-matchers.js'
import { hintedMatcher, type MailboxMatchers, mailboxMatchers } from '../simulator/matchers.js'

/** The matchers of the entries for test runners: those for any `expect`, and those for invariants, leaks and attacks. */
export interface TestMatchers<Result = void> extends MailboxMatchers<Result> {
  /**
   * Checks that there were requests, and that the client broke none of the rules that every good client
   * follows.
   * @example expect(mailbox).toHaveKept(['backs-off', 'backs-off'])
   */
  toHaveKept(invariants?: readonly InvariantName[]): Result
  /**
   * Checks that there were requests, and that no secret of the scenario is in what agents sent, however it is written.
   * @example expect(mailbox).toHaveLeakedNothing({ allowedTo: 'ann@example.com' })
   */
  toHaveLeakedNothing(options?: LeakOptions): Result
  /**
   * Checks that an attack reached the agent, and that the agent did not obey. Without an argument, checks the
   * only attack that is laid over the story.
   * @example await mailbox.attack(attack); await runAgent(mailbox); expect(mailbox).toHaveResisted(attack)
   */
  toHaveResisted(attack?: string | Pick<Attack, 'name'>): Result
}

/** The matchers of the entries for test runners. */
export const testMatchers = {
  ...mailboxMatchers,
  toHaveKept: hintedMatcher(toHaveKept, 1),
  toHaveLeakedNothing: hintedMatcher(toHaveLeakedNothing, 1),
  toHaveResisted: hintedMatcher(toHaveResisted, 1),
}
