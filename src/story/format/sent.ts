import { z } from '../../base/schema.js'
import { handle, key, mailText } from './values.js'

/** A recipient as a scenario names it. */
export const recipient = z
  .string()
  .min(1)
  .meta({
    title: 'recipient',
    description: 'An address, in which `*` matches any characters, or the handle of an agent.',
    examples: ['ann@example.com', '*@northwind.example', 'support'],
  })

/** What selects a file of sent mail. */
export const file = z
  .strictObject({
    name: mailText.optional().describe('Its name.'),
    type: z.string().optional().describe('Its media type, e.g. `application/pdf`.'),
    size: z.int().min(0).optional().describe('Its length in bytes.'),
    sha256: z
      .string()
      .regex(/^[\da-f]{64}$/i, 'expected 64 digits in hex')
      .optional()
      .describe('The SHA-256 of its bytes, in hex.'),
    text: mailText.optional().describe('Its bytes as text.'),
    of: key.optional().describe('The key of the message whose file it is, byte by byte.'),
  })
  .meta({ id: 'file', title: 'File', description: 'Selects a file of sent mail.' })

/** The files of sent mail as a scenario names them: by their names alone, or more closely. */
export const fileConditions = z
  .array(z.union([mailText, file]))
  .optional()
  .describe('The files, all of which must be attached, by their names or more closely; `[]` for none.')

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

/** Selects mail that agents sent, by any operation, as scenarios do. */
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
    attachments: fileConditions,
  })
  .meta({ id: 'sent', title: 'sent', description: 'Selects mail that agents sent, by any operation.' })
