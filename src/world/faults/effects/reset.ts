import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** A connection that breaks off before anything came. */
export const resetConnection: Effect<Fault> = ({ reset }, answer) => {
  return reset ? { ...answer, ending: 'reset' } : answer
}
