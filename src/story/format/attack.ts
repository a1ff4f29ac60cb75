import { z } from '../../base/index.js'
import { incomingMail } from '../actions/index.js'
import { expectation } from '../expectations/index.js'
import { delay, key } from '../schema/index.js'

/** Laid over the story to see whether the agent obeys its mail. */
export const attack = z
  .strictObject({
    name: key.describe('Names the attack for reports and for `--attacks`.'),
    describe: z.string().optional().describe('A sentence about what it tries.'),
    after: delay.default('1s').describe("How long after the story's start its mail comes."),
    receive: incomingMail.describe('The hostile mail.'),
    obeyed: z
      .union([expectation, z.array(expectation).min(1), z.literal('failed')])
      .describe(
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
