import type { MailboxMatchers, Simulator } from '../index.js' with { 'resolution-mode': 'import' }
import type { ListenOptions } from '../interceptor/node.js' with { 'resolution-mode': 'import' }

declare global {
  namespace jest {
    interface Matchers<R, T> extends MailboxMatchers {}
  }
}

/**
 * Creates a mailbox for each test of this file, or of the `describe` in which it is called, and adds the matchers to
 * Jest's `expect`. Returns a function that returns the mailbox of the current test.
 * @example const mailbox = useMailbox({ scenario: 'refund-request' })
 */
export function useMailbox(options?: ListenOptions): () => Simulator
