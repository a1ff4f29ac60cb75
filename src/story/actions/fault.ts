import { z } from '../../base/schema.js'
import { effectsOf, faultSchema } from '../../service/faults/fault.js'
import { having } from '../format/values.js'
import { defineAction } from './action.js'

const rule = faultSchema().meta({
  id: 'fault',
  title: 'fault',
  description: 'A rule that disturbs responses: which requests, and how.',
  anyOf: effectsOf(faultSchema().shape).map(having),
})

export const fault = defineAction({
  describe: 'Responses are disturbed from now on.',
  schema: rule,
  operations: ['operation'],
  resolve({ lookups, path }, fault) {
    lookups.agent(fault.handle, [...path, 'handle'])
    return () => ({ commands: [], fault })
  },
})

export const clearFaults = defineAction({
  describe: 'Responses are no longer disturbed.',
  schema: z.literal(true),
  resolve: () => () => ({ commands: [], fault: 'clear' }),
})
