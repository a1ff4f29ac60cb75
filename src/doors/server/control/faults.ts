import { z } from '../../../base/schema.js'
import { type FaultInput, faultSchema } from '../../../service/faults/fault.js'
import { ControlError } from './control-error.js'
import { defineRoute } from './route.js'

const rule = z.object({
  id: z.string(),
  fault: faultSchema(),
  matched: z.int().min(0).describe('The number of requests that matched the rule.'),
  hit: z.int().min(0).describe('The number of requests that the rule disturbed.'),
})

/** Routes of faults. */
export const faultRoutes = [
  defineRoute('GET /faults', {
    summary: 'Lists the rules in force, oldest first, with how often each one applied; keys are masked.',
    answer: z.object({ faults: z.array(rule) }),
    perform: ({ simulator: { faults, masker } }) => ({ faults: masker.keys.content(faults.list()) }),
  }),
  defineRoute('POST /faults', {
    summary:
      'Adds a rule that disturbs responses from now on; a rule for an unknown operation or agent is refused.',
    body: faultSchema(),
    status: 201,
    answer: rule,
    perform: ({ simulator: { faults, masker }, body }) => masker.keys.content(faults.add(body as FaultInput)),
  }),
  defineRoute('DELETE /faults', {
    summary: 'Removes all rules.',
    status: 204,
    perform: ({ simulator }) => simulator.faults.clear(),
  }),
  defineRoute('DELETE /faults/{id}', {
    summary: 'Removes one rule.',
    parameters: { id: 'The id of a rule.' },
    status: 204,
    perform({ simulator, parameters: { id = '' } }) {
      if (simulator.faults.remove(id)) return
      throw new ControlError('not_found', `There is no fault "${id}"; GET /_sim/faults lists those in force.`)
    },
  }),
]
