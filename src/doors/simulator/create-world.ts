import { type ClockMode, formatInstant, parseClockMode } from '../../service/time/time.js'
import type { WorldState } from '../../service/world/state.js'
import type { World } from '../../service/world/world.js'
import type { Worlds } from '../../service/world/worlds.js'
import { type Story, storyOf } from '../../story/story.js'
import type { WorldOptions } from './options.js'
import type { ScenarioLoader } from './scenario-loader.js'

/** The id and key of a created world, and what it was created from. */
export interface CreatedWorld {
  readonly id: string
  readonly apiKey: string
  readonly scenario: string
  readonly seed: number
}

/** The simulator in which a world is created, and the world from which it is created. */
interface WorldParts {
  readonly worlds: Worlds
  readonly world: World
  readonly loader: ScenarioLoader
  /** Adds it to the worlds of this process. */
  add(initialState: Story, from?: WorldState): CreatedWorld
}

/**
 * Creates an isolated world from a shipped scenario only; with persistence, another server may own it later. With `at`, it
 * goes on from that moment of the world from which it is created.
 * @throws ScenarioError, WorldError, StateError
 */
export async function createWorld(
  { worlds, world, loader, add }: WorldParts,
  { clock, ...options }: WorldOptions & { readonly clock: ClockMode },
  at?: number,
): Promise<CreatedWorld> {
  if (at !== undefined) return forkAt(at, { worlds, world, add, clock: parseClockMode(clock) })
  const { persistence } = worlds
  const changes = { ...options, shippedOnly: true }
  const initialState = await loader.loadOther(storyOf(world), changes)
  if (!persistence) return add(initialState)
  // The seed and the start of another scenario may come from options of this simulator.
  const { seed, start } = initialState
  const resolved = options.scenario === undefined ? {} : { seed, start: formatInstant(start) }
  const step = { ...changes, ...resolved }
  const steps = [...((await persistence.find(world.id))?.steps ?? []), step]
  const record = await persistence.create({ steps, clock: parseClockMode(clock) }, initialState)
  return { ...record, apiKey: record.api_key }
}

/** Creates a world that goes on from a moment of another one. @throws WorldError, StateError */
async function forkAt(
  at: number,
  { worlds, world, add, clock }: Pick<WorldParts, 'worlds' | 'world' | 'add'> & { readonly clock: ClockMode },
): Promise<CreatedWorld> {
  const { persistence } = worlds
  const story = storyOf(world)
  const state = world.stateAt(at)
  if (!persistence) return add(story, state)
  const steps = (await persistence.find(world.id))?.steps ?? []
  const record = await persistence.create({ steps, clock }, story)
  await persistence.admitWorld(record.id, () => true)
  worlds.get(record.id)?.world.continueFrom({ ...state, clock: { ...state.clock, mode: clock } })
  await persistence.confirm(record.id)
  return { ...record, apiKey: record.api_key }
}
