import { counted, formatDuration } from '../../base/text.js'
import type { PaceFacts } from './pace.js'

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
