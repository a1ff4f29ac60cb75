import { z } from '../../../base/schema.js'
import { authTokenSchema, eventTypes, type Webhook } from '../../../contract/resources.js'
import { deliveryStatuses } from '../../../service/webhooks/delivery.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineRoute, sendList } from './route.js'
import { deliverySchema, part, subscriptionSchema } from './shapes.js'

const newSubscription = z.strictObject({
  url: z.string().describe('The http or https URL to which events are sent.'),
  events: z.array(z.enum(eventTypes)).min(1).describe('The event types it subscribes to.'),
  agent_handle: z.string().nullish().describe('Only events of this agent; by default, events of all agents.'),
  auth_token: authTokenSchema()
    .nullish()
    .describe('The token that deliveries contain; it is masked in responses.'),
})

const deliveryFilter = z.object({
  event: z.enum(eventTypes).optional().describe('Only deliveries of this event type.'),
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
  webhook: z.string().optional().describe('Only deliveries to the subscription with this id.'),
  url: z.string().optional().describe('Only deliveries to this URL.'),
  message: z.string().optional().describe('Only deliveries about the message with this id.'),
  since: z.string().optional().describe('Only deliveries after the one with this id.'),
  limit: part.limit,
})

const parameters = { id: 'The id of a delivery.' }

/** Routes of webhook subscriptions and their deliveries. */
export const webhookRoutes = [
  defineRoute('GET /webhooks', {
    summary:
      'Lists the subscriptions of all organizations in the form that the service returns, with their tokens masked and ' +
      'with the secrets that sign their deliveries.',
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
      const scope = { agentHandle: agent_handle ?? undefined, authToken: auth_token ?? undefined }
      return show(simulator.webhooks.create({ url, events, ...scope }), simulator)
    },
  }),
  defineRoute('DELETE /webhooks/{id}', {
    summary: 'Deletes a subscription.',
    parameters: { id: 'The id of a subscription.' },
    status: 204,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.webhooks.delete(id),
  }),
  defineRoute('GET /deliveries', {
    summary: 'Lists the deliveries to subscriptions with all of their attempts, in the order of the events.',
    query: deliveryFilter,
    answer: z.object({ deliveries: z.array(deliverySchema) }),
    stream({ simulator, query }, _request, response) {
      return sendList(response, 'deliveries', simulator.deliveries.entries(query), (entry) => entry.show())
    },
  }),
  defineRoute('GET /deliveries/{id}', {
    summary: 'Returns one delivery with all of its attempts.',
    parameters,
    answer: deliverySchema,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.get(id),
  }),
  defineRoute('POST /deliveries/{id}/redeliver', {
    summary:
      'Sends a delivery again with the same event id; responds when the receiver has responded or the attempt timed out.',
    parameters,
    answer: deliverySchema,
    perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.redeliver(id),
  }),
]

/** Renders a subscription. If it has no token, its `auth_token` depends on an assumption and is left unchanged. */
function show(webhook: Webhook, { webhooks, masker }: Simulator): object {
  const token = webhook.has_auth_token ? { auth_token: '***' } : {}
  return { ...webhook, url: masker.keys.url(webhook.url), ...token, secret: webhooks.secret(webhook.id) }
}
