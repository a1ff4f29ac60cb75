import { z } from '../../contract/schema.js'
import { expectationKinds } from '../../world/index.js'
import { defineRoute } from './route.js'
import { instant } from './shapes.js'

const result = z.object({
  index: z.int().min(0).describe('Its place in the scenario.'),
  key: z.string().nullable(),
  kind: z.enum(expectationKinds),
  describe: z.string().describe('What must be true, in a sentence.'),
  passed: z.boolean().describe('Whether it holds if the story is over now.'),
  at: instant,
  expected: z.string(),
  found: z.string(),
  nearest: z
    .object({
      line: z.string(),
      exchange: z.int().nullable().describe('The `seq` of the exchange; null for anything else.'),
      at: instant,
      differences: z.array(z.string()),
    })
    .nullable()
    .describe('What came closest, where it does not hold.'),
})

/** Routes of the expectations of a scenario. */
export const expectationRoutes = [
  defineRoute('GET /expectations', {
    summary: 'Whether each expectation of the scenario holds if the story is over now.',
    answer: z.object({ expectations: z.array(result) }),
    perform: ({ expectations }) => ({ expectations: expectations().results() }),
  }),
]
