import { type ClockMode, formatInstant, parseClockMode } from '../../service/time/index.js'
import type { World, Worlds } from '../../service/world/index.js'
import { type Story, storyOf } from '../../story/index.js'
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
  add(initialState: Story): CreatedWorld
}

/**
 * Creates an isolated world from a shipped scenario only; with persistence, another server may own it later.
 * @throws ScenarioError, ReadingError, ClockError, StateError
 */
export async function createWorld(
  { worlds: { persistence }, world, loader, add }: WorldParts,
  { clock, ...options }: WorldOptions & { readonly clock: ClockMode },
): Promise<CreatedWorld> {
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
