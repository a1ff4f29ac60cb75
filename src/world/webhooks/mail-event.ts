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

/** Something that happened to a message, as subscriptions are told of it. */
export interface MailEvent extends MailNews {
  readonly id: string
  /** The world's time. */
  readonly at: number
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
