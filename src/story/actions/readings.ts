import { readingChoicesSchema } from '../format/values.js'
import { choiceProblems } from '../resolve/choices.js'
import { defineAction } from './action.js'

export const readings = defineAction({
  describe: 'Other readings apply from now on.',
  schema: readingChoicesSchema,
  resolve({ lookups, path }, readings) {
    lookups.problems.push(...choiceProblems(readings, path, lookups.extensions.gaps))
    return () => ({ commands: [], readings })
  },
})
