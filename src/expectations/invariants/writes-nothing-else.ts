import { defineInvariant } from './invariant.js'
import { writeOf } from './writes.js'

/** Writes only what it also writes undisturbed. */
export const writesNothingElse = defineInvariant({
  name: 'writes-nothing-else',
  describe: 'The client writes nothing that it would not write undisturbed.',
  advice: 'Tell an answer that failed from one that is empty, and write only what was read whole.',
  watch({ writes }) {
    const allowed = new Set(writes ?? [])
    return {
      expected: allowed.size === 0 ? 'no write' : `no other write than ${[...allowed].join(', ')}`,
      observe(observation) {
        const write = writeOf(observation)
        if (write === undefined || allowed.has(write)) return undefined
        const found = `another write: ${write}`
        return { at: observation.moment.at, found, line: write, differences: ['expected no such write'] }
      },
    }
  },
})
