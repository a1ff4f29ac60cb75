import { assumptionChoicesSchema } from '../format/values.js'
import { choiceProblems } from '../read/assumptions.js'
import { defineAction } from './action.js'

export const assume = defineAction({
  describe: 'Other assumptions apply from now on.',
  schema: assumptionChoicesSchema,
  resolve({ lookups, path }, assumptions) {
    lookups.problems.push(...choiceProblems(assumptions, path, lookups.extensions.gaps))
    return () => ({ commands: [], assumptions })
  },
})
