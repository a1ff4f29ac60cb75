import type { MailboxMatchers, Simulator } from '../index.js' with { 'resolution-mode': 'import' }
import type { ListenOptions } from '../interceptor/node.js' with { 'resolution-mode': 'import' }

declare global {
  namespace jest {
    interface Matchers<R, T> extends MailboxMatchers {}
  }
}

/**
 * Gives each test of this file, or of the `describe` it is called in, its own mailbox, and adds the matchers to Jest's
 * `expect`. The function it returns gives the mailbox within a test.
 * @example const mailbox = useMailbox({ scenario: 'refund-request' })
 */
export function useMailbox(options?: ListenOptions): () => Simulator
