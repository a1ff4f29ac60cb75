import { z } from '../base/schema.js'
import { base64Mistake } from './transfer-encoding.js'

/**
 * Returns the keys of a message to add that are the same by whichever door it comes: a scenario, the control API, or an
 * operation of an extension. `text` is the schema of its texts, which are templates in a scenario.
 */
export function newMessageFields<Text extends z.ZodType>(text: Text) {
  const mailboxes = z.union([text, z.array(text)]).optional()
  return {
    cc: mailboxes.describe('The recipients of copies.'),
    bcc: mailboxes.describe("The recipients of copies that only the sender's own copy contains."),
    reply_to: mailboxes.describe('Where replies go instead of the sender.'),
    headers: headersByName(text)
      .optional()
      .describe('Additional header fields by name, such as `Auto-Submitted: auto-replied`.'),
    subject: text.optional().describe("The subject; by default the thread's, with `Re:` in replies."),
    text: text.optional().describe('The plain-text body.'),
    html: text.optional().describe('The HTML body.'),
  }
}

/** Returns the keys of a file that comes with a message to add. */
export function newFileFields() {
  return {
    filename: z.string().min(1).describe('The name in the message.'),
    content_type: z
      .string()
      .min(1)
      .optional()
      .describe('The media type; by default the one that the name suggests.'),
    content_id: z.string().optional().describe('The content id, to which an HTML body refers as `cid:…`.'),
    content: z.base64({ error: base64Mistake }).optional().describe('The file itself, in base64.'),
    text: z.string().optional().describe('The file itself, as text.'),
  }
}

/** The header fields that are derived from other fields of a message. */
const derivedHeader =
  /^(message-id|date|from|to|cc|bcc|reply-to|subject|in-reply-to|references|mime-version|content-.*)$/i

/** Creates the schema of additional header fields by name. */
export function headersByName<Value extends z.ZodType>(value: Value) {
  return z.record(z.string(), value).superRefine((headers, { addIssue }) => {
    for (const name of Object.keys(headers)) {
      const message = headerNameProblem(name)
      if (message !== undefined) addIssue({ code: 'custom', path: [name], message })
    }
  })
}

/** Returns what is wrong with the name of an additional header field; undefined if it is valid. */
export function headerNameProblem(name: string): string | undefined {
  if (!/^[!-9;-~]+$/.test(name)) return `"${name}" is not the name of a header field such as X-Order`
  return derivedHeader.test(name) ? `${name} is derived from the other fields of a message` : undefined
}
