import { directionOf, renderMessage } from '../rendering/message.js'
import type { RenderContext } from '../rendering/renderer.js'
import { timestamp } from '../rendering/timestamp.js'
import type { MailEvent } from './mail-event.js'

/** The body of a delivery, as JSON: the same at every attempt. @see interface 6 */
export function payloadOf(event: MailEvent, context: RenderContext): string {
  const { settle } = context
  const { id, type } = event
  const at = timestamp(event.at, settle)
  const data = dataOf(event, context)
  return settle(
    'events.envelope',
    {
      'id-event-data': () => JSON.stringify({ id, event: type, created_at: at, data }),
      'type-timestamp-data': () => JSON.stringify({ type, timestamp: at, data }),
      flat: () => JSON.stringify({ event: type, ...data }),
    },
    'shown',
  )
}

/** What is said of the message. */
function dataOf(event: MailEvent, context: RenderContext): object {
  const { agentHandle, recipient } = event
  const outcome = recipient === null ? {} : { recipient }
  return context.settle(
    'events.data',
    {
      flat: (): object => ({ ...fieldsOf(event, context), ...outcome }),
      nested: (): object => {
        return { agent_handle: agentHandle, message: renderMessage(event.message, context), ...outcome }
      },
    },
    'shown',
  )
}

function fieldsOf({ message, agentHandle }: MailEvent, { settle }: RenderContext): object {
  const { id, thread_id, from, to, subject, created_at } = message
  return {
    message_id: id,
    thread_id,
    agent_handle: agentHandle,
    direction: directionOf(message, settle),
    from,
    to,
    subject,
    created_at: timestamp(created_at, settle),
  }
}
