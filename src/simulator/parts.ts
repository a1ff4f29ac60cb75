import type { HttpHandler } from 'msw'
import type { Site } from '../handlers/index.js'
import type { ClockMode, World, Worlds } from '../world/index.js'
import type { Loading } from './loading.js'

/** What a simulator is put together from. */
export interface SimulatorParts {
  readonly worlds: Worlds
  readonly site: Site
  readonly handlers: HttpHandler[]
  readonly loading: Loading
  readonly world: World
  /** The key of a forked world; the first has those its scenario lists. */
  readonly apiKey?: string
  /** The address below which stored files are shown; the simulated one when it is left out. */
  readonly base?: string
}

/** How a fork differs from the world it is made from. */
export interface ForkOptions {
  /** How its time passes; as in the world it is made from when it is left out. */
  readonly clock?: ClockMode | undefined
}

/** The parts of a simulator of another world. */
export function partsWith(parts: SimulatorParts, world: World, apiKey: string | undefined): SimulatorParts {
  const { apiKey: _, ...shared } = parts
  return { ...shared, world, ...(apiKey !== undefined && { apiKey }) }
}

/** The key that selects the first world. */
export function keyOf({ store }: World): string {
  return store.firstOrganization().api_keys[0] ?? 'any-key'
}
