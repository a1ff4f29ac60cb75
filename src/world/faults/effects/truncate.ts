import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** The connection ends after some bytes of the body, short of the length that was promised. */
export const truncateBody: Effect<Fault> = ({ truncate }, answer) => {
  if (truncate === undefined || answer.bytes === null || answer.bytes.length <= truncate) return answer
  const promised = { 'content-length': String(answer.bytes.length) }
  const headers = { ...answer.headers, ...promised }
  return { ...answer, headers, bytes: answer.bytes.slice(0, truncate), ending: 'cut' }
}
