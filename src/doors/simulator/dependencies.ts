import type { HttpHandler } from 'msw'
import type { BaseUrl } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import type { World } from '../../service/world/world.js'
import type { Worlds } from '../../service/world/worlds.js'
import type { ScenarioLoader } from './scenario-loader.js'

/** The parts of a simulator. */
export interface SimulatorDependencies {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly service: Service
  /** Undefined for a server, which responds without them. */
  readonly handlers: HttpHandler[] | undefined
  readonly loader: ScenarioLoader
  readonly world: World
  /** The key of a forked world; the first world has the keys that its scenario lists. */
  readonly apiKey?: string | undefined
  /** The address below which its stored files are served, instead of that of the service. */
  readonly base?: string | undefined
}
