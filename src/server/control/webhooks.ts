import { authTokenSchema } from '../../contract/auth-token.js'
import { eventTypes } from '../../contract/events.js'
import type { Webhook } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import type { Webhooks } from '../../simulator/resources.js'
import { defineOperation, type Route } from './route.js'
import { subscriptionSchema } from './webhook-shape.js'

const added = z.strictObject({
  url: z.string().describe('Where events are sent: an http or https URL.'),
  events: z.array(z.enum(eventTypes)).min(1).describe('The event types it subscribes to.'),
  agent_handle: z.string().nullish().describe('Only events of this agent; of every agent otherwise.'),
  auth_token: authTokenSchema().nullish().describe('The token that deliveries carry; answers mask it.'),
})

/** `GET /_sim/webhooks`: every subscription. `POST`: adds one. */
export const webhooksRoute: Route = {
  path: '/webhooks',
  operations: {
    GET: defineOperation({
      summary:
        'The subscriptions of every organization, as the service shows them, with their tokens masked and the ' +
        'secrets that deliveries are signed with.',
      answer: z.object({ webhooks: z.array(subscriptionSchema) }),
      perform({ simulator: { webhooks } }) {
        return { webhooks: webhooks.list({ everywhere: true }).map((webhook) => show(webhook, webhooks)) }
      },
    }),
    POST: defineOperation({
      summary: 'Subscribes a URL to events of the first organization.',
      body: added,
      status: 201,
      answer: subscriptionSchema,
      perform({ simulator: { webhooks }, body: { url, events, agent_handle, auth_token } }) {
        const webhook = webhooks.create({
          url,
          events,
          ...(typeof agent_handle === 'string' && { agentHandle: agent_handle }),
          ...(typeof auth_token === 'string' && { authToken: auth_token }),
        })
        return show(webhook, webhooks)
      },
    }),
  },
}

/** `DELETE /_sim/webhooks/{id}`: ends a subscription. */
export const oneWebhookRoute: Route = {
  path: '/webhooks/{id}',
  operations: {
    DELETE: defineOperation({
      summary: 'Ends a subscription.',
      parameters: { id: 'The id of a subscription.' },
      status: 204,
      perform: ({ simulator, parameters: { id = '' } }) => simulator.webhooks.delete(id),
    }),
  },
}

/** A subscription without a token may show that in some way of its own, which is left as it is. */
function show(webhook: Webhook, webhooks: Webhooks): object {
  const masked = webhook.has_auth_token ? { ...webhook, auth_token: '***' } : webhook
  return { ...masked, secret: webhooks.secret(webhook.id) }
}
