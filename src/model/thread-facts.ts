import type { MessageRow, ThreadRow } from './rows.js'

/** The fields of a thread that follow from its messages. */
export type ThreadFacts = Pick<
  ThreadRow,
  'unread' | 'answered' | 'message_count' | 'first_message_id' | 'last_message_id' | 'last_message_at'
>

/** Returns the facts of a thread without messages. */
export function factsOfEmptyThread(createdAt: number): ThreadFacts {
  return {
    unread: false,
    answered: false,
    message_count: 0,
    first_message_id: null,
    last_message_id: null,
    last_message_at: createdAt,
  }
}

/**
 * The facts after one more message: the only place where a message changes its thread. Mail that comes in
 * makes the thread unread; mail dated before the latest leaves `last_message_at` where it is.
 */
export function factsWithMessage(
  facts: ThreadFacts,
  message: Pick<MessageRow, 'id' | 'direction' | 'created_at'>,
): ThreadFacts {
  const inbound = message.direction === 'inbound'
  const latest = facts.last_message_id === null || message.created_at >= facts.last_message_at
  return {
    unread: facts.unread || inbound,
    answered: !inbound,
    message_count: facts.message_count + 1,
    first_message_id: facts.first_message_id ?? message.id,
    last_message_id: latest ? message.id : facts.last_message_id,
    last_message_at: latest ? message.created_at : facts.last_message_at,
  }
}

/** The facts after the thread was marked read or unread. */
export function factsMarked(facts: ThreadFacts, unread: boolean): ThreadFacts {
  return { ...facts, unread, answered: false }
}
