import { eventTypes } from '../../contract/events.js'
import { z } from '../../contract/schema.js'
import { attemptCauses, attemptErrorCodes, deliveryStatuses } from '../../world/index.js'
import { headers, instant, reliances } from './values.js'

const attempt = z.object({
  number: z.int().min(1),
  cause: z
    .enum(attemptCauses)
    .describe('For the event itself, after a failure, once more for no reason, or because somebody asked.'),
  at: instant,
  duration_ms: z
    .number()
    .min(0)
    .nullable()
    .describe("How long the receiver took, of the world's time; null while it is under way."),
  request: z.object({ headers, body: z.string().describe('The same at every attempt.') }),
  response: z
    .object({
      status: z.int(),
      headers,
      body: z.string().nullable().describe('Cut after 4 KiB; null where there was none, or no text.'),
    })
    .nullable()
    .describe('What the receiver answered.'),
  error: z
    .object({ code: z.enum(attemptErrorCodes), message: z.string() })
    .nullable()
    .describe('What kept it from being answered.'),
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
