import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { isProfileName, parseChoice, profileReadings, type ReadingChoices } from '../../world/index.js'
import { defineRoute } from './route.js'
import { isObject } from './shapes.js'

/** Readings by gap. */
export const readingChoices = z
  .custom<ReadingChoices>(isObject, {
    error: 'expected a JSON object of readings by gap, such as {"threads.total": "page-size"}',
  })
  // Every own key counts, `__proto__` too, which a record would skip.
  .superRefine((given, context) => {
    for (const [gap, reading] of Object.entries(given)) {
      if (typeof reading === 'string') continue
      const message = `the reading of "${gap}" must be a string, such as "page-size" or "401"`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Readings by gap.' })

/** A profile, or `gap=reading,…`; never a file, since clients must not have the server read files. @throws ReadingError */
export const readingsByName = z.string().transform((text): string | ReadingChoices => {
  if (isProfileName(text)) return text
  const choices = text.includes('=') ? text.split(',').map(parseChoice) : [profileReadings(text)]
  return Object.assign({}, ...choices)
})

const currentReadings = z.object({
  readings: z.record(z.string(), z.string()).describe('The reading of every gap.'),
  origins: z.record(z.string(), z.string()).describe('Who chose each.'),
  gaps: z
    .array(
      z.object({
        gap: z.string(),
        question: z.string(),
        reading: z.string().describe('The one in force.'),
        from: z.string().describe('Who chose it.'),
        readings: z.array(z.object({ name: z.string(), means: z.string(), example: z.string() })),
        worst: z.string().describe('The reading that gives a client least.'),
        advice: z.string(),
        evidence: z.string(),
      }),
    )
    .describe('Every gap of the register.'),
})

const reliance = z.object({
  gap: z.string(),
  reading: z.string(),
  operations: z.array(z.string()).describe('The operations whose answers relied on it.'),
  events: z
    .array(z.string())
    .optional()
    .describe('The types of the events whose deliveries relied on it, where there are any.'),
  count: z.int().describe('How many requests and deliveries did.'),
})

/** Routes of readings and reliances. */
export const readingRoutes = [
  defineRoute('GET /readings', {
    summary: 'The reading of every gap, and who chose it.',
    answer: currentReadings,
    perform: ({ simulator }) => show(simulator),
  }),
  defineRoute('PATCH /readings', {
    summary: 'Changes some readings; if one is wrong, none.',
    body: readingChoices,
    answer: currentReadings,
    perform({ simulator, body }) {
      simulator.readings.set(body)
      return show(simulator)
    },
  }),
  defineRoute('GET /reliances', {
    summary: 'The silent points of the interface that requests and deliveries so far relied on.',
    answer: z.object({ reliances: z.array(reliance) }),
    perform: ({ simulator }) => ({ reliances: simulator.reliances() }),
  }),
]

function show({ readings }: Simulator): object {
  return { readings: readings.current(), origins: readings.origins(), gaps: readings.register() }
}
