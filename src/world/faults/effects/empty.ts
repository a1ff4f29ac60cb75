import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** No body, under headers that promise one. */
export const emptyBody: Effect<Fault> = ({ empty }, answer) => {
  return empty ? { ...answer, bytes: new Uint8Array() } : answer
}
