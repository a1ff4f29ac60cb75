import { isJsonObject, z } from '../../../base/index.js'
import {
  isProfileName,
  parseChoice,
  profileReadings,
  type ReadingChoices,
} from '../../../service/readings/index.js'
import type { Simulator } from '../../simulator/index.js'
import { defineRoute } from './route.js'

/** Readings by gap. */
export const readingChoices = z
  .custom<ReadingChoices>(isJsonObject, {
    error: 'expected a JSON object of readings by gap, such as {"threads.total": "page-size"}',
  })
  // Checks every own key, including `__proto__`, which `z.record` would skip.
  .superRefine((choices, context) => {
    for (const [gap, reading] of Object.entries(choices)) {
      if (typeof reading === 'string') continue
      if (gap === 'readings' && isJsonObject(reading)) {
        const sample = JSON.stringify(reading)
        const message = `leave out the wrapper "readings"; the body is ${sample.length < 80 ? sample : '{"gap": "reading", …}'}`
        context.addIssue({ code: 'custom', message })
        continue
      }
      const message = `the reading of "${gap}" must be a string, such as "page-size" or "401"`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Readings by gap.' })

/** A profile, or `gap=reading,…`; never a file, because clients must not make the server read files. @throws ReadingError */
export const readingsByName = z.string().transform((text): string | ReadingChoices => {
  if (isProfileName(text)) return text
  const choices = text.includes('=') ? text.split(',').map(parseChoice) : [profileReadings(text)]
  return Object.assign({}, ...choices)
})

const currentReadings = z.object({
  readings: z.record(z.string(), z.string()).describe('The reading of every gap.'),
  origins: z.record(z.string(), z.string()).describe('Where the choice of each reading comes from.'),
  gaps: z
    .array(
      z.object({
        gap: z.string(),
        question: z.string(),
        reading: z.string().describe('The reading in force.'),
        from: z.string().describe('Where the choice of this reading comes from.'),
        readings: z.array(z.object({ name: z.string(), means: z.string(), example: z.string() })),
        worst: z.string().describe('The worst reading for a client.'),
        advice: z.string(),
        evidence: z.string(),
      }),
    )
    .describe('Every gap of the register.'),
})

const reliance = z.object({
  gap: z.string(),
  reading: z.string(),
  operations: z.array(z.string()).describe('The operations whose responses depend on the gap.'),
  events: z
    .array(z.string())
    .optional()
    .describe('The types of the events whose deliveries depend on the gap; omitted if there are none.'),
  count: z.int().describe('The number of responses and deliveries that depend on the gap.'),
})

/** Routes of readings and reliances. */
export const readingRoutes = [
  defineRoute('GET /readings', {
    summary: 'Shows the reading of every gap, and where each choice comes from.',
    answer: currentReadings,
    perform: ({ simulator }) => show(simulator),
  }),
  defineRoute('PATCH /readings', {
    summary: 'Changes the given readings; if one of them is invalid, none is changed.',
    body: readingChoices,
    answer: currentReadings,
    perform({ simulator, body }) {
      simulator.readings.set(body)
      return show(simulator)
    },
  }),
  defineRoute('GET /reliances', {
    summary: 'Lists the gaps on which responses and deliveries depend so far.',
    answer: z.object({ reliances: z.array(reliance) }),
    perform: ({ simulator }) => ({ reliances: simulator.reliances() }),
  }),
]

function show({ readings }: Simulator): object {
  return { readings: readings.current(), origins: readings.origins(), gaps: readings.register() }
}
