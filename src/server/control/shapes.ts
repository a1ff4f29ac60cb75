import { eventTypes, webhookSchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { attemptCauses, attemptErrorCodes, deliveryStatuses, parseClockMode } from '../../world/index.js'

/** A clock mode, as people write it. */
export const clockMode = z
  .string()
  .transform((text) => parseClockMode(text))
  .describe('`real`, `frozen` or a speed such as `10x`.')

/** A clock mode in an answer. */
export const shownClockMode = z.string().describe('`real`, `frozen` or a speed such as `10x`.')

/** An instant in an answer. */
export const instant = z.string().describe("The world's time, ISO 8601 UTC.")

/** Headers of a request or an answer. */
export const headers = z.record(z.string(), z.string()).describe('Keys and tokens are masked.')

/** The reliances of an answer or a delivery. */
export const reliances = z.array(
  z.object({
    gap: z.string(),
    reading: z.string().describe('The one in force.'),
    instead: z.array(z.string()).describe('Those under which it would have been different.'),
  }),
)

/** Returns the schema of a whole number in a query, where everything is text. */
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
  since: wholeNumber(0).optional().describe('Only what comes after the one of this `seq`.'),
  limit: wholeNumber(1).optional().describe('At most so many, the oldest of them; all otherwise.'),
}

/** Tells whether a value is a JSON object. */
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A subscription as the control API shows it. */
export const subscriptionSchema = webhookSchema().extend({
  url: z.string().describe('Keys and tokens are masked.'),
  secret: z
    .string()
    .describe(
      'The key that signs its deliveries, where a reading has them signed: shown here, and nowhere else.',
    ),
})

const attempt = z.object({
  number: z.int().min(1),
  cause: z
    .enum(attemptCauses)
    .describe('For the event itself, after a failure, as a duplicate, or because somebody asked.'),
  at: instant,
  duration_ms: z
    .number()
    .min(0)
    .nullable()
    .describe("How long the receiver took, in the world's time; null while it is in flight."),
  request: z.object({ headers, body: z.string().describe('The same at every attempt.') }),
  response: z
    .object({
      status: z.int(),
      headers,
      body: z.string().nullable().describe('Cut after 4 KiB; null where there was none, or no text.'),
    })
    .nullable()
    .describe("The receiver's answer."),
  error: z
    .object({ code: z.enum(attemptErrorCodes), message: z.string() })
    .nullable()
    .describe('Why it was not answered.'),
})

/** A delivery as answers carry it. */
export const deliverySchema = z
  .object({
    id: z.string(),
    status: z
      .enum(deliveryStatuses)
      .describe('`pending` as long as attempts are to come; everything else is how it ended.'),
    event: z.object({
      id: z.string().describe('The same at every attempt.'),
      type: z.enum(eventTypes),
      at: instant,
    }),
    webhook_id: z.string(),
    url: z.string().describe('Keys and tokens are masked.'),
    reason: z
      .string()
      .nullable()
      .describe('Why it was blocked, captured, given up or interrupted; null where it was not.'),
    agent_handle: z.string().describe('The agent whose mail it is about.'),
    message_id: z.string(),
    thread_id: z.string(),
    attempts: z.array(attempt).describe('Every HTTP request, the oldest first.'),
    next_attempt_at: instant.nullable().describe('Null where no attempt is planned.'),
    reliances,
  })
  .meta({ description: 'One event on its way to one subscription' })
