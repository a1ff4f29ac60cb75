import { z } from '../../contract/schema.js'
import { having, key, moment, oneOrMore, path, template } from './values.js'

const fileFields = {
  file: path.optional().describe('A file relative to the scenario, or the name of a shipped one.'),
  filename: z.string().min(1).optional().describe("The name the message shows; the file's own otherwise."),
  content_type: z.string().optional().describe('The media type; what the name suggests otherwise.'),
  content_id: z.string().optional().describe('What an HTML body refers to as `cid:…`.'),
  content: z.base64().optional().describe('The file itself, in base64.'),
  text: z.string().optional().describe('The file itself, as text.'),
}

/** A file that goes with a message. */
const attachment = z.union([
  path,
  z.strictObject(fileFields).meta({
    id: 'attachment',
    title: 'Attachment',
    description: 'A file that goes with a message.',
    anyOf: ['file', 'content', 'text'].map(having),
  }),
])

/** The keys that all messages of a scenario share. */
export const mailFields = {
  key: key.optional().describe('Names the message for the timeline and the expectations.'),
  eml: path
    .optional()
    .describe(
      'A file in RFC 5322 form, or, of several lines, the mail itself; the other keys override what it says.',
    ),
  subject: template.optional().describe("The subject; the thread's otherwise, with `Re:` in replies."),
  text: template.optional().describe('The plain-text body.'),
  html: template.optional().describe('The HTML body.'),
  attachments: z.array(attachment).optional().describe('Files, after those of the .eml file.'),
}

const message = z
  .strictObject({
    ...mailFields,
    maildir: path
      .optional()
      .describe(
        'A directory or an mbox: every .eml file in it is a message of this thread, in the order of their dates.',
      ),
    direction: z
      .enum(['inbound', 'outbound'])
      .optional()
      .describe('Whether it came to the agent (what it is otherwise) or went out from it.'),
    at: moment.optional().describe('When: before the start, e.g. `-2d`, or an ISO 8601 instant.'),
    from: template
      .optional()
      .describe('`Ann <ann@example.com>`; the same person throughout a thread otherwise.'),
    to: oneOrMore(template)
      .optional()
      .describe('Whom it is addressed to; the agent, or whoever wrote, otherwise.'),
  })
  .meta({ id: 'message', title: 'Message', description: 'A message of a written thread.' })

/** A written thread. */
export const thread = z
  .strictObject({
    key: key.optional().describe('Names the thread for the timeline and the expectations.'),
    subject: template.optional().describe('The subject; that of the first message otherwise.'),
    unread: z.boolean().optional().describe('Whether it is unread; otherwise it is, when mail came in.'),
    messages: z.array(message).min(1).describe('The messages, the oldest first.'),
  })
  .meta({ id: 'thread', title: 'Thread', description: 'A written thread.' })
