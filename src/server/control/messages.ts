import { messageSchema, threadSchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import type { Mail, StoredMail } from '../../simulator/mail.js'
import { ControlError } from './control-error.js'
import { bodyBytes } from './request-body.js'
import { defineOperation, type Route } from './route.js'

const attachment = z.strictObject({
  filename: z.string().min(1),
  content_type: z.string().min(1).optional().describe('`application/octet-stream` when it is left out.'),
  content_id: z.string().optional().describe('What an HTML body refers to as `cid:…`.'),
  content: z.string().describe('The file in base64.'),
})

const written = z
  .strictObject({
    direction: z.enum(['inbound', 'outbound']).default('inbound'),
    to: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .describe('Handles or addresses; of mail that comes in, at least one is an agent.'),
    from: z
      .string()
      .min(1)
      .optional()
      .describe('`Ann <ann@example.com>`; of outbound mail, the handle of the agent.'),
    subject: z.string().optional().describe("A reply's when it is left out and it joins a thread."),
    text: z.string().nullish().describe('The plain-text body.'),
    html: z.string().nullish().describe('The HTML body.'),
    attachments: z.array(attachment).optional(),
    in_reply_to: z
      .string()
      .nullish()
      .describe('The id of a message, or its Message-ID: the mail joins its thread.'),
    thread_id: z.string().nullish().describe('The thread it joins.'),
    at: z.string().optional().describe('ISO 8601; now when it is left out.'),
  })
  .refine(({ direction, from }) => direction === 'inbound' || from !== undefined, {
    error: 'expected the handle of the agent that sends it',
    path: ['from'],
  })

type Written = z.output<typeof written>

/** `POST /_sim/messages`: puts mail into a mailbox. */
export const messagesRoute: Route = {
  path: '/messages',
  operations: {
    POST: defineOperation({
      summary: 'Has mail come in or, with `direction` `outbound`, an agent send it.',
      query: z.object({
        to: z
          .string()
          .min(1)
          .optional()
          .describe('Whose mailbox mail in RFC 5322 form comes to, whatever it says.'),
      }),
      body: written,
      bodyBytes: bodyBytes.jsonWithFiles,
      takesMail: true,
      status: 201,
      answer: z.object({ message: messageSchema(), thread: threadSchema() }),
      perform({ simulator, origin, body, query: { to } }) {
        const { mail } = simulator.seenFrom(origin)
        if (body instanceof Uint8Array) return receiveMail(mail, body, to)
        if (to === undefined) return body.direction === 'outbound' ? send(mail, body) : receive(mail, body)
        throw new ControlError('invalid_query', 'The query has "to" for message/rfc822; JSON says it itself.')
      },
    }),
  },
}

function receiveMail(mail: Mail, eml: Uint8Array, to: string | undefined): Promise<StoredMail> {
  if (eml.length === 0) throw new ControlError('invalid_body', 'The mail is empty.')
  return mail.receive({ eml, ...(to !== undefined && { to }) })
}

function receive(mail: Mail, body: Written): Promise<StoredMail> {
  const { from, to } = body
  return mail.receive({ to, ...(from !== undefined && { from }), ...contentOf(body) })
}

function send(mail: Mail, body: Written): Promise<StoredMail> {
  const { from = '', to } = body
  return mail.send({ from, to, ...contentOf(body) })
}

function contentOf({ subject, text, html, attachments = [], in_reply_to, thread_id, at }: Written) {
  return {
    ...(subject !== undefined && { subject }),
    ...(typeof text === 'string' && { text }),
    ...(typeof html === 'string' && { html }),
    ...(typeof in_reply_to === 'string' && { inReplyTo: in_reply_to }),
    ...(typeof thread_id === 'string' && { thread: thread_id }),
    ...(at !== undefined && { at }),
    attachments: attachments.map(({ filename, content, content_type, content_id }) => ({
      filename,
      content,
      ...(content_type !== undefined && { contentType: content_type }),
      ...(content_id !== undefined && { contentId: content_id }),
    })),
  }
}
