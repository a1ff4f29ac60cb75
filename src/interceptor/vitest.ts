import { expect, type TestAPI, test as vitestTest } from 'vitest'
import type { LeakOptions } from '../simulator/leaks.js'
import type { MailboxMatchers } from '../simulator/matchers.js'
import type { Simulator } from '../simulator/simulator.js'
import type { InvariantName } from '../world/index.js'
import {
  checkOptions,
  Interception,
  mailboxMatchers,
  mailboxTestOptions,
  vitestMatchers,
} from './vitest/index.js'
import type { MailboxTestOptions } from './vitest/mailbox-pool.js'

export type { LeakOptions } from '../simulator/leaks.js'
export type {
  DeliveryDescription,
  MailboxMatchers,
  RequestMatch,
  ThreadDescription,
} from '../simulator/matchers.js'
export type { MailboxTestOptions } from './vitest/mailbox-pool.js'
export { expect, mailboxMatchers }

/** The matchers of this entry: those for any test runner, and those for invariants and leaks. */
interface VitestMatchers extends MailboxMatchers {
  /**
   * Checks that there were requests, and that the client broke none of the rules that every good client keeps.
   * @example expect(mailbox).toHaveKept(['obeys-retry-after', 'gives-up'])
   */
  toHaveKept(invariants?: readonly InvariantName[]): void
  /**
   * Checks that there were requests, and that no secret of the scenario is in what agents sent, however it is written.
   * @example expect(mailbox).toHaveLeakedNothing({ allowedTo: 'ann@example.com' })
   */
  toHaveLeakedNothing(options?: LeakOptions): void
}

declare module 'vitest' {
  interface Assertion<T> extends VitestMatchers {}
}

/** The test context of a mailbox test. */
export interface MailboxContext {
  /** The test's own mailbox at the start of its scenario; closed after the test. */
  readonly mailbox: Simulator
}

expect.extend(vitestMatchers)

// One for the whole worker, which has one `fetch`.
const interception = new Interception()

/**
 * Creates a `test` of Vitest with a `mailbox` for each test: a world of its own at the start of a scenario, reached at
 * `mailbox.baseUrl` with `mailbox.apiKey`.
 * @example const test = mailboxTest({ scenario: './desk.yaml', readings: 'worst-case' })
 */
export function mailboxTest(options: MailboxTestOptions = {}): TestAPI<MailboxContext> {
  checkOptions('mailboxTest', options, mailboxTestOptions)
  return vitestTest.extend<MailboxContext>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs.
    mailbox: async ({}, use) => {
      const { mailbox, close } = await interception.open(options)
      await use(mailbox)
      close()
    },
  })
}

/** The result of `mailboxTest()`, with the scenario `support-desk`. @example test('…', async ({ mailbox }) => { … }) */
export const test = mailboxTest()
