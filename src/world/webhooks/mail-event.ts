import type { EventType } from '../../contract/resources.js'
import type { MessageRow } from '../../model/index.js'
import { formatInstant } from '../time.js'
import type { EventHead } from './delivery-record.js'

/** An event that a command emits: mail was received, delivered elsewhere, or bounced. @see interface 6 */
export interface NewMailEvent {
  readonly type: EventType
  readonly message: MessageRow
  /** The handle of the agent whose mail it is. */
  readonly agentHandle: string
  /** The recipient that the outcome is about, where it is known. */
  readonly recipient: string | null
  /** Milliseconds until receivers are told of it, whatever comes meanwhile. */
  readonly delay?: number | undefined
}

/** An event of a message, with its identity. */
export interface MailEvent extends NewMailEvent {
  readonly id: string
  readonly at: number
}

/** Returns the part of an event that deliveries keep. */
export function headOf({ id, type, at, agentHandle, message }: MailEvent): EventHead {
  const messageFields = { message_id: message.id, thread_id: message.thread_id }
  return { id, type, at: formatInstant(at), agent_handle: agentHandle, ...messageFields }
}

/** Renders an event for people, with the number of subscriptions that receive it. */
export function showEvent(event: MailEvent, subscriptions: number): object {
  const { recipient } = event
  return { ...headOf(event), ...(recipient !== null && { recipient }), subscriptions }
}
