import { messageSchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { defineOperation, type Route } from './route.js'

const parameters = { id: 'The id of a message that an agent sent.' }

const about = z.strictObject({
  recipient: z
    .string()
    .min(1)
    .nullish()
    .describe(
      'The address it is about, one that the mail went to; events do not say which when it is left out.',
    ),
})

/** `POST /_sim/messages/{id}/delivered`: mail that an agent sent reaches its recipient. */
export const deliveredRoute: Route = {
  path: '/messages/{id}/delivered',
  operations: {
    POST: defineOperation({
      summary: 'Has mail that an agent sent reach its recipient: subscriptions hear of `message.delivered`.',
      parameters,
      body: about,
      bodyOptional: true,
      answer: messageSchema(),
      perform({ simulator, origin, parameters: { id = '' }, body: { recipient } }) {
        return simulator.seenFrom(origin).mail.delivered(id, recipient ?? undefined)
      },
    }),
  },
}

/** `POST /_sim/messages/{id}/bounced`: mail that an agent sent comes back. */
export const bouncedRoute: Route = {
  path: '/messages/{id}/bounced',
  operations: {
    POST: defineOperation({
      summary: 'Has mail that an agent sent come back: subscriptions hear of `message.bounced`.',
      parameters,
      body: about,
      bodyOptional: true,
      answer: messageSchema(),
      perform({ simulator, origin, parameters: { id = '' }, body: { recipient } }) {
        return simulator.seenFrom(origin).mail.bounced(id, recipient ?? undefined)
      },
    }),
  },
}
