import type { Settle } from '../settle.js'
import type { Outcome } from './delivery-record.js'

/** Milliseconds that a receiver may take to answer. @see interface 6 */
export function timeLimit(settle: Settle): number {
  return settle('events.timeout', {
    '10s': () => 10_000,
    '5s': () => 5_000,
    '15s': () => 15_000,
    '30s': () => 30_000,
  })
}

/** Whether an attempt succeeded; a redirect never does, since it is not followed. @see interface 6 */
export function hasSucceeded(outcome: Outcome, settle: Settle): boolean {
  const { answer, error } = outcome
  const status = answer?.status ?? 0
  const accepted =
    error === null &&
    settle(
      'events.success',
      { '2xx': () => status >= 200 && status < 300, '200-only': () => status === 200 },
      'shown',
    )
  const after = (limit: number) => resultAfter(limit, outcome, accepted)
  settle(
    'events.timeout',
    {
      '10s': () => after(10_000),
      '5s': () => after(5_000),
      '15s': () => after(15_000),
      '30s': () => after(30_000),
    },
    'shown',
  )
  return accepted
}

/** What would have become of an attempt under another limit; of one that was ended, nobody knows under a longer one. */
function resultAfter(limit: number, { duration, error }: Outcome, accepted: boolean): boolean | 'unknown' {
  if (error?.code === 'timeout') return limit > (duration ?? 0) ? 'unknown' : false
  return accepted && (duration ?? 0) <= limit
}
