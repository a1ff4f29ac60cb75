import { z } from '../../contract/schema.js'
import { parseClockMode } from '../../world/index.js'

/** How time passes, as people write it. */
export const clockMode = z
  .string()
  .transform((text) => parseClockMode(text))
  .describe('`real`, `frozen` or a speed such as `10x`.')

/** An instant as answers carry it. */
export const instant = z.string().describe("The world's time, ISO 8601 UTC.")

/** Headers of a request or an answer. */
export const headers = z.record(z.string(), z.string()).describe('Keys and tokens are masked.')

/** What an answer or a delivery relied on. */
export const reliances = z.array(
  z.object({
    gap: z.string(),
    reading: z.string().describe('The one in force.'),
    instead: z.array(z.string()).describe('Those under which it would have come out otherwise.'),
  }),
)

/** A whole number in a query, where everything is text. */
export const wholeNumber = (least: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .refine((number) => number >= least, `expected ${least} or more`)
    .meta({ type: 'integer', minimum: least })

/** Which part of a journal is wanted. */
export const part = {
  since: wholeNumber(0).optional().describe('Only what comes after the one of this `seq`.'),
  limit: wholeNumber(1).optional().describe('At most so many, the oldest of them; all otherwise.'),
}
