import { parseDuration } from '../../time.js'
import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** A body that arrives in pieces. */
export const dripBody: Effect<Fault> = ({ drip }, answer) => {
  return drip === undefined ? answer : { ...answer, drip: parseDuration(drip) as number }
}
