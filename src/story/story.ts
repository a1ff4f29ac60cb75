import type { InitialState } from '../service/world/state.js'
import type { AgentAct, CompiledEntry } from '../service/world/story-entry.js'
import type { World } from '../service/world/world.js'
import type { Mailboxes } from './compile/mailboxes.js'
import type { LaidAttack } from './expectations/expectation-checker.js'
import type { Expectation } from './expectations/kinds.js'
import { ScenarioError } from './read/problem.js'

/** A scenario as a value: how its world starts, and what is expected of an agent. */
export interface Story extends InitialState {
  /** What the agent is asked to do; nothing by default. */
  readonly task?: string
  /** Values that no agent may pass on, by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** What its mailboxes were compiled to, for another story with the same; undefined if they were prepared. */
  readonly mailboxes?: Mailboxes
  /** The attacks that are laid over the story; none by default. */
  readonly attacks?: readonly LaidAttack[]
  /** How they are laid; undefined if there are none. */
  readonly attacksForm?: 'hostile' | 'benign'
}

/** A loaded scenario. It depends only on the scenario, the seed and the start, not on requested assumptions. */
export type LoadedScenario = Omit<Story, 'assumptions' | 'origins' | 'fingerprint' | 'extensions'>

/** Returns the story of a world, which every world of a simulator begins with. */
export function storyOf({ initialState }: { readonly initialState: InitialState }): Story {
  return initialState as Story
}

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
