import { expect, type TestAPI, test as vitestTest } from 'vitest'
import { type MailboxMatchers, mailboxMatchers } from '../simulator/matchers/index.js'
import type { Simulator } from '../simulator/simulator.js'
import { Interception } from './vitest/interception.js'
import type { MailboxTestOptions } from './vitest/mailbox-pool.js'

export type {
  DeliveryDescription,
  MailboxMatchers,
  RequestMatch,
  ThreadDescription,
} from '../simulator/matchers/index.js'
export type { MailboxTestOptions } from './vitest/mailbox-pool.js'
export { expect, mailboxMatchers }

declare module 'vitest' {
  interface Assertion<T> extends MailboxMatchers {}
}

/** What a mailbox test finds in its context. */
export interface MailboxContext {
  /** The test's own mailbox, as its scenario starts it; dropped after the test. */
  readonly mailbox: Simulator
}

expect.extend(mailboxMatchers)

// A worker has one `fetch`, so it has one of these.
const interception = new Interception()

/**
 * Vitest's `test` with a `mailbox` for each test: a world of its own in which a scenario starts, reached at
 * `mailbox.baseUrl` with `mailbox.apiKey`.
 * @example const test = mailboxTest({ scenario: './desk.yaml', readings: 'worst-case' })
 */
export function mailboxTest(options: MailboxTestOptions = {}): TestAPI<MailboxContext> {
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
