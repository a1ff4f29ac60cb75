import { expect, type TestAPI, test as vitestTest } from 'vitest'
import type { InferredScenario, NamedScenario } from '../../story/read/define-scenario.js'
import type { Simulator } from '../simulator/simulator.js'
import type { TestMatchers } from '../simulator/test-matchers.js'
import {
  attacksOf,
  checkOptions,
  Interception,
  type MailboxTestOptions,
  mailboxMatchers,
  mailboxTestOptions,
  testMatchers,
} from './interception.js'

export type { Attack, AttackNames } from '../simulator/attacks.js'
export type {
  DeliveryDescription,
  MailboxMatchers,
  RequestMatch,
  ThreadDescription,
} from '../simulator/matchers.js'
export type { LeakOptions } from '../simulator/test-matchers.js'
export type { MailboxTestOptions } from './interception.js'
export { attacksOf, expect, mailboxMatchers }

declare module 'vitest' {
  interface Assertion<T> extends TestMatchers {}
}

/** The test context of a mailbox test. */
export interface MailboxContext {
  /** The test's own mailbox at the start of its scenario; closed after the test. */
  readonly mailbox: Simulator
}

expect.extend(testMatchers)

// One for the whole worker, which has one `fetch`.
const interception = new Interception()

/**
 * Creates a `test` of Vitest with a `mailbox` for each test: its own world at the start of a scenario,
 * reached at `mailbox.baseUrl` with `mailbox.apiKey`.
 * @example const test = mailboxTest({ scenario: './desk.yaml', assume: 'worst-case' })
 */
export function mailboxTest<const Name extends string = string>(
  options: MailboxTestOptions & InferredScenario<Name> & NamedScenario<Name> = {},
): TestAPI<MailboxContext> {
  checkOptions('mailboxTest', options, mailboxTestOptions)
  return vitestTest.extend<MailboxContext>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest infers the required fixtures from the pattern.
    mailbox: async ({}, use) => {
      const { mailbox, close } = await interception.open(options)
      await use(mailbox)
      close()
    },
  })
}

/** The result of `mailboxTest()`, with the scenario `support-desk`. @example test('…', async ({ mailbox }) => { … }) */
export const test = mailboxTest()
