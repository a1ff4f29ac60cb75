import { identitySchema, threadSchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { handlePattern } from '../../world/index.js'
import { defineRoute } from './route.js'
import { instant, wholeNumber } from './shapes.js'

const thread = threadSchema().extend({ agent_handle: z.string() })

const message = z.object({
  id: z.string(),
  thread_id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).describe('Header fields in order.'),
  attachments: z.array(
    z.object({
      id: z.string(),
      filename: z.string(),
      content_type: z.string(),
      size_bytes: z.int().min(0),
      content_id: z.string().nullable(),
    }),
  ),
  created_at: instant,
})

const query = z.object({
  agent: z.string().optional().describe('Only threads of the agent with this handle.'),
  search: z.string().max(200).optional().describe('Text in the subject or in a correspondent, in any case.'),
  offset: wholeNumber(0).optional().describe('Threads to skip; 0 when it is left out.'),
  limit: wholeNumber(1, 1000).optional().describe('50 when it is left out, at most 1000.'),
})

/** Routes that read mailboxes without a request to the service. */
export const mailboxRoutes = [
  defineRoute('GET /threads', {
    summary: 'Threads of all agents or of one, latest activity first. Nothing is recorded or marked read.',
    query,
    answer: z.object({ threads: z.array(thread), total: z.int().min(0) }),
    perform: ({ simulator, query }) => simulator.mailbox.threads(query),
  }),
  defineRoute('GET /threads/{id}', {
    summary: 'A thread with all of its messages, oldest first. Nothing is recorded or marked read.',
    parameters: { id: 'The id of a thread.' },
    answer: z.object({ thread, messages: z.array(message) }),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.mailbox.conversation(id),
  }),
  defineRoute('GET /messages/{id}/raw', {
    summary: 'A message as a file in RFC 5322 form, composed of what is stored.',
    parameters: { id: 'The id of a message.' },
    contentType: 'message/rfc822',
    answer: z.string(),
    perform: ({ simulator, parameters: { id = '' } }) => simulator.mailbox.source(id),
  }),
  defineRoute('GET /attachments/{id}', {
    summary: 'The bytes of an attachment, whatever the readings say of its URL.',
    parameters: { id: 'The id of an attachment.' },
    contentType: 'application/octet-stream',
    answer: z.string(),
    stream({ simulator, parameters: { id = '' } }, _request, response) {
      const bytes = Buffer.from(simulator.mailbox.attachment(id).content, 'base64')
      // The file came from a stranger: no browser may take it for a page.
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
  handle: z
    .string()
    .regex(handlePattern, 'a handle has 1 to 64 letters, digits, "_", "." or "-"')
    .describe('The handle, without a leading @.'),
  display_name: z.string().optional().describe('The handle when it is left out.'),
  description: z.string().optional(),
  mailbox_address: z.string().optional().describe('`<handle>@agents.example` when it is left out.'),
})

const parameters = { handle: 'The handle of an agent, or its id.' }

/** Routes of identities. */
export const identityRoutes = [
  defineRoute('GET /identities', {
    summary: 'The agents of every organization, as the service shows them.',
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
    summary: 'One agent.',
    parameters,
    answer: identitySchema(),
    perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.get(handle),
  }),
  defineRoute('DELETE /identities/{handle}', {
    summary: 'Removes an agent with its mailbox and the subscriptions scoped to it.',
    parameters,
    status: 204,
    perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.delete(handle),
  }),
]
