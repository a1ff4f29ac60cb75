import { z } from '../../contract/schema.js'
import { faultSchema } from '../../world/index.js'
import { ControlError } from './control-error.js'
import { defineOperation, type Route } from './route.js'

const rule = z.object({
  id: z.string(),
  fault: faultSchema(),
  matched: z.int().min(0).describe('Requests that fitted it.'),
  hit: z.int().min(0).describe('Requests it disturbed.'),
})

/** `GET /_sim/faults`: the rules that disturb answers. `POST`: adds one. `DELETE`: takes all out of force. */
export const faultsRoute: Route = {
  path: '/faults',
  operations: {
    GET: defineOperation({
      summary: 'The rules that disturb answers, the oldest first, with what they have done.',
      answer: z.object({ faults: z.array(rule) }),
      perform: ({ simulator }) => ({ faults: simulator.faults.list() }),
    }),
    POST: defineOperation({
      summary: 'Disturbs answers from now on; a rule that can never hit is refused.',
      body: faultSchema(),
      status: 201,
      answer: rule,
      perform: ({ simulator, body }) => simulator.faults.add(body),
    }),
    DELETE: defineOperation({
      summary: 'Takes every rule out of force.',
      status: 204,
      perform: ({ simulator }) => simulator.faults.clear(),
    }),
  },
}

/** `DELETE /_sim/faults/{id}`: takes one rule out of force. */
export const oneFaultRoute: Route = {
  path: '/faults/{id}',
  operations: {
    DELETE: defineOperation({
      summary: 'Takes one rule out of force.',
      parameters: { id: 'The id of a rule.' },
      status: 204,
      perform({ simulator, parameters: { id = '' } }) {
        if (simulator.faults.remove(id)) return
        throw new ControlError(
          'not_found',
          `There is no fault "${id}"; GET /_sim/faults lists those in force.`,
        )
      },
    }),
  },
}
