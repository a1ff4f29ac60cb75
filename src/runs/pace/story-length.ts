import type { Expectation } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'

/** Returns the length of a story in milliseconds: until a grace period after its last entry, or the last `within`. */
export function storyLength({ timeline, triggered = [], expectations }: Story, grace: number): number {
  const told = timeline.reduce(
    (most, { after, commands }) => Math.max(most, after + longestDelay(commands)),
    0,
  )
  // People answer a while after the agent has written.
  const last =
    told + triggered.reduce((most, { when }) => Math.max(most, ('after' in when && when.after) || 0), 0)
  return Math.max(last + grace, ...expectations.map((expectation) => deadlineOf(expectation, timeline, last)))
}

/** Returns the longest delay of the events of commands, in milliseconds. */
function longestDelay(commands: Story['timeline'][number]['commands']): number {
  return commands.reduce(
    (most, command) => Math.max(most, ('event_delay' in command && command.event_delay) || 0),
    0,
  )
}

/**
 * Returns when the window of an expectation ends; a window that begins with an act of the agent ends after
 * the last entry.
 */
function deadlineOf(expectation: Expectation, timeline: Story['timeline'], last: number): number {
  if (!expectation.window) return 0
  const { after, before, within } = expectation.window
  if (within === null) return before?.kind === 'time' ? before.after : 0
  if (after?.kind === 'time') return after.after + within.milliseconds
  const entry = after?.kind === 'entry' ? timeline.find(({ name }) => name === after.entry) : undefined
  const from = after === null ? 0 : (entry?.after ?? last)
  return from + within.milliseconds
}
