import { threadSchema } from '../../contract/resources.js'
import { defineOperation, type Route } from './route.js'

const parameters = { id: 'The id of a thread.' }

/** `POST /_sim/threads/{id}/read`: marks a thread read. */
export const readRoute: Route = {
  path: '/threads/{id}/read',
  operations: {
    POST: defineOperation({
      summary: 'Marks a thread read.',
      parameters,
      answer: threadSchema(),
      perform: ({ simulator, parameters: { id = '' } }) => simulator.threads.markRead(id),
    }),
  },
}

/** `POST /_sim/threads/{id}/unread`: marks a thread unread. */
export const unreadRoute: Route = {
  path: '/threads/{id}/unread',
  operations: {
    POST: defineOperation({
      summary: 'Marks a thread unread.',
      parameters,
      answer: threadSchema(),
      perform: ({ simulator, parameters: { id = '' } }) => simulator.threads.markUnread(id),
    }),
  },
}
