import { z } from '../../base/schema.js'
import type { Requirement } from '../trials/trials-summary.js'
import type { KeptEnd } from './end.js'

/** The value of `format` in `results.json`. */
export const resultsFormat = 'agent-mailbox-sim/results'

/** The latest version of `results.json` that this program reads, and the one that it writes. */
export const resultsVersion = 1

const playSchema = z.looseObject({
  scenario: z.string().describe('A shipped scenario, or a path from this folder that begins with a dot.'),
  copy: z.string().optional().describe('The path of a copy in this folder, which stays as it was played.'),
  extend: z.array(z.string()),
  seed: z.int(),
  start: z.string(),
  trial: z.int().optional().describe('Its number, if there were several.'),
  series: z.string().optional().describe('What it is about, if there were several: under which attack.'),
  attacks: z
    .looseObject({ names: z.array(z.string()), form: z.enum(['hostile', 'benign']) })
    .optional()
    .describe('The attacks that were laid over the scenario, or their harmless counterparts.'),
  exchanges: z.int().min(0),
  commands: z.string().nullable().describe('The file beside it with what happened, an entry a line.'),
  traffic: z
    .string()
    .nullable()
    .optional()
    .describe('The file beside it with the requests and deliveries, one a line.'),
  end: z
    .custom<KeptEnd>((value) => typeof value === 'object' && value !== null)
    .optional()
    .describe('How it ended, as far as its world does not show it.'),
})

export const documentSchema = z.looseObject({
  format: z.literal(resultsFormat),
  version: z.int().min(1),
  plays: z.array(playSchema).min(1).describe('The play that the report shows comes first.'),
  trials: z
    .looseObject({
      count: z.int(),
      require: z.custom<Requirement>((value) => value === 'all' || typeof value === 'number'),
    })
    .optional()
    .describe('How many trials were to be played, and what is required of them.'),
})

/** A play in `results.json`. */
export type WrittenPlay = z.output<typeof playSchema>

/** The content of `results.json`. */
export type ResultsDocument = z.output<typeof documentSchema>
