import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** Another content type than the body has. */
export const replaceContentType: Effect<Fault> = ({ content_type: type }, answer) => {
  return type === undefined ? answer : { ...answer, headers: { ...answer.headers, 'content-type': type } }
}
