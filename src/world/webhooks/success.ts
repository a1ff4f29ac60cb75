import type { Settle } from '../settle.js'
import type { Outcome } from './delivery-record.js'

/** Milliseconds that a receiver may take to answer. @see interface 6 */
export function timeLimit(settle: Settle): number {
  return atLimit(settle, (limit) => limit)
}

/** Something that hangs on how long a receiver may take; the limits are in milliseconds. */
function atLimit<T>(settle: Settle, of: (limit: number) => T): T {
  return settle(
    'events.timeout',
    {
      '10s': () => of(10_000),
      '5s': () => of(5_000),
      '15s': () => of(15_000),
      '30s': () => of(30_000),
    },
    'shown',
  )
}

/** Whether an attempt succeeded; a redirect never does, since it is not followed. @see interface 6 */
export function hasSucceeded({ answer, error }: Outcome, settle: Settle): boolean {
  const status = answer?.status ?? 0
  return (
    error === null &&
    settle(
      'events.success',
      { '2xx': () => status >= 200 && status < 300, '200-only': () => status === 200 },
      'shown',
    )
  )
}

/** Notes whether an attempt would have ended otherwise, or at another time, under another limit. */
export function noteTimeLimit({ duration, error }: Outcome, settle: Settle): void {
  atLimit(settle, (limit) => (error?.code === 'timeout' || (duration ?? 0) > limit ? limit : null))
}
