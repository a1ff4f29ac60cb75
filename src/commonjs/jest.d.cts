import type { MailboxMatchers, Simulator } from '../index.js' with { 'resolution-mode': 'import' }
import type { ListenOptions } from '../interceptor/node.js' with { 'resolution-mode': 'import' }

declare global {
  namespace jest {
    interface Matchers<R, T> extends MailboxMatchers {}
  }
}

/**
 * Gives each test of this file, or of the `describe` it is called in, a mailbox of its own, which the function returned
 * gives within a test; adds the matchers to Jest's `expect`.
 * @example const mailbox = useMailbox({ scenario: 'refund-request' })
 */
export function useMailbox(options?: ListenOptions): () => Simulator
