import { parseJson } from '../contract/json.js'
import { parseInstant } from '../world/index.js'
import { asFields, type Fields } from './exchange.js'
import type { DeliveryAction, ReceivedAttempt } from './receiver.js'

/** A delivery: one event for one subscription, with the attempts that were seen. */
export interface ReceivedDelivery {
  readonly target: string
  readonly attempts: readonly ReceivedAttempt[]
  readonly first: ReceivedAttempt
  /** The answer to the first attempt. */
  readonly action: DeliveryAction
  readonly event: ReceivedEvent
}

/** The contents of a delivery's body in any shape. */
interface ReceivedEvent {
  readonly envelope: 'id-event-data' | 'type-timestamp-data' | 'flat' | undefined
  readonly data: 'flat' | 'flat-full' | 'nested' | undefined
  readonly type: string
  readonly messageId: string
  readonly agentHandle: string | undefined
  readonly subject: string
  /** When it happened on the clock of the service, in milliseconds. */
  readonly happenedAt: number | undefined
}

/** Parses the body of a delivery. */
function readEvent(body: string): ReceivedEvent {
  const fields = asFields(parseJson(body)) ?? {}
  const inner = asFields(fields['data'])
  const envelope = envelopeOf(fields, inner)
  const data = inner ?? fields
  const message = asFields(data['message'])
  const kind =
    message && text(message['id']) ? 'nested' : text(data['message_id']) ? flatKind(data) : undefined
  const type = text(fields['event']) ?? text(fields['type']) ?? ''
  const ofMessage = (message ?? data)['created_at']
  // For received mail, the time of the message is that of the event.
  const time = inner
    ? (fields['created_at'] ?? fields['timestamp'])
    : type === 'message.received'
      ? ofMessage
      : undefined
  return {
    ...{ envelope, data: kind, type },
    messageId: text(message?.['id']) ?? text(data['message_id']) ?? '',
    agentHandle: text(data['agent_handle']),
    subject: text((message ?? data)['subject']) ?? '',
    happenedAt: typeof time === 'string' ? parseInstant(time) : undefined,
  }
}

function envelopeOf(fields: Fields, inner: Fields | undefined): ReceivedEvent['envelope'] {
  const has = (...names: readonly string[]): boolean =>
    names.every((name) => text(fields[name]) !== undefined)
  if (!inner) return has('event') ? 'flat' : undefined
  if (has('id', 'event', 'created_at')) return 'id-event-data'
  return has('type', 'timestamp') && fields['event'] === undefined ? 'type-timestamp-data' : undefined
}

/** Returns whether the data has only a few fields of the message, or all. */
function flatKind(data: Fields): 'flat' | 'flat-full' {
  return 'attachments' in data ? 'flat-full' : 'flat'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a key that all attempts of a delivery share. */
export function deliveryKey(target: string, body: string): string {
  const { type, messageId } = readEvent(body)
  return messageId === '' ? `${target} ${body}` : `${target} ${type} ${messageId}`
}

/** Groups attempts by delivery, in the order of their first attempts. */
export function deliveriesOf(attempts: readonly ReceivedAttempt[]): ReceivedDelivery[] {
  const groups = new Map<string, ReceivedAttempt[]>()
  for (const attempt of attempts) {
    const key = deliveryKey(attempt.target, attempt.body)
    const group = groups.get(key)
    if (group) group.push(attempt)
    else groups.set(key, [attempt])
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [ReceivedAttempt, ...ReceivedAttempt[]]
    const { target, action, body } = first
    return { target, action, attempts: group, first, event: readEvent(body) }
  })
}

/** Returns the path and query of a webhook's URL. */
export function targetOf({ url }: Fields): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
