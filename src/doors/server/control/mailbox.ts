import { z } from '../../../base/schema.js'
import { identitySchema, threadSchema } from '../../../contract/resources.js'
import { handleSchema } from '../../../service/model/rows.js'
import { defineRoute } from './route.js'
import { shownInstant, wholeNumber } from './shapes.js'

const direction = z.enum(['inbound', 'outbound'])

const thread = threadSchema().extend({
  agent_handle: z.string(),
  last_message: z
    .object({ direction, from: z.string(), to: z.array(z.string()) })
    .nullable()
    .describe('Who sent the latest message to whom; null for a thread without messages.'),
  attachment_count: z.int().min(0).describe('The number of files in its messages.'),
})

/** The files of a message in a response. */
export const attachments = z.array(
  z.object({
    id: z.string(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int().min(0),
    content_id: z.string().nullable(),
  }),
)

const message = z.object({
  id: z.string(),
  thread_id: z.string(),
  direction,
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).describe('Header fields in order.'),
  attachments,
  created_at: shownInstant,
  exchange: z
    .int()
    .nullable()
    .describe('The `seq` of the request that sent it; null if the journal keeps no such request.'),
})

const query = z.object({
  agent: z.string().optional().describe('Only threads of the agent with this handle.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Only threads whose subject or correspondents contain this text, ignoring case.'),
  offset: wholeNumber(0).optional().describe('The number of threads to skip; 0 by default.'),
  limit: wholeNumber(1, 1000)
    .optional()
    .describe('The maximum number of threads; 50 by default, at most 1000.'),
})

/** Routes that read mailboxes; unlike requests to the service, they have no side effects. */
export const mailboxRoutes = [
  defineRoute('GET /threads', {
    summary:
      'Lists threads of all agents or of one agent, latest activity first. Records nothing and marks nothing as read.',
    query,
    answer: z.object({ threads: z.array(thread), total: z.int().min(0) }),
    perform: ({ simulator, query }) => simulator.mailbox.threads(query),
  }),
  defineRoute('GET /threads/{id}', {
    summary:
      'Returns a thread with all of its messages, oldest first. Records nothing and marks nothing as read.',
    parameters: { id: 'The id of a thread.' },
    answer: z.object({ thread, messages: z.array(message) }),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.mailbox.conversation(id),
  }),
  defineRoute('GET /messages/{id}/raw', {
    summary:
      'Returns a message as a file in RFC 5322 format: the bytes with which it was received, or else composed from the stored data.',
    parameters: { id: 'The id of a message.' },
    contentType: 'message/rfc822',
    answer: z.string(),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.mailbox.raw(id),
  }),
  defineRoute('GET /attachments/{id}', {
    summary: 'Returns the bytes of an attachment, regardless of the assumptions that concern its URL.',
    parameters: { id: 'The id of an attachment.' },
    contentType: 'application/octet-stream',
    answer: z.string(),
    stream({ simulator, parameters: { id = '' } }, _request, response) {
      const bytes = Buffer.from(simulator.mailbox.attachment(id).content, 'base64')
      // The file came from a stranger: a browser must not render it as a page.
      response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': bytes.length,
          'content-disposition': 'attachment',
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
        })
        .end(bytes)
    },
  }),
]

const newIdentity = z.strictObject({
  handle: handleSchema().describe('The handle, without a leading @.'),
  display_name: z.string().optional().describe('The handle by default.'),
  description: z.string().optional(),
  mailbox_address: z.string().optional().describe('`<handle>@agents.example` by default.'),
})

const parameters = { handle: 'The handle or the id of an agent.' }

/** Routes of identities. */
export const identityRoutes = [
  defineRoute('GET /identities', {
    summary: 'Lists the agents of all organizations in the form that the service returns.',
    answer: z.object({ identities: z.array(identitySchema()) }),
    perform: ({ simulator }) => ({ identities: simulator.identities.list({ everywhere: true }) }),
  }),
  defineRoute('POST /identities', {
    summary: 'Adds an agent with an empty mailbox to the first organization.',
    body: newIdentity,
    status: 201,
    answer: identitySchema(),
    perform({ simulator, body: { handle, display_name, description, mailbox_address } }) {
      const names = { displayName: display_name, mailboxAddress: mailbox_address }
      return simulator.identities.create({ handle, description, ...names })
    },
  }),
  defineRoute('GET /identities/{handle}', {
    summary: 'Returns one agent.',
    parameters,
    answer: identitySchema(),
    perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.get(handle),
  }),
  defineRoute('DELETE /identities/{handle}', {
    summary: 'Removes an agent, its mailbox and the subscriptions scoped to it.',
    parameters,
    status: 204,
    perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.delete(handle),
  }),
]
