import type { Simulator, SimulatorOptions } from 'agent-mailbox-sim'

/** One answer of the simulated service, with nothing interpreted. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** The headers and body of a request. */
export type RequestParts = Pick<RequestInit, 'headers' | 'body'>

/** A simulator that answers requests, until it is closed. */
export interface Connection {
  readonly simulator: Simulator
  readonly baseUrl: string
  /** Sends a request for a path below the base URL; rejects without an answer. */
  request(method: string, path: string, parts?: RequestParts): Promise<Answer>
  close(): void | Promise<void>
}

/** A way to send requests to a simulator. */
export interface Transport {
  readonly name: string
  open(options: SimulatorOptions): Promise<Connection>
}

/** A response as an answer. */
export async function answerOf(response: Response): Promise<Answer> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}
