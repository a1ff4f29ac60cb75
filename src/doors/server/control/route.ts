import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { jsonList } from '../../../base/json.js'
import type { z } from '../../../base/schema.js'
import { createYielder } from '../../../service/time/wall-time.js'
import type { ExpectationChecker } from '../../../story/expectations/expectation-checker.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The methods of the control API. */
export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The largest body that a route accepts. */
export interface BodyLimit {
  readonly bytes: number
  /**
   * The maximum number of values in its lists and objects: validation takes time, and each invalid value
   * takes memory.
   */
  readonly values: number
}

/** A request to the control API, parsed and checked. */
export interface ControlCall<Body = unknown, Query = unknown> {
  /** The world that `X-Sim-World` or `?world=` selects, or else the first world. */
  readonly simulator: Simulator
  /** The origin that the client used, e.g. `http://127.0.0.1:4280`. */
  readonly origin: string
  /** The decoded path parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** Returns the checker of the world's expectations; it follows the world from the first call on. */
  expectations(): ExpectationChecker
}

/** An operation of the control API. */
export interface ControlOperation<Body = undefined, Query = undefined> {
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  /** The descriptions of the path parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether it concerns the server instead of a selected world. */
  readonly ofServer?: boolean
  readonly query?: z.ZodObject & z.ZodType<Query>
  /** The JSON that it accepts; if unset, only an empty object. */
  readonly body?: z.ZodType<Body>
  /** Whether the body may be omitted. */
  readonly bodyOptional?: boolean
  /** The largest JSON that it accepts; 64 KiB by default. */
  readonly bodyLimit?: BodyLimit
  /** Whether it also accepts RFC 5322 mail of type `message/rfc822`; its body is then the bytes of the mail. */
  readonly takesMail?: boolean
  /** 200 by default. */
  readonly status?: 201 | 204
  /** The JSON of the response; unset for 204. */
  readonly answer?: z.ZodType
  /** The type of a response other than `application/json`. */
  readonly contentType?: string
  /**
   * Performs the operation; returns the response as JSON, or as text if it has another type.
   * @throws ControlError, CommandError, AssumptionError, ClockError, FaultError, ScenarioError, SnapshotError
   */
  perform?(call: ControlCall<Body, Query>): unknown
  /**
   * Used over HTTP instead of `perform` by operations that write their own responses, in pieces or until the
   * client leaves.
   */
  stream?(
    call: ControlCall<Body, Query>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void>
}

/** A route of the control API: a method and a path with an operation. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas of a route check its body and query before it receives them.
export interface ControlRoute extends ControlOperation<any, any> {
  readonly method: ControlMethod
  /** The path below `/_sim`, with `{name}` for a parameter. */
  readonly path: string
}

/** Defines a route, such as `GET /clock`; infers the types of its body and query from their schemas. */
export function defineRoute<Body = undefined, Query = undefined>(
  route: `${ControlMethod} /${string}`,
  operation: ControlOperation<Body, Query>,
): ControlRoute {
  const [method, path] = route.split(' ') as [ControlMethod, string]
  return { method, path, ...operation }
}

/** Sends `{"<name>":[…]}` piece by piece, followed by additional fields. */
export function sendList<Item>(
  response: ServerResponse,
  name: string,
  items: readonly Item[],
  show: (item: Item) => object,
  further: object = {},
): Promise<void> {
  const fields = JSON.stringify(further).slice(1)
  const end = fields === '}' ? ']}' : `],${fields}`
  return sendText(response, jsonList([`{${JSON.stringify(name)}:[`, end], items, show))
}

/** The characters that are sent at a time, at least. */
const chunkLength = 65_536

/** Sends JSON that is formatted piece by piece, with pauses in which others are answered. */
export async function sendText(response: ServerResponse, text: Iterable<string>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  try {
    await pipeline(Readable.from(inChunks(text)), response)
  } catch (error) {
    // A client that disconnects is not a defect of the simulator.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

async function* inChunks(text: Iterable<string>): AsyncGenerator<string> {
  const yieldIfDue = createYielder()
  let chunk = ''
  for (const piece of text) {
    chunk += piece
    // A client that reads fast would otherwise keep the server busy until the end.
    const due = yieldIfDue()
    if (due) await due
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
