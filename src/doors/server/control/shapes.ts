import { z } from '../../../base/schema.js'
import { eventTypes, webhookSchema } from '../../../contract/resources.js'
import { parseClockMode } from '../../../service/time/time.js'
import { attemptCauses, attemptErrorCodes, deliveryStatuses } from '../../../service/webhooks/delivery.js'

/** A clock mode in a request; converts it to a `ClockMode`. */
export const clockMode = z
  .string()
  .transform((text) => parseClockMode(text))
  .describe('`real`, `frozen` or a speed such as `10x`.')

/** A clock mode in a response. */
export const shownClockMode = z.string().describe('`real`, `frozen` or a speed such as `10x`.')

/** An instant in a response. */
export const shownInstant = z.string().describe("The world's time, ISO 8601 UTC.")

/** The headers of a request or a response. */
export const headers = z.record(z.string(), z.string()).describe('Keys and tokens are masked.')

/** The reliances of a response or a delivery. */
export const reliances = z.array(
  z.object({
    gap: z.string(),
    assumption: z.string().describe('The assumption in force.'),
    instead: z.array(z.string()).describe('The assumptions under which it would have been different.'),
  }),
)

/** Returns the schema of a whole number in a query, where all values are strings. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .refine((number) => number >= minimum, `expected ${minimum} or more`)
    .refine((number) => number <= maximum, `expected ${maximum} or less`)
    .meta({ type: 'integer', minimum })
}

/** Query parameters that select a part of a journal. */
export const part = {
  since: wholeNumber(0).optional().describe('Only entries after the one with this `seq`.'),
  limit: wholeNumber(1)
    .optional()
    .describe('The maximum number of entries, oldest first; unlimited by default.'),
}

/** A subscription in the form that the control API returns. */
export const subscriptionSchema = webhookSchema().extend({
  url: z.string().describe('Keys and tokens are masked.'),
  secret: z
    .string()
    .describe(
      'The key that signs its deliveries if an assumption requires signatures. Only the operations on subscriptions return it.',
    ),
})

const attempt = z.object({
  number: z.int().min(1),
  cause: z
    .enum(attemptCauses)
    .describe('Why the attempt was made: for the event, after a failure, as a duplicate, or on request.'),
  at: shownInstant,
  duration_ms: z
    .number()
    .min(0)
    .nullable()
    .describe(
      'How long the receiver took, in wall time and in time that an advance skipped; null while the attempt is in flight.',
    ),
  request: z.object({ headers, body: z.string().describe('The same for every attempt.') }),
  response: z
    .object({
      status: z.int(),
      headers,
      body: z.string().nullable().describe('Cut after 4 KiB; null if there was none, or if it was not text.'),
    })
    .nullable()
    .describe("The receiver's response; null if there was none."),
  error: z
    .object({ code: z.enum(attemptErrorCodes), message: z.string() })
    .nullable()
    .describe('Why there was no response; otherwise null.'),
})

/** A delivery in a response. */
export const deliverySchema = z
  .object({
    id: z.string(),
    status: z
      .enum(deliveryStatuses)
      .describe('`pending` while more attempts follow; any other value says how the delivery ended.'),
    event: z.object({
      id: z.string().describe('The same for every attempt.'),
      type: z.enum(eventTypes),
      at: shownInstant,
    }),
    webhook_id: z.string(),
    url: z.string().describe('Keys and tokens are masked.'),
    reason: z
      .string()
      .nullable()
      .describe('Why the delivery was blocked, captured, given up or interrupted; otherwise null.'),
    agent_handle: z.string().describe('The agent whose mail the event concerns.'),
    message_id: z.string(),
    thread_id: z.string(),
    attempts: z.array(attempt).describe('All HTTP requests of the delivery, oldest first.'),
    next_attempt_at: shownInstant.nullable().describe('Null if no attempt is scheduled.'),
    reliances,
  })
  .meta({ description: 'The delivery of one event to one subscription.' })
