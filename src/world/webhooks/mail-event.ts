import type { EventType } from '../../contract/events.js'
import type { MessageRow } from '../../model/index.js'
import { formatInstant } from '../time.js'

/** What a command tells of mail: it came in, arrived elsewhere, or came back. @see interface 6 */
export interface MailNews {
  readonly type: EventType
  readonly message: MessageRow
  /** The handle of the agent whose mail it is. */
  readonly agentHandle: string
  /** Whom the outcome is about, where that is known. */
  readonly recipient: string | null
}

/** What deliveries keep of an event. */
export interface EventHead {
  readonly id: string
  readonly type: EventType
  /** The world's time. */
  readonly at: number
  readonly agentHandle: string
  readonly messageId: string
  readonly threadId: string
}

/** Something that happened to a message, as subscriptions are told of it. */
export interface MailEvent extends MailNews {
  readonly id: string
  /** The world's time. */
  readonly at: number
}

/** What deliveries keep of an event: the message may be gone before they are over. */
export function headOf({ id, type, at, agentHandle, message }: MailEvent): EventHead {
  return { id, type, at, agentHandle, messageId: message.id, threadId: message.thread_id }
}

/** An event for people to see, with how many subscriptions are told of it. */
export function showEvent(
  { id, type, at, agentHandle, message, recipient }: MailEvent,
  told: number,
): object {
  return {
    id,
    type,
    at: formatInstant(at),
    agent_handle: agentHandle,
    message_id: message.id,
    thread_id: message.thread_id,
    ...(recipient !== null && { recipient }),
    subscriptions: told,
  }
}
