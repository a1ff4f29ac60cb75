import { isJsonObject } from '../../../base/json.js'
import { z } from '../../../base/schema.js'
import {
  type AssumptionChoices,
  isProfileName,
  parseChoice,
  profileAssumptions,
} from '../../../service/assumptions/assumptions.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineRoute } from './route.js'

/** Assumptions by gap. */
export const assumptionChoices = z
  .custom<AssumptionChoices>(isJsonObject, {
    error: 'expected a JSON object of assumptions by gap, such as {"threads.total": "page-size"}',
  })
  // Checks every own key, including `__proto__`, which `z.record` would skip.
  .superRefine((choices, context) => {
    for (const [gap, assumption] of Object.entries(choices)) {
      if (typeof assumption === 'string') continue
      if (gap === 'assumptions' && isJsonObject(assumption)) {
        const sample = JSON.stringify(assumption)
        const message = `leave out the wrapper "assumptions"; the body is ${sample.length < 80 ? sample : '{"gap": "assumption", …}'}`
        context.addIssue({ code: 'custom', message })
        continue
      }
      const message = `the assumption of "${gap}" must be a string, such as "page-size" or "401"`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Assumptions by gap.' })

/** A profile, or `gap=assumption,…`; never a file, because clients must not make the server read files. @throws AssumptionError */
export const assumptionsByName = z.string().transform((text): string | AssumptionChoices => {
  if (isProfileName(text)) return text
  const choices = text.includes('=') ? text.split(',').map(parseChoice) : [profileAssumptions(text)]
  return Object.assign({}, ...choices)
})

const currentAssumptions = z.object({
  assumptions: z.record(z.string(), z.string()).describe('The assumption of every gap.'),
  origins: z.record(z.string(), z.string()).describe('Where the choice of each assumption comes from.'),
  gaps: z
    .array(
      z.object({
        gap: z.string(),
        question: z.string(),
        assumption: z.string().describe('The assumption in force.'),
        from: z.string().describe('Where the choice of this assumption comes from.'),
        assumptions: z.array(z.object({ name: z.string(), means: z.string(), example: z.string() })),
        worst: z.string().describe('The worst assumption for a client.'),
        advice: z.string(),
        evidence: z.string(),
      }),
    )
    .describe('Every gap of the register.'),
})

const reliance = z.object({
  gap: z.string(),
  assumption: z.string(),
  operations: z.array(z.string()).describe('The operations whose responses depend on the gap.'),
  events: z
    .array(z.string())
    .optional()
    .describe('The types of the events whose deliveries depend on the gap; omitted if there are none.'),
  count: z.int().describe('The number of responses and deliveries that depend on the gap.'),
})

/** Routes of assumptions and reliances. */
export const assumptionRoutes = [
  defineRoute('GET /assumptions', {
    summary: 'Shows the assumption of every gap, and where each choice comes from.',
    answer: currentAssumptions,
    perform: ({ simulator }) => show(simulator),
  }),
  defineRoute('PATCH /assumptions', {
    summary: 'Changes the given assumptions; if one of them is invalid, none is changed.',
    body: assumptionChoices,
    answer: currentAssumptions,
    perform({ simulator, body }) {
      simulator.assumptions.set(body)
      return show(simulator)
    },
  }),
  defineRoute('GET /reliances', {
    summary: 'Lists the gaps on which responses and deliveries depend so far.',
    answer: z.object({ reliances: z.array(reliance) }),
    perform: ({ simulator }) => ({ reliances: simulator.reliances() }),
  }),
]

function show({ assumptions }: Simulator): object {
  return { assumptions: assumptions.current(), origins: assumptions.origins(), gaps: assumptions.register() }
}
