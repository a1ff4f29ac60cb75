import { identitySchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { handlePattern } from '../../world/index.js'
import { defineRoute } from './route.js'

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
