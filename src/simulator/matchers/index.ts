import type { EventType } from '../../contract/events.js'
import type { GapId } from '../../contract/gaps.js'
import type { AnyOperationName } from '../../contract/operations.js'
import { masked } from './matcher.js'
import { type DeliveryDescription, toHaveDelivered } from './to-have-delivered.js'
import { toHaveReliedOnlyOn } from './to-have-relied-only-on.js'
import { type RequestMatch, toHaveRequested } from './to-have-requested.js'
import { type ThreadDescription, toHaveThread } from './to-have-thread.js'

export type { DeliveryDescription } from './to-have-delivered.js'
export type { RequestMatch } from './to-have-requested.js'
export type { ThreadDescription } from './to-have-thread.js'

/** The matchers that `mailboxMatchers` adds to `expect(mailbox)`, for declaring them to TypeScript. */
export interface MailboxMatchers<Result = void> {
  /**
   * Requests of an operation came, with these values in them.
   * @example expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
   */
  toHaveRequested(operation: AnyOperationName, match?: RequestMatch): Result
  /**
   * A thread like that is in a mailbox now.
   * @example expect(mailbox).toHaveThread({ agent: 'support', subject: /refund/i, unread: false })
   */
  toHaveThread(description: ThreadDescription): Result
  /**
   * Subscriptions were told of an event, and their receivers have taken it unless another status is given.
   * @example expect(mailbox).toHaveDelivered('message.received', { url: 'http://agent.test/hook', times: 1 })
   */
  toHaveDelivered(event: EventType, description?: DeliveryDescription): Result
  /**
   * Requests came, and they relied on no silent point of the interface but these.
   * @example expect(mailbox).toHaveReliedOnlyOn(['threads.total'])
   */
  toHaveReliedOnlyOn(gaps: readonly GapId[]): Result
}

/** Matchers for simulators, for the `expect` of Vitest or Jest: `expect.extend(mailboxMatchers)`. */
export const mailboxMatchers = {
  toHaveRequested: masked(toHaveRequested),
  toHaveThread: masked(toHaveThread),
  toHaveDelivered: masked(toHaveDelivered),
  toHaveReliedOnlyOn: masked(toHaveReliedOnlyOn),
}
