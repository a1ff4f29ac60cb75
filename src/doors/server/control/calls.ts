import { explainValue } from '../../../base/explain.js'
import { z } from '../../../base/schema.js'
import { ExpectationChecker } from '../../../story/expectations/expectation-checker.js'
import type { Simulator } from '../../simulator/simulator.js'
import { ControlError } from './control-error.js'
import type { ControlCall, ControlRoute } from './route.js'

/** What a client asks of a route. */
export interface RouteRequest extends Pick<ControlCall, 'origin' | 'parameters'> {
  /** The id of the world; the first world by default. */
  readonly world: string | undefined
  readonly query: Readonly<Record<string, string>>
  /** Returns whether somebody still waits for the response. */
  isAwaited(): boolean
  /** Reads the body: bytes of mail, or JSON that is checked next; undefined for a request that has none. */
  readBody(): Promise<unknown>
}

/** Calls the routes of the control API. */
export class ControlCalls {
  readonly #first: Simulator
  /** The expectation checker of each world; it lives as long as its world. */
  readonly #checkers = new WeakMap<object, ExpectationChecker>()

  constructor(first: Simulator) {
    this.#first = first
  }

  /** Checks a request, and reads and checks its body. @throws ControlError, StateError */
  async prepare(route: ControlRoute, request: RouteRequest): Promise<ControlCall> {
    const query = check(route.query ?? nothing, request.query, 'invalid_query')
    const simulator = await this.#world(route, request)
    const content = await request.readBody()
    // Not by `instanceof`: under jsdom, the bytes of Node are of another class.
    const isChecked = content === undefined || ArrayBuffer.isView(content)
    const body = isChecked ? content : check(route.body ?? nothing, content, 'invalid_body')
    const { origin, parameters } = request
    return { simulator, origin, parameters, query, body, expectations: () => this.#checkerOf(simulator) }
  }

  /** Performs a route; returns its response once the changes are durable. @throws what the route throws */
  async perform(route: ControlRoute, call: ControlCall): Promise<unknown> {
    // What concerns the server waits for no world, which another server may have claimed.
    const settled = route.ofServer ? undefined : call.simulator.hold()
    const answer = await route.perform?.(call)
    await settled?.()
    return answer
  }

  async #world({ ofServer }: ControlRoute, { world: id, isAwaited }: RouteRequest): Promise<Simulator> {
    const first = this.#first
    if (!ofServer || id !== undefined) await first.persistence?.admitWorld(id ?? first.id, isAwaited)
    return id === undefined ? first : existingWorld(id, first)
  }

  #checkerOf(simulator: Simulator): ExpectationChecker {
    const { log } = simulator.events
    const checker = this.#checkers.get(log) ?? new ExpectationChecker(simulator)
    this.#checkers.set(log, checker)
    return checker
  }
}

const nothing = z.strictObject({})

/** Returns the world with an id. @throws ControlError `unknown_world` */
export function existingWorld(id: string, simulator: Simulator): Simulator {
  const found = simulator.world(id)
  if (found) return found
  throw new ControlError(
    'unknown_world',
    `There is no world "${id}"; POST /_sim/worlds creates one, and GET /_sim/worlds lists all worlds.`,
  )
}

/** Returns a value that is valid under a schema. @throws ControlError with the code */
function check(schema: z.ZodType, value: unknown, code: 'invalid_body' | 'invalid_query'): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const what = code === 'invalid_body' ? 'body' : 'query'
  throw new ControlError(code, `The ${what} is not valid:\n${explainValue(schema, value)}`)
}
