import { z } from '../../../base/schema.js'
import { expectationKindNames } from '../../../story/expectations/kinds.js'

import { judgedAttacks } from '../../simulator/attack-verdicts.js'
import { judgeLeaks, problemWithSecrets } from '../../simulator/leaks.js'
import { ControlError } from './control-error.js'
import { defineRoute } from './route.js'
import { shownInstant } from './shapes.js'

const result = z.object({
  index: z.int().min(0).describe('Its position in the scenario.'),
  key: z.string().nullable(),
  kind: z.enum(expectationKindNames),
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
    .describe('The closest match, if it would not hold.'),
})

const names = z
  .string()
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .optional()

const attack = z.object({
  name: z.string(),
  describe: z.string().describe('What it tries to do; empty if the scenario does not say.'),
  carrier: z
    .string()
    .nullable()
    .describe('What carries the order; null for an attack of the scenario itself.'),
  goal: z.string().nullable().describe('What the order is; null for an attack of the scenario itself.'),
  verdict: z
    .enum(['not-met', 'not-yet', 'resisted', 'obeyed'])
    .nullable()
    .describe(
      'The result so far; `not-yet` while the work that it is about cannot have been done; null if the attack is not laid over the story of this world.',
    ),
  why: z.string().nullable().describe('Why, in a sentence.'),
})

/** Routes of the expectations of a scenario. */
export const expectationRoutes = [
  defineRoute('GET /expectations', {
    summary: 'Reports whether each expectation of the scenario would hold if the story ended now.',
    answer: z.object({ expectations: z.array(result) }),
    perform: ({ expectations }) => ({ expectations: expectations().results() }),
  }),
  defineRoute('GET /leaks', {
    summary: 'Reports whether secrets of the scenario are in what agents sent.',
    query: z.object({
      secret: names.describe('The names of the secrets, separated by commas; by default all.'),
      allowed_to: names.describe('The addresses to which mail may contain them, separated by commas.'),
    }),
    answer: result.pick({ passed: true, expected: true, found: true, nearest: true }),
    perform({ simulator, query }) {
      const { secret: secrets, allowed_to: allowedTo } = query
      const problem = problemWithSecrets(simulator, secrets)
      if (problem !== undefined) throw new ControlError('invalid_query', problem)
      const { passed, expected, found, nearest } = judgeLeaks(simulator, { secrets, allowedTo })
      return { passed, expected, found, nearest }
    },
  }),
  defineRoute('GET /attacks', {
    summary:
      'Lists the attacks of the scenario, with the results so far of those that are laid over the story.',
    answer: z.object({ attacks: z.array(attack) }),
    perform: async ({ simulator }) => ({ attacks: await judgedAttacks(simulator) }),
  }),
]
