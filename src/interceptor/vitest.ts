import { expect, type TestAPI, test as vitestTest } from 'vitest'
import { checkOptions } from '../contract/options.js'
import { toHaveKept } from '../expectations/violations.js'
import { type MailboxMatchers, mailboxMatchers } from '../simulator/matchers.js'
import type { Simulator } from '../simulator/simulator.js'
import type { InvariantName } from '../world/index.js'
import { Interception } from './vitest/interception.js'
import { type MailboxTestOptions, mailboxTestOptions } from './vitest/mailbox-pool.js'

export type {
  DeliveryDescription,
  MailboxMatchers,
  RequestMatch,
  ThreadDescription,
} from '../simulator/matchers.js'
export type { MailboxTestOptions } from './vitest/mailbox-pool.js'
export { expect, mailboxMatchers }

/** The matchers of this entry: those of any test runner, and that of invariants. */
interface VitestMatchers extends MailboxMatchers {
  /**
   * Requests came, and the client has done nothing against what holds for any good client.
   * @example expect(mailbox).toHaveKept(['obeys-retry-after', 'gives-up'])
   */
  toHaveKept(invariants?: readonly InvariantName[]): void
}

declare module 'vitest' {
  interface Assertion<T> extends VitestMatchers {}
}

/** What a mailbox test finds in its context. */
export interface MailboxContext {
  /** The test's own mailbox, as its scenario starts it; dropped after the test. */
  readonly mailbox: Simulator
}

expect.extend({ ...mailboxMatchers, toHaveKept })

// A worker has one `fetch`, so it has one of these.
const interception = new Interception()

/**
 * Vitest's `test` with a `mailbox` for each test: a world of its own in which a scenario starts, reached at
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

/** `mailboxTest` of the scenario `support-desk`. @example test('…', async ({ mailbox }) => { … }) */
export const test = mailboxTest()
