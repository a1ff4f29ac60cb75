import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The methods operations of the control API have. */
export const controlMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One of the methods operations of the control API have. */
export type ControlMethod = (typeof controlMethods)[number]

/** One request to the control API, read and checked. */
export interface ControlCall<Body = unknown, Query = unknown> {
  /** The world it is about: the first, or that of `X-Sim-World` or `?world=`. */
  readonly simulator: Simulator
  /** Where the client reached the server, e.g. `http://127.0.0.1:4280`. */
  readonly origin: string
  /** The `{name}`s of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
}

/** One method of a route. */
export interface ControlOperation<Body = never, Query = never> {
  /** What it does, in a line. */
  readonly summary: string
  /** What `{name}`s in the path mean, by name. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject & z.ZodType<Query>
  /** The JSON it takes; without one, it takes nothing but an empty object. */
  readonly body?: z.ZodType<Body>
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean
  /** Bytes its JSON may have; 64 kB when it is left out. */
  readonly bodyBytes?: number
  /** Whether it also takes mail in RFC 5322 form, of type `message/rfc822`; the body then is its bytes. */
  readonly takesMail?: boolean
  /** 200 when it is left out. */
  readonly status?: 201 | 204
  /** The JSON it answers with; nothing with a 204. */
  readonly answer?: z.ZodType
  /** The type of an answer that is no `application/json`. */
  readonly contentType?: string
  /**
   * Does it; gives what it is answered with, as JSON or text.
   * @throws ControlError, CommandError, ReadingError, ClockError, FaultError, ScenarioError, SnapshotError
   */
  perform?(call: ControlCall<Body, Query>): unknown
  /** Instead of `perform`: answers by itself, piece by piece or for as long as the client stays. */
  stream?(
    call: ControlCall<Body, Query>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void>
}

/** One path of the control API. */
export interface Route {
  /** The path below `/_sim`, with `{name}` for a parameter. */
  readonly path: `/${string}`
  readonly operations: Readonly<Partial<Record<ControlMethod, AnyControlOperation>>>
}

/** An operation, whatever it takes: its own schemas check that before it gets it. */
// biome-ignore lint/suspicious/noExplicitAny: what one operation takes is no other's affair.
export type AnyControlOperation = ControlOperation<any, any>

/** Declares an operation, keeping the types of its body and its query. */
export function defineOperation<Body = undefined, Query = undefined>(
  operation: ControlOperation<Body, Query>,
): ControlOperation<Body, Query> {
  return operation
}

/** The methods of a route, for people: `GET and PATCH`. */
export function methodsOf({ operations }: Route): string {
  return Object.keys(operations).join(' and ')
}

/** The methods of a route, for `Allow`. */
export function allowOf({ operations }: Route): string {
  return Object.keys(operations)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}
