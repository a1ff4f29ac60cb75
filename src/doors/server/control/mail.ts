import { z } from '../../../base/schema.js'
import { messageSchema, threadSchema } from '../../../contract/resources.js'
import { authenticationInput } from '../../../service/model/authentication.js'
import type { StoredMail } from '../../simulator/mail.js'
import type { Simulator } from '../../simulator/simulator.js'
import { ControlError } from './control-error.js'
import { bodyLimits } from './request.js'
import { type ControlRoute, defineRoute } from './route.js'

const attachment = z
  .strictObject({
    filename: z.string().min(1),
    content_type: z.string().min(1).optional().describe('`application/octet-stream` by default.'),
    content_id: z
      .string()
      .optional()
      .describe('The id with which an HTML body refers to the file, as `cid:…`.'),
    content: z.string().optional().describe('The file in base64. Either this or `text` is needed.'),
    text: z.string().optional().describe('The file as text, instead of `content`.'),
  })
  .refine(({ content, text }) => (content === undefined) !== (text === undefined), {
    error: 'expected either content, in base64, or text',
  })

const addresses = () => z.union([z.string().min(1), z.array(z.string().min(1))])

const newMail = z
  .strictObject({
    direction: z.enum(['inbound', 'outbound']).default('inbound'),
    to: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .describe('Handles or addresses; at least one recipient of inbound mail is an agent.'),
    from: z
      .string()
      .min(1)
      .optional()
      .describe('`Ann <ann@example.com>`; for outbound mail, the handle of the agent, which is required.'),
    cc: addresses().optional().describe('Handles or addresses; their agents receive inbound mail too.'),
    bcc: addresses().optional().describe("Like `cc`, but only the sender's own copy shows them."),
    reply_to: addresses().optional().describe('Where replies go instead of the sender.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Additional header fields by name, such as `X-Order` or `Auto-Submitted`.'),
    subject: z.string().optional().describe('For a reply, `Re:` and the subject of its thread by default.'),
    text: z.string().nullish().describe('The plain-text body.'),
    html: z.string().nullish().describe('The HTML body.'),
    attachments: z.array(attachment).optional(),
    in_reply_to: z
      .string()
      .nullish()
      .describe('The id or Message-ID of a message; the new message is added to its thread.'),
    thread_id: z.string().nullish().describe('The thread to which the message is added.'),
    at: z.string().optional().describe("ISO 8601; the world's current time by default."),
    authentication: authenticationInput()
      .optional()
      .describe('What the receiving server finds about the sender of inbound mail; by default what fits it.'),
  })
  .refine(({ direction, authentication }) => direction === 'inbound' || authentication === undefined, {
    error: 'only inbound mail has it',
    path: ['authentication'],
  })
  .refine(({ direction, from }) => direction === 'inbound' || from !== undefined, {
    error: 'expected the handle of the agent that sends it',
    path: ['from'],
  })

type NewMail = z.output<typeof newMail>
type Mail = Simulator['mail']

const outcome = z.strictObject({
  recipient: z
    .string()
    .min(1)
    .nullish()
    .describe(
      'One of the recipients of the message; if omitted, the event does not say which one it concerns.',
    ),
})

/** Routes of messages and threads. */
export const mailRoutes = [
  defineRoute('POST /messages', {
    summary: 'Delivers mail to agents or, if `direction` is `outbound`, sends mail from an agent.',
    query: z.object({
      to: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The recipients of mail in RFC 5322 format, with commas between them, regardless of its headers.',
        ),
      authentication: z
        .enum(['pass', 'fail', 'none'])
        .optional()
        .describe('What the receiving server finds about the sender of mail in RFC 5322 format.'),
    }),
    body: newMail,
    bodyLimit: bodyLimits.jsonWithFiles,
    takesMail: true,
    status: 201,
    answer: z.object({ message: messageSchema(), thread: threadSchema() }),
    perform({ simulator, origin, body, query: { to, authentication } }) {
      const mail = simulator.mailBelow(origin)
      if (isBytes(body)) return receiveEml(mail, body, { to, authentication })
      const name = to !== undefined ? 'to' : authentication !== undefined ? 'authentication' : undefined
      if (name === undefined) return addMail(mail, body)
      throw new ControlError(
        'invalid_query',
        `The query has "${name}" for message/rfc822; JSON has its own "${name}".`,
      )
    },
  }),
  outcomeRoute('delivered', 'Reports that a message from an agent was delivered; emits `message.delivered`.'),
  outcomeRoute('bounced', 'Reports that a message from an agent bounced; emits `message.bounced`.'),
  defineRoute('POST /threads/{id}/read', {
    summary: 'Marks a thread as read.',
    parameters: { id: 'The id of a thread.' },
    answer: threadSchema(),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.threads.markRead(id),
  }),
  defineRoute('POST /threads/{id}/unread', {
    summary: 'Marks a thread as unread.',
    parameters: { id: 'The id of a thread.' },
    answer: threadSchema(),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.threads.markUnread(id),
  }),
]

function outcomeRoute(name: 'delivered' | 'bounced', summary: string): ControlRoute {
  return defineRoute(`POST /messages/{id}/${name}`, {
    summary,
    parameters: { id: 'The id of a message that an agent sent.' },
    body: outcome,
    bodyOptional: true,
    answer: messageSchema(),
    perform({ simulator, origin, parameters: { id = '' }, body: { recipient } }) {
      return simulator.mailBelow(origin)[name](id, recipient ?? undefined)
    },
  })
}

function receiveEml(
  mail: Mail,
  eml: Uint8Array,
  {
    to: recipients,
    authentication,
  }: { to?: string | undefined; authentication?: 'pass' | 'fail' | 'none' | undefined },
): Promise<StoredMail> {
  if (eml.length === 0)
    throw new ControlError(
      'invalid_body',
      'The message is empty; the body is its source: header fields, an empty line, the text.',
    )
  const to = recipients?.split(',').map((name) => name.trim())
  return mail.receive({ eml, to, authentication })
}

function addMail(mail: Mail, { direction, from, to, ...body }: NewMail): Promise<StoredMail> {
  const {
    cc,
    bcc,
    reply_to,
    headers,
    subject,
    text,
    html,
    attachments = [],
    in_reply_to,
    thread_id,
    at,
    authentication,
  } = body
  const content = {
    cc,
    bcc,
    replyTo: reply_to,
    headers,
    subject,
    text: text ?? undefined,
    html: html ?? undefined,
    inReplyTo: in_reply_to ?? undefined,
    thread: thread_id ?? undefined,
    at,
    attachments: attachments.map(({ content_type, content_id, ...file }) => {
      return { ...file, contentType: content_type, contentId: content_id }
    }),
  }
  if (direction === 'outbound') return mail.send({ from: from ?? '', to, ...content })
  return mail.receive({ to, from, ...content, authentication })
}

/** Not by `instanceof`: under jsdom, the bytes of Node are of another class. */
function isBytes(value: object): value is Uint8Array {
  return ArrayBuffer.isView(value)
}
