import { eventTypes } from '../../contract/events.js'
import { z } from '../../contract/schema.js'
import { instantSchema as instant } from '../instant-schema.js'
import { formatInstant, parseInstant } from '../time.js'
import { attemptCauses, attemptErrorCodes } from './delivery.js'
import { DeliveryRecord, type RecordedAttempt } from './delivery-record.js'

const headers = () => z.record(z.string(), z.string())

const attempt = () =>
  z.strictObject({
    cause: z.enum(attemptCauses),
    at: instant(),
    duration_ms: z.number().min(0),
    headers: headers(),
    answer: z
      .strictObject({
        status: z.int(),
        headers: headers(),
        body: z.string().nullable(),
        incomplete: z.string().optional(),
      })
      .nullable(),
    error: z.strictObject({ code: z.enum(attemptErrorCodes), message: z.string() }).nullable(),
  })

/** A delivery that is not over, as snapshots hold it. */
export const unfinishedSchema = () =>
  z.strictObject({
    id: z.string(),
    event: z.strictObject({
      id: z.string(),
      type: z.enum(eventTypes),
      at: instant(),
      agent_handle: z.string(),
      message_id: z.string(),
      thread_id: z.string(),
    }),
    webhook_id: z.string(),
    url: z.url({ protocol: /^https?$/ }),
    body: z.string(),
    ordinal: z.int().min(0).describe('Its place among the deliveries of its subscription, counted from 0.'),
    succeeded: z.boolean().describe('Whether all that is to come is a duplicate of it.'),
    next_attempt_at: instant().nullable().describe('Null where an attempt was under way: it is made anew.'),
    attempts: z.array(attempt()).describe('Those that have ended, the oldest first.'),
  })

/** A delivery that is not over, as snapshots hold it. */
export type Unfinished = z.output<ReturnType<typeof unfinishedSchema>>

/** A delivery that is not over, written down. */
export function writeUnfinished({
  id,
  event,
  webhookId,
  url,
  body,
  ordinal,
  state,
}: DeliveryRecord): Unfinished {
  const { attempts, nextAttemptAt, status } = state
  return {
    id,
    event: {
      id: event.id,
      type: event.type,
      at: formatInstant(event.at),
      agent_handle: event.agentHandle,
      message_id: event.messageId,
      thread_id: event.threadId,
    },
    webhook_id: webhookId,
    url,
    body,
    ordinal,
    succeeded: status === 'succeeded',
    next_attempt_at: nextAttemptAt === null ? null : formatInstant(nextAttemptAt),
    attempts: attempts.flatMap(writeAttempt),
  }
}

function writeAttempt({
  cause,
  at,
  duration,
  request,
  answer,
  error,
}: RecordedAttempt): Unfinished['attempts'] {
  if (duration === null) return []
  const { headers } = request
  return [{ cause, at: formatInstant(at), duration_ms: duration, headers, answer: answer ?? null, error }]
}

/** A delivery that is not over, as it was when it was written down. */
export function readUnfinished(written: Unfinished): DeliveryRecord {
  const { id, event, webhook_id, url, body, ordinal, succeeded, next_attempt_at, attempts } = written
  const head = {
    id: event.id,
    type: event.type,
    at: parseInstant(event.at) as number,
    agentHandle: event.agent_handle,
    messageId: event.message_id,
    threadId: event.thread_id,
  }
  const state = {
    status: succeeded ? ('succeeded' as const) : ('pending' as const),
    reason: null,
    attempts: attempts.map((attempt) => readAttempt(attempt, url, body)),
    nextAttemptAt: next_attempt_at === null ? null : (parseInstant(next_attempt_at) as number),
    duplicateIsDue: succeeded && next_attempt_at === null,
    reliances: [],
  }
  return new DeliveryRecord(id, head, { id: webhook_id, url }, { body, ordinal, state })
}

function readAttempt(
  { cause, at, duration_ms, headers, answer, error }: Unfinished['attempts'][number],
  url: string,
  body: string,
): RecordedAttempt {
  const request = { url, headers, body }
  const { incomplete, ...rest } = answer ?? { status: 0, headers: {}, body: null }
  const answered = answer && { ...rest, ...(incomplete !== undefined && { incomplete }) }
  return {
    cause,
    at: parseInstant(at) as number,
    duration: duration_ms,
    request,
    answer: answered ?? undefined,
    error,
  }
}
