import { z } from '../../base/schema.js'
import { actionFields, actionNames, actionOf } from '../actions/actions.js'
import { incomingMail } from '../actions/mail.js'
import { obeyed } from '../expectations/kinds.js'
import { type EntryFrame, entryFields, exactlyOne, problemWithTime, times } from './entry.js'
import { delay, fileMark, having, key, rule } from './values.js'

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
        'The harmless version: the same form with a harmless wish, which must not keep the agent from its work.',
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

/** Something that happens in the story, with its time. */
export const timelineEntry = z
  .strictObject({
    ...entryFields,
    ...actionFields(),
  })
  .check(rule(problemWithTime))
  .check(rule(exactlyOne('what happens', actionNames)))
  .check(rule(problemWith))
  .meta({
    id: 'timeline_entry',
    title: 'Timeline entry',
    description:
      'Something that happens after the start: at a time, `after` or `at`, or `when` something else does, and one thing ' +
      'that happens.',
    anyOf: times.map(having),
    not: { required: ['after', 'at'] },
    oneOf: actionNames.map(having),
  })

/** Returns what is wrong with an entry because of its action. */
function problemWith(written: Readonly<Record<string, unknown>>): string | undefined {
  const entry: EntryFrame = written as z.output<typeof timelineEntry>
  const { action, value } = actionOf(written) ?? {}
  if (entry.event_delay !== undefined && !action?.hasEvent) {
    return '"event_delay" is only for mail and its outcomes, which have events'
  }
  if (entry.when && entry.repeat) {
    if (!action?.repeatsAtOnce) {
      return '"repeat" with "when" is only for mail; write an entry for each "when"'
    }
    if (entry.repeat.every !== '0s')
      return 'with "when", all repetitions happen simultaneously; leave out "every"'
  }
  return action?.problemWith?.(value, entry)
}
