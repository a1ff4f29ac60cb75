import { parseDuration } from '../../time.js'
import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** Another status, and when to come back. */
export const replaceStatus: Effect<Fault> = ({ status, retry_after: wait }, answer) => {
  const seconds = typeof wait === 'string' ? Math.ceil((parseDuration(wait) as number) / 1000) : wait
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return { ...answer, status: status ?? answer.status, headers: { ...answer.headers, ...headers } }
}
