import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { webhookSchema } from '../../contract/resources.js'
import { parseClockMode } from '../../service/time/time.js'

/** A clock mode in a request; converts it to a `ClockMode`. */
export const clockMode = () =>
  z
    .string()
    .transform((text) => parseClockMode(text))
    .describe('`real`, `frozen` or a speed such as `10x`.')

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

/** Query parameters that select a part of a list in the order of the log. */
export const part = () => ({
  since: wholeNumber(0).optional().describe('Only entries after the one with this `seq`.'),
  limit: wholeNumber(1)
    .optional()
    .describe('The maximum number of entries, oldest first; unlimited by default.'),
})

/** Query parameters that select a page of a list of mail. */
export const page = (limit: string) => ({
  offset: wholeNumber(0).optional().describe('The number of entries to skip; 0 by default.'),
  limit: wholeNumber(1, 1000)
    .optional()
    .describe(`The maximum number of entries, at most 1000; ${limit} by default.`),
})

/** Returns the schema of an object that the manual describes. */
export const someObject = () => z.object({}).loose()

/** Returns the schema of a list of such objects, by its name. */
export const listNamed = (name: string) => () => z.object({ [name]: z.array(someObject()) }).loose()

/** A subscription in the form that the control API returns. */
export const subscriptionSchema = once(() =>
  webhookSchema().extend({
    url: z.string().describe('Keys and tokens are masked.'),
    secret: z
      .string()
      .describe(
        'The key that signs its deliveries if an assumption requires signatures. Only the operations on subscriptions return it.',
      ),
  }),
)
