import { counted, formatDuration } from '../../base/text.js'

/** How an agent was paced. */
export interface PaceFacts {
  readonly mode: string
  readonly observed: readonly { readonly runtime: string; readonly processes: number }[]
  readonly worked_ms: number
  readonly skipped_ms: number
  readonly patience_used: number
  /** The number of requests to others than the service, such as a model. */
  readonly elsewhere: number
  /** The first status with which somebody else was too busy or failed: 429 or 5xx. */
  readonly unavailable?: number
  /** Whether a delivery or mail was unanswered when the patience with an agent that cannot be observed ended. */
  readonly unanswered?: true
  /** What could not be observed, or went on for longer than counts. */
  readonly notes?: readonly string[]
  /** The date of an observed agent when the story began, if the story's is another one, ISO 8601. */
  readonly own_date?: string
  /** Whether it was seen to listen at a port. */
  readonly listens?: true
  /** What it was working at when the play was interrupted, if it was seen to work. */
  readonly working?: string
}

/** Describes how an agent was paced: `observed (node 22.1.0, 2 processes), 3m10s of waits skipped, 14.2 s of its own work`. */
export function describePace({ mode, observed, worked_ms, skipped_ms, patience_used }: PaceFacts): string {
  const seen = observed.map(
    ({ runtime, processes }) => `${runtime}, ${counted(processes, 'process', 'processes')}`,
  )
  const times = patience_used === 1 ? 'once' : `${patience_used} times`
  const quiet = `quiet for as long as --patience says ${times}`
  return [
    seen.length > 0 ? `observed (${seen.join('; ')})` : 'not observed',
    ...(patience_used > 0 ? [quiet] : []),
    ...(mode === 'auto' && skipped_ms > 0 ? [`${formatDuration(skipped_ms)} of waits skipped`] : []),
    `${(worked_ms / 1000).toFixed(1)} s of its own work`,
  ].join(', ')
}
