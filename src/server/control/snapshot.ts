import { z } from '../../contract/schema.js'
import { snapshotSchema } from '../../world/index.js'
import { bodyBytes } from './request-body.js'
import { defineOperation, type Route } from './route.js'
import { show, shown } from './world.js'

/** What a snapshot is for the checks of a request: whatever it is, restoring it says what is wrong. */
const anything = z.unknown().describe('What `GET /_sim/snapshot` gave.')

/** `GET /_sim/snapshot`: the whole world as one document. `PUT`: the world as it was then. */
export const snapshotRoute: Route = {
  path: '/snapshot',
  operations: {
    GET: defineOperation({
      summary: 'The whole world as one document, which tells what it changed of its scenario.',
      answer: snapshotSchema(),
      perform: ({ simulator }) => simulator.snapshot(),
    }),
    PUT: defineOperation({
      summary:
        'The world as it was when a snapshot was taken, with an empty journal; one that is wrong changes nothing.',
      body: anything,
      bodyBytes: bodyBytes.snapshot,
      answer: shown,
      perform({ simulator, body }) {
        simulator.restore(body)
        return show(simulator)
      },
    }),
  },
}
