import { authTokenSchema, eventTypes, type Webhook } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { deliveryStatuses } from '../../world/index.js'
import { sendList } from './json-list.js'
import { defineRoute } from './route.js'
import { deliverySchema, part, subscriptionSchema } from './shapes.js'

const newSubscription = z.strictObject({
  url: z.string().describe('Where events are sent: an http or https URL.'),
  events: z.array(z.enum(eventTypes)).min(1).describe('The event types it subscribes to.'),
  agent_handle: z.string().nullish().describe('Only events of this agent; of every agent otherwise.'),
  auth_token: authTokenSchema().nullish().describe('The token that deliveries carry; answers mask it.'),
})

const deliveryFilter = z.object({
  event: z.enum(eventTypes).optional().describe('Only those of an event type.'),
  status: z.enum(deliveryStatuses).optional().describe('Only those with this status.'),
  webhook: z.string().optional().describe('Only those of the subscription of this id.'),
  url: z.string().optional().describe('Only those to this URL.'),
  message: z.string().optional().describe('Only those about the message of this id.'),
  since: z.string().optional().describe('Only those that come after the delivery of this id.'),
  limit: part.limit,
})

const parameters = { id: 'The id of a delivery.' }

/** Routes of webhook subscriptions and their deliveries. */
export const webhookRoutes = [
  defineRoute('GET /webhooks', {
    summary:
      'The subscriptions of every organization, as the service shows them, with their tokens masked and the ' +
      'secrets that sign deliveries.',
    answer: z.object({ webhooks: z.array(subscriptionSchema) }),
    perform({ simulator }) {
      return { webhooks: simulator.webhooks.list({ everywhere: true }).map((one) => show(one, simulator)) }
    },
  }),
  defineRoute('POST /webhooks', {
    summary: 'Subscribes a URL to events of the first organization.',
    body: newSubscription,
    status: 201,
    answer: subscriptionSchema,
    perform({ simulator, body: { url, events, agent_handle, auth_token } }) {
      const given = { agentHandle: agent_handle ?? undefined, authToken: auth_token ?? undefined }
      return show(simulator.webhooks.create({ url, events, ...given }), simulator)
    },
  }),
  defineRoute('DELETE /webhooks/{id}', {
    summary: 'Deletes a subscription.',
    parameters: { id: 'The id of a subscription.' },
    status: 204,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.webhooks.delete(id),
  }),
  defineRoute('GET /deliveries', {
    summary: 'Deliveries to subscriptions with every attempt, in the order of their events.',
    query: deliveryFilter,
    answer: z.object({ deliveries: z.array(deliverySchema) }),
    stream({ simulator, query }, _request, response) {
      return sendList(response, 'deliveries', simulator.deliveries.entries(query), (entry) => entry.show())
    },
  }),
  defineRoute('GET /deliveries/{id}', {
    summary: 'One delivery with every attempt.',
    parameters,
    answer: deliverySchema,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.get(id),
  }),
  defineRoute('POST /deliveries/{id}/redeliver', {
    summary: 'Sends a delivery once more, with the same event id; answers when its receiver has answered.',
    parameters,
    answer: deliverySchema,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.redeliver(id),
  }),
]

/** Renders a subscription; the `auth_token` of one without a token depends on a reading and is left as it is. */
function show(webhook: Webhook, { webhooks, masker }: Simulator): object {
  const token = webhook.has_auth_token ? { auth_token: '***' } : {}
  return { ...webhook, url: masker.url(webhook.url), ...token, secret: webhooks.secret(webhook.id) }
}
