import { eventTypes } from '../../contract/events.js'
import { z } from '../../contract/schema.js'
import { deliveryStatuses } from '../../world/index.js'
import { deliverySchema } from './delivery-shape.js'
import { sendList } from './json-list.js'
import { defineOperation, type Route } from './route.js'
import { part } from './values.js'

const query = z.object({
  event: z.enum(eventTypes).optional().describe('Only those of an event type.'),
  status: z.enum(deliveryStatuses).optional().describe('Only those that are so far.'),
  webhook: z.string().optional().describe('Only those of the subscription of this id.'),
  url: z.string().optional().describe('Only those to this URL.'),
  message: z.string().optional().describe('Only those about the message of this id.'),
  since: z.string().optional().describe('Only those that come after the delivery of this id.'),
  limit: part.limit,
})

/** `GET /_sim/deliveries`: what was, and is being, sent to subscriptions. */
export const deliveriesRoute: Route = {
  path: '/deliveries',
  operations: {
    GET: defineOperation({
      summary:
        'What was, and is being, sent to subscriptions, with every attempt, in the order of the events.',
      query,
      answer: z.object({ deliveries: z.array(deliverySchema) }),
      stream({ simulator, query }, _request, response) {
        return sendList(response, 'deliveries', simulator.deliveries.entries(query), (entry) => entry.show())
      },
    }),
  },
}

const parameters = { id: 'The id of a delivery.' }

/** `GET /_sim/deliveries/{id}`: one of them. */
export const oneDeliveryRoute: Route = {
  path: '/deliveries/{id}',
  operations: {
    GET: defineOperation({
      summary: 'One delivery with every attempt.',
      parameters,
      answer: deliverySchema,
      perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.get(id),
    }),
  },
}

/** `POST /_sim/deliveries/{id}/redeliver`: sends one once more. */
export const redeliverRoute: Route = {
  path: '/deliveries/{id}/redeliver',
  operations: {
    POST: defineOperation({
      summary: 'Sends a delivery once more, with the same event id; answers when its receiver has answered.',
      parameters,
      answer: deliverySchema,
      perform: ({ simulator, parameters: { id = '' } }) => simulator.deliveries.redeliver(id),
    }),
  },
}
