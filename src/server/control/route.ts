import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from '../../contract/schema.js'
import type { ExpectationChecker } from '../../expectations/expectation-checker.js'
import type { Simulator } from '../../simulator/simulator.js'

/** Methods of the control API. */
export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The largest body that a route takes. */
export interface BodyLimit {
  readonly bytes: number
  /** Values in its lists and objects: checking them takes time, and each wrong one memory. */
  readonly values: number
}

/** A request to the control API, parsed and checked. */
export interface ControlCall<Body = unknown, Query = unknown> {
  /** The world it is about: the first, or that of `X-Sim-World` or `?world=`. */
  readonly simulator: Simulator
  /** The origin at which the client reached the server, e.g. `http://127.0.0.1:4280`. */
  readonly origin: string
  /** The `{name}`s of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** Checks the expectations of the world; it follows the world from the first request that asks. */
  expectations(): ExpectationChecker
}

/** An operation of the control API. */
export interface ControlOperation<Body = undefined, Query = undefined> {
  /** What it does, in one line. */
  readonly summary: string
  /** The meaning of the `{name}`s in the path, by name. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether it is about the server, and not about the world that would be selected. */
  readonly ofServer?: boolean
  readonly query?: z.ZodObject & z.ZodType<Query>
  /** The JSON it takes; without one, it takes nothing but an empty object. */
  readonly body?: z.ZodType<Body>
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean
  /** The largest JSON it takes; 64 KiB when it is left out. */
  readonly bodyLimit?: BodyLimit
  /** Whether it also takes RFC 5322 mail of type `message/rfc822`; the body is then its bytes. */
  readonly takesMail?: boolean
  /** 200 when it is left out. */
  readonly status?: 201 | 204
  /** The JSON it answers with; nothing with a 204. */
  readonly answer?: z.ZodType
  /** The type of an answer other than `application/json`. */
  readonly contentType?: string
  /**
   * Performs it; returns the answer as JSON, or as text where it has another type.
   * @throws ControlError, CommandError, ReadingError, ClockError, FaultError, ScenarioError, SnapshotError
   */
  perform?(call: ControlCall<Body, Query>): unknown
  /** Instead of `perform`: writes the answer itself, piece by piece or for as long as the client stays. */
  stream?(
    call: ControlCall<Body, Query>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void>
}

/** A route of the control API: a method and a path with an operation. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas of a route check its body and query before it gets them.
export interface ControlRoute extends ControlOperation<any, any> {
  readonly method: ControlMethod
  /** The path below `/_sim`, with `{name}` for a parameter. */
  readonly path: string
}

/** Declares a route, such as `GET /clock`; infers the types of its body and query from their schemas. */
export function defineRoute<Body = undefined, Query = undefined>(
  route: `${ControlMethod} /${string}`,
  operation: ControlOperation<Body, Query>,
): ControlRoute {
  const [method, path] = route.split(' ') as [ControlMethod, string]
  return { method, path, ...operation }
}
