import type { Difference, Settle } from './settle.js'

/** Returns the shortest time between two timestamps that a response can tell apart, in milliseconds. */
export function tickOf(settle: Settle, difference?: Difference): number {
  return settle('format.timestamps', { milliseconds: () => 1, seconds: () => 1000 }, difference)
}
