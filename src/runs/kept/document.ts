import { z } from '../../base/schema.js'

/** The value of `format` in `results.json`. */
export const resultsFormat = 'agent-mailbox-sim/results'

/** The latest version of `results.json` that this program reads, and the one that it writes. */
export const resultsVersion = 1

/** The content of `results.json`: the play that the report shows. */
export const documentSchema = z.looseObject({
  format: z.literal(resultsFormat),
  version: z.int().min(1),
  scenario: z.string().describe('A shipped scenario, or a path from this folder that begins with a dot.'),
  copy: z.string().optional().describe('The path of a copy in this folder, which stays as it was played.'),
  extend: z.array(z.string()),
  seed: z.int(),
  start: z.string(),
  attacks: z
    .looseObject({ names: z.array(z.string()), form: z.enum(['hostile', 'benign']) })
    .optional()
    .describe('The attacks that were laid over the scenario, or their harmless counterparts.'),
  exchanges: z.int().min(0),
  commands: z.string().nullable().describe('The file beside it with what happened, an entry a line.'),
  traffic: z.string().nullable().describe('The file beside it with the requests and deliveries, one a line.'),
})

/** The content of `results.json`. */
export type ResultsDocument = z.output<typeof documentSchema>
