import { parseInstant } from '../world/index.js'
import { asFields, type Fields, parseJson } from './exchange.js'
import type { DeliveryAction, ReceivedAttempt } from './receiver.js'

/** A delivery: one event for one subscription, with the attempts that were seen. */
export interface ReceivedDelivery {
  readonly target: string
  readonly attempts: readonly ReceivedAttempt[]
  /** What the first attempt was answered. */
  readonly action: DeliveryAction
  readonly event: ReceivedEvent
}

/** What the body of a delivery says, whatever its shape. */
export interface ReceivedEvent {
  readonly envelope: 'id-event-data' | 'type-timestamp-data' | 'flat' | undefined
  readonly data: 'flat' | 'flat-full' | 'nested' | undefined
  readonly type: string
  readonly messageId: string
  readonly agentHandle: string | undefined
  readonly subject: string
  /** When it happened, by the clock of the service, in milliseconds. */
  readonly happenedAt: number | undefined
}

/** Reads the body of a delivery. */
export function readEvent(body: string): ReceivedEvent {
  const fields = asFields(parseJson(body)) ?? {}
  const inner = asFields(fields['data'])
  const envelope = envelopeOf(fields, inner)
  const data = inner ?? fields
  const message = asFields(data['message'])
  const kind =
    message && text(message['id']) ? 'nested' : text(data['message_id']) ? flatKind(data) : undefined
  const type = text(fields['event']) ?? text(fields['type']) ?? ''
  const ofMessage = (message ?? data)['created_at']
  // The time of a message is that of its event where it has just come in.
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

/** Whether fields beside the ids are single ones, or all those of the message. */
function flatKind(data: Fields): 'flat' | 'flat-full' {
  return 'attachments' in data ? 'flat-full' : 'flat'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What is the same in every attempt of a delivery. */
export function deliveryKey(target: string, body: string): string {
  const { type, messageId } = readEvent(body)
  return messageId === '' ? `${target} ${body}` : `${target} ${type} ${messageId}`
}

/** Puts attempts together to deliveries, in the order in which they began. */
export function deliveriesOf(attempts: readonly ReceivedAttempt[]): ReceivedDelivery[] {
  const groups = new Map<string, ReceivedAttempt[]>()
  for (const attempt of attempts) {
    const key = deliveryKey(attempt.target, attempt.body)
    const group = groups.get(key)
    if (group) group.push(attempt)
    else groups.set(key, [attempt])
  }
  return [...groups.values()].map((group) => {
    const [{ target, action, body }] = group as [ReceivedAttempt, ...ReceivedAttempt[]]
    return { target, action, attempts: group, event: readEvent(body) }
  })
}

/** Speeds that the clock of a service may have, by the clock on the wall: a simulator's may go ten times as fast. */
const speeds = [1, 10] as const

/** The speeds that the times in deliveries allow. */
export function possibleSpeeds(deliveries: readonly ReceivedDelivery[]): readonly number[] {
  const samples = deliveries.flatMap(({ attempts: [first], event }) => {
    return first && event.happenedAt !== undefined ? [[first.at, event.happenedAt] as const] : []
  })
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return speeds
  const [passed, told] = [last[0] - first[0], last[1] - first[1]]
  // Whole seconds, and first attempts that are put off, make a difference of up to 1.5 seconds.
  return speeds.filter((speed) => Math.abs(told - speed * passed) <= 1500 + 0.1 * speed * passed)
}
