import { z } from '../../base/schema.js'
import { mailText } from './matchers.js'
import { handle, key } from './values.js'

export const recipient = z
  .string()
  .min(1)
  .meta({
    title: 'recipient',
    description: 'An address, in which `*` matches any characters, or the handle of an agent.',
    examples: ['ann@example.com', '*@northwind.example', 'support'],
  })

const only = z
  .strictObject({ only: z.array(recipient).min(1).describe('The only recipients, of any kind.') })
  .meta({
    id: 'only',
    title: 'Only recipients',
    description:
      'The only recipients that mail may go to: nobody else gets it, not even a copy. An expectation without a number expects that ' +
      'of every message that matches otherwise.',
  })

const copies = z.union([recipient, z.array(recipient)]).optional()

/** Selects mail that agents sent, by any operation. */
export const sentCondition = z
  .strictObject({
    from: handle.optional().describe('The agent that sent it.'),
    to: z
      .union([recipient, z.array(recipient).min(1), only])
      .optional()
      .describe('One or several recipients, or the only recipients that it may have.'),
    cc: copies.describe('One or several recipients of a copy; `[]` for none.'),
    bcc: copies.describe('The same for copies that the other recipients do not see.'),
    thread: key.optional().describe('The key of its thread.'),
    in_reply_to: key.optional().describe('The key of the message that it replies to.'),
    subject: mailText.optional().describe('The subject; `/…/` is a regular expression.'),
    text: mailText.optional().describe('The text, or that of the HTML if there is no other.'),
    html: mailText.optional().describe('The HTML.'),
    attachments: z
      .array(mailText)
      .optional()
      .describe('The names of files, all of which must be attached; `[]` for none.'),
  })
  .meta({ id: 'sent', title: 'sent', description: 'Selects mail that agents sent, by any operation.' })

/** The messages that an expectation or a trigger is about. */
export type ScenarioSent = z.output<typeof sentCondition>
