import { formatDuration, parseInstant } from '../world/index.js'

export { formatDuration }

/** The time from one instant of a story to another, both ISO 8601. */
export function formatSpan(from: string, to: string): string {
  return formatDuration(Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0)))
}
