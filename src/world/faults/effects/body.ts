import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

const encoder = new TextEncoder()

/** Another body: text as it is, anything else as JSON. */
export const replaceBody: Effect<Fault> = ({ body }, answer) => {
  if (body === undefined) return answer
  return { ...answer, bytes: encoder.encode(typeof body === 'string' ? body : JSON.stringify(body)) }
}
