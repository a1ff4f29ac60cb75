import { identitySchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { handlePattern } from '../../world/index.js'
import { defineOperation, type Route } from './route.js'

const added = z.strictObject({
  handle: z
    .string()
    .regex(handlePattern, 'a handle has 1 to 64 letters, digits, "_", "." or "-"')
    .describe('The handle, without a leading @.'),
  display_name: z.string().optional().describe('The handle when it is left out.'),
  description: z.string().optional(),
  mailbox_address: z.string().optional().describe('`<handle>@agents.example` when it is left out.'),
})

/** `GET /_sim/identities`: every agent. `POST`: adds one. */
export const identitiesRoute: Route = {
  path: '/identities',
  operations: {
    GET: defineOperation({
      summary: 'The agents of every organization, as the service shows them.',
      answer: z.object({ identities: z.array(identitySchema()) }),
      perform: ({ simulator }) => ({ identities: simulator.identities.list({ everywhere: true }) }),
    }),
    POST: defineOperation({
      summary: 'Adds an agent with an empty mailbox to the first organization.',
      body: added,
      status: 201,
      answer: identitySchema(),
      perform: ({ simulator, body: { handle, display_name, description, mailbox_address } }) =>
        simulator.identities.create({
          handle,
          ...(display_name !== undefined && { displayName: display_name }),
          ...(description !== undefined && { description }),
          ...(mailbox_address !== undefined && { mailboxAddress: mailbox_address }),
        }),
    }),
  },
}

const parameters = { handle: 'The handle of an agent, or its id.' }

/** `GET /_sim/identities/{handle}`: one agent. `DELETE`: removes it. */
export const oneIdentityRoute: Route = {
  path: '/identities/{handle}',
  operations: {
    GET: defineOperation({
      summary: 'One agent.',
      parameters,
      answer: identitySchema(),
      perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.get(handle),
    }),
    DELETE: defineOperation({
      summary: 'Removes an agent with its mailbox and the subscriptions scoped to it.',
      parameters,
      status: 204,
      perform: ({ simulator, parameters: { handle = '' } }) => simulator.identities.delete(handle),
    }),
  },
}
