import { choiceProblems } from '../resolve/index.js'
import { assumptionChoicesSchema } from '../schema/index.js'
import { defineAction } from './action.js'

export const assume = defineAction({
  describe: 'Other assumptions apply from now on.',
  schema: assumptionChoicesSchema,
  isMovable: true,
  resolve({ lookups, path }, assumptions) {
    lookups.problems.push(...choiceProblems(assumptions, path, lookups.extensions.gaps))
    return () => ({ commands: [], assumptions })
  },
})
