import { statedWrite, writeOf } from '../exchanges.js'
import type { Invariant } from './invariant.js'

/** The client makes no writes that it would not make without faults. */
export const writesNothingElse: Invariant = {
  limit: 'writes',
  advice: 'Distinguish a failed response from an empty one, and write only what was read completely.',
  watch({ writes }) {
    const allowed = new Set((writes ?? []).map((one) => statedWrite(one) ?? one))
    return {
      expected: allowed.size === 0 ? 'no write' : `no write other than ${[...allowed].join(', ')}`,
      observe(observation) {
        const write = writeOf(observation)
        if (write === undefined || allowed.has(write)) return undefined
        const found = `an unexpected write: ${write}`
        return { found, line: write, differences: ['expected no such write'] }
      },
    }
  },
}
