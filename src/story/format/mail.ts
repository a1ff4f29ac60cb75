import { z } from '../../base/schema.js'
import { base64Mistake } from '../../mail/transfer-encoding.js'
import { authenticationInput } from '../../service/model/authentication.js'
import { headersByName } from '../../service/world/commands/mail-fields.js'
import { letterFormNames } from '../compile/forms.js'
import { having, key, moment, oneOrMore, path, template } from './values.js'

const fileFields = {
  file: path.optional().describe('A file relative to the scenario, or the name of a shipped one.'),
  filename: z.string().min(1).optional().describe("The name in the message; by default the file's own."),
  content_type: z.string().optional().describe('The media type; by default the one that the name suggests.'),
  content_id: z.string().optional().describe('The content id, to which an HTML body refers as `cid:…`.'),
  content: z.base64({ error: base64Mistake }).optional().describe('The file itself, in base64.'),
  text: z.string().optional().describe('The file itself, as text.'),
}

/** An attachment of a message. */
const attachment = z.union([
  path,
  z.strictObject(fileFields).meta({
    id: 'attachment',
    title: 'Attachment',
    description: 'An attachment of a message.',
    anyOf: ['file', 'content', 'text'].map(having),
  }),
])

/** The keys that all messages of a scenario share. */
export const mailFields = {
  key: key.optional().describe('Names the message for the timeline and the expectations.'),
  eml: path
    .optional()
    .describe(
      'A file in RFC 5322 format or, if it has several lines, the message itself; the other keys override it.',
    ),
  cc: oneOrMore(template).optional().describe('The recipients of copies.'),
  bcc: oneOrMore(template)
    .optional()
    .describe("The recipients of copies that only the sender's own copy contains."),
  reply_to: oneOrMore(template).optional().describe('Where replies go instead of the sender.'),
  headers: headersByName(template)
    .optional()
    .describe('Additional header fields by name, such as `Auto-Submitted: auto-replied`.'),
  subject: template.optional().describe("The subject; by default the thread's, with `Re:` in replies."),
  text: template.optional().describe('The plain-text body.'),
  html: template.optional().describe('The HTML body.'),
  attachments: z.array(attachment).optional().describe('Files, after those of the .eml file.'),
}

/** What the receiving server finds about who sent a message. */
export const authenticationOfMail = authenticationInput()
  .optional()
  .describe(
    'What the receiving server finds about its sender: `pass`, `fail`, `none`, or the results of spf, dkim and dmarc; by default what fits the sender.',
  )

/** A form in which mail programs write a message. */
export const letterForm = z.enum(letterFormNames)

/** The forms in which a message is written. */
export const formsOfMail = z
  .array(letterForm)
  .min(1)
  .optional()
  .describe(
    'The forms in which it is written, such as `html-only` or `outlook`; what it says stays the same.',
  )

const message = z
  .strictObject({
    ...mailFields,
    forms: formsOfMail,
    authentication: authenticationOfMail,
    maildir: path
      .optional()
      .describe(
        'A directory or an mbox: every .eml file in it is a message of this thread, in the order of their dates.',
      ),
    direction: z
      .enum(['inbound', 'outbound'])
      .optional()
      .describe('Whether the agent received it (the default) or sent it.'),
    at: moment.optional().describe('When: before the start, e.g. `-2d`, or an ISO 8601 instant.'),
    from: template
      .optional()
      .describe('`Ann <ann@example.com>`; by default the same person throughout a thread.'),
    to: oneOrMore(template)
      .optional()
      .describe('The recipients; by default the agent, or the person who wrote.'),
  })
  .check(({ value, issues }) => {
    if (value.maildir === undefined) return
    const stray = Object.entries(value).filter(([name, given]) => {
      return given !== undefined && name !== 'maildir' && name !== 'direction'
    })
    for (const [name] of stray) {
      const message = `"${name}" does not go with "maildir", which allows only direction`
      issues.push({ code: 'custom', path: [name], input: value, message })
    }
  })
  .meta({ id: 'message', title: 'Message', description: 'A message of a written thread.' })

/** A written thread. */
export const thread = z
  .strictObject({
    key: key.optional().describe('Names the thread for the timeline and the expectations.'),
    subject: template.optional().describe('The subject; by default that of the first message.'),
    unread: z.boolean().optional().describe('Whether it is unread; by default if it has inbound messages.'),
    messages: z.array(message).min(1).describe('The messages, the oldest first.'),
  })
  .meta({ id: 'thread', title: 'Thread', description: 'A written thread.' })

/** A thread of a scenario. */
export type ScenarioThread = z.output<typeof thread>
/** A message of a scenario. */
export type ScenarioMessage = ScenarioThread['messages'][number]
/** An attachment of a scenario. */
export type ScenarioAttachment = NonNullable<ScenarioMessage['attachments']>[number]
