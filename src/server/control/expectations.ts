import { z } from '../../contract/schema.js'
import { expectationKinds } from '../../world/index.js'
import { defineRoute } from './route.js'
import { shownInstant } from './shapes.js'

const result = z.object({
  index: z.int().min(0).describe('Its position in the scenario.'),
  key: z.string().nullable(),
  kind: z.enum(expectationKinds),
  describe: z.string().describe('What must be true, in a sentence.'),
  passed: z.boolean().describe('Whether it would hold if the story ended now.'),
  at: shownInstant,
  expected: z.string(),
  found: z.string(),
  nearest: z
    .object({
      line: z.string(),
      exchange: z.int().nullable().describe('The `seq` of the exchange; null if it is something else.'),
      at: shownInstant,
      differences: z.array(z.string()),
    })
    .nullable()
    .describe('What came closest, if it would not hold.'),
})

/** Routes of the expectations of a scenario. */
export const expectationRoutes = [
  defineRoute('GET /expectations', {
    summary: 'Reports whether each expectation of the scenario would hold if the story ended now.',
    answer: z.object({ expectations: z.array(result) }),
    perform: ({ expectations }) => ({ expectations: expectations().results() }),
  }),
]
