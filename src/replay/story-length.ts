import type { Beginning, Expectation } from '../world/index.js'

/** The time a story goes on after its last entry when nobody says otherwise, in milliseconds. */
export const usualGrace = 30_000

/** The milliseconds of story time after which a story is over: a grace after its last entry, and every `within`. */
export function storyLength({ timeline, expectations }: Beginning, grace: number): number {
  const last = timeline.at(-1)?.after ?? 0
  return Math.max(last + grace, ...expectations.map((expectation) => deadlineOf(expectation, timeline, last)))
}

/** When the time of an expectation is over; of one that counts from what an agent does, from the last entry. */
function deadlineOf(expectation: Expectation, timeline: Beginning['timeline'], last: number): number {
  if (!('window' in expectation)) return 0
  const { after, within } = expectation.window
  if (within === null) return 0
  const from = after === null ? 0 : after.kind === 'entry' ? (timeline[after.entry]?.after ?? last) : last
  return from + within.milliseconds
}
