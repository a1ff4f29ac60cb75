import type { InitialState } from '../../../src/service/world/state.js'
import type { TriggeredEntry } from '../../../src/service/world/story.js'
import type { TimelineEntry } from '../../../src/service/world/story-entry.js'
import { World } from '../../../src/service/world/world.js'
import { annsMail, smallBeginning } from './small-world.js'

const minute = 60_000

/** The timeline of these worlds. */
const timeline: TimelineEntry[] = [
  { name: 'at once', after: 0, commands: [annsMail({ text: 'At once', ids: ids('at_once') })] },
  { name: 'mail', after: 20 * minute, commands: [annsMail({ text: 'Hello', ids: ids('timed') })] },
  { name: 'fault', after: 40 * minute, commands: [], fault: { reset: true, probability: 0.5 } },
  { name: 'assumptions', after: 60 * minute, commands: [], assumptions: { 'threads.order': 'created-asc' } },
  { name: 'more mail', after: 90 * minute, commands: [annsMail({ text: 'Bye', ids: ids('late') })] },
]

/** The entries of these worlds that requests trigger. */
const triggered: TriggeredEntry[] = [
  { name: 'second', when: { request: 'threads.list', nth: 2 }, commands: [annsMail({ ids: ids('second') })] },
  {
    name: 'fourth',
    when: { request: 'threads.list', nth: 4 },
    commands: [],
    fault: { status: 503, times: 1 },
  },
]

function ids(name: string): { message: string; thread: string } {
  return { message: `msg_${name}`, thread: `thrd_${name}` }
}

/** Returns the initial state of these worlds: the small base with a timeline. */
export function storyBeginning(): InitialState {
  return smallBeginning({ timeline, triggered })
}

/** Creates worlds with that initial state over the same base. */
export function storyWorlds(count: number, initialState = storyBeginning()): World[] {
  return Array.from({ length: count }, (_, index) => new World(`world_${index + 1}`, initialState, 'frozen'))
}
