import { z } from '../../base/schema.js'
import { newFileFields, newMessageFields } from '../../mail/new-message.js'
import { authenticationInput } from '../../service/model/authentication.js'
import { letterFormNames } from '../compile/forms.js'
import { having, key, moment, oneOrMore, path, template } from './values.js'

const { filename, ...content } = newFileFields()

const fileFields = {
  file: path.optional().describe('A file relative to the scenario, or the name of a shipped one.'),
  filename: filename.optional().describe("The name in the message; by default the file's own."),
  ...content,
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
  ...newMessageFields(template),
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
