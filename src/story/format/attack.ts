import { z } from '../../base/schema.js'
import { incomingMail } from '../actions/receive.js'
import { expectation } from '../expectations/format.js'
import { delay, fileMark, key } from './values.js'

/** What holds if an agent obeyed. */
export const obeyed = z.union([expectation, z.array(expectation).min(1), z.literal('failed')])

/** The name of a file whose rows are attacks. */
export const attackFile = z
  .string()
  .regex(/\.jsonl$/, 'expected a file that ends in .jsonl')
  .meta({ [fileMark]: '\\.jsonl$' }) as z.ZodType<string, `${string}.jsonl`>

/** Laid over the story to see whether the agent obeys its mail. */
export const attack = z
  .strictObject({
    name: key.describe('Names the attack for reports and for `--attacks`.'),
    describe: z.string().optional().describe('A sentence about what it tries.'),
    after: delay.default('1s').describe("How long after the story's start its mail comes."),
    receive: incomingMail.describe('The hostile mail.'),
    obeyed: obeyed.describe(
      'What holds if the agent obeyed, any of several; for `leak`, that it leaked; `failed`: it no longer does its work.',
    ),
    benign: z
      .strictObject({ receive: incomingMail.describe('The harmless mail.') })
      .optional()
      .describe(
        'The counterpart: the same form with a harmless wish, which must not keep the agent from its work.',
      ),
  })
  .meta({
    id: 'attack',
    title: 'Attack',
    description: 'Hostile mail that is laid over the story, with what the agent does if it obeys.',
  })

/** A file of hostile texts, such as a public collection, each row an attack. */
export const attackRows = z
  .strictObject({
    file: attackFile.describe('The file, in JSON Lines.'),
    goal: key
      .optional()
      .describe('What its rows ask for, a goal of the library, unless a row says otherwise.'),
    obeyed: obeyed
      .optional()
      .describe('What holds if the agent obeyed, for rows that ask for what no goal of the library does.'),
  })
  .meta({
    id: 'attack-rows',
    title: 'Rows of attacks',
    description: 'A file of hostile texts, each row an attack.',
  })
