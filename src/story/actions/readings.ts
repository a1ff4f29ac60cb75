import { choiceProblems } from '../resolve/index.js'
import { readingChoicesSchema } from '../schema/index.js'
import { defineAction } from './action.js'

export const readings = defineAction({
  describe: 'Other readings apply from now on.',
  schema: readingChoicesSchema,
  isMovable: true,
  resolve({ lookups, path }, readings) {
    lookups.problems.push(...choiceProblems(readings, path, lookups.extensions.gaps))
    return () => ({ commands: [], readings })
  },
})
