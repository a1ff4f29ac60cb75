import { type FaultInput, faultSchema } from '../../service/faults/fault.js'
import type { FaultRule } from '../../service/faults/fault-rules.js'
import { type Controlled, control, listNamed } from './control.js'
import { ControlError } from './errors.js'

/** The fault rules of a world, which disturb its responses. */
export const faults = {
  /** Returns the rules in force, oldest first, with how often each matched and applied. */
  list: control({
    route: 'GET /faults',
    summary: 'Lists the rules in force, oldest first, with how often each one applied; keys are masked.',
    answer: listNamed('faults'),
    perform: ({ view }: Controlled): readonly FaultRule[] => view.world.faults.list(),
    show: (list, { view }) => ({ faults: view.masker.keys.content(list) }),
  }),

  /**
   * Adds a rule that disturbs responses from now on. If the rule sets a status or a body, the operation is
   * not performed; if it only delays, damages or cuts off the response, it is. A rule for an operation or
   * an agent that does not exist is refused.
   * @throws WorldError `invalid`, `impossible`, `too-many`
   * @example sim.faults.add({ operation: 'threads.list', status: 503, retry_after: '30s', times: 2 })
   */
  add: control({
    route: 'POST /faults',
    summary:
      'Adds a rule that disturbs responses from now on; a rule for an unknown operation or agent is refused.',
    body: faultSchema,
    whole: 'fault',
    status: 201,
    perform: ({ view }: Controlled, fault: FaultInput): FaultRule => view.world.addFault(fault),
    show: (rule, { view }) => view.masker.keys.content(rule),
  }),

  /** Removes a rule; returns false if there is none with that id. */
  remove: control({
    route: 'DELETE /faults/{id}',
    summary: 'Removes one rule.',
    status: 204,
    perform: ({ view }: Controlled, id: string): boolean => view.world.faults.remove(id),
    show(isRemoved, _on, { id }) {
      if (isRemoved) return
      throw new ControlError('not_found', `There is no fault "${id}"; GET /_sim/faults lists those in force.`)
    },
  }),

  /** Removes every rule. */
  clear: control({
    route: 'DELETE /faults',
    summary: 'Removes all rules.',
    status: 204,
    perform: ({ view }: Controlled): void => view.world.clearFaults(),
  }),
}
