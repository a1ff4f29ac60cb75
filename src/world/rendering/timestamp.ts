import type { Settle } from '../settle.js'
import { formatInstant } from '../time.js'

/** An instant as answers carry it: ISO 8601 UTC. @see interface 2 */
export function timestamp(instant: number, settle: Settle): string {
  return settle('format.timestamps', {
    milliseconds: () => formatInstant(instant, 'milliseconds'),
    seconds: () => formatInstant(instant, 'seconds'),
  })
}
