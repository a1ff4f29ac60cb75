import type { AgentAct, CompiledEntry } from '../service/world/story-entry.js'
import type { World } from '../service/world/world.js'
import { ScenarioError } from './read/problem.js'
import type { Story } from './story.js'

/** What starts the program of an agent if it does not run. */
const starting: ReadonlySet<AgentAct> = new Set<AgentAct>(['kill', 'start', 'second'])

/** Returns whether a story decides about the life of the agent's program: when it is killed, and so on. */
export function decidesLife({ timeline, triggered = [] }: Story): boolean {
  return [...timeline, ...triggered].some(({ agent }) => agent !== undefined)
}

/** Returns whether an entry that is played whatever happens will still start the program of the agent. */
export function isStartExpected(
  { timeline, triggered = [] }: Story,
  world: Pick<World, 'timeline' | 'triggers'>,
): boolean {
  const starts = ({ agent }: CompiledEntry): boolean => agent !== undefined && starting.has(agent)
  const names = new Set(triggered.filter(starts).map(({ name }) => name))
  return (
    timeline.slice(world.timeline.played.length).some(starts) ||
    world.triggers.pending.some(({ name }) => names.has(name))
  )
}

/** Returns the refusal of a story that decides about the life of a program where none is started. */
export function lifeRefusal({ scenario, timeline, triggered = [] }: Story, why: string): ScenarioError {
  const entries = [...timeline, ...triggered].filter(({ agent }) => agent !== undefined)
  const problems = entries.map(({ name }) => ({ key: `the entry ${name}`, message: why }))
  return new ScenarioError('invalid', scenario, problems)
}
