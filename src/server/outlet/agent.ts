import { Agent, request } from 'undici'
import { type OutgoingRequest, type ReceiverAnswer, readAnswer } from '../../world/index.js'
import { createConnector } from './connector.js'
import type { Destinations } from './destinations.js'
import { brokenBy, unanswered } from './failure.js'
import type { LookUp } from './look-up.js'
import { Sockets } from './sockets.js'

/** Connections to one receiver: a world uses ten of them at most, and none is to wait for another. */
const mostConnections = 128

/** Milliseconds that a connection is kept for the next request: less than after which receivers commonly close it. */
const keptFor = 1000

/** Sends requests, each once: nothing is followed, and nothing sent again. */
export class DeliveryAgent {
  readonly #sockets = new Sockets()
  readonly #agent: Agent

  constructor(destinations: Destinations, lookUp: LookUp) {
    this.#agent = new Agent({
      connect: createConnector({ destinations, lookUp, sockets: this.#sockets }),
      connections: mostConnections,
      keepAliveTimeout: keptFor,
      keepAliveMaxTimeout: keptFor,
      // How long a receiver may take is for the world's clock to say.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** @throws OutletError */
  async send({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
    try {
      const dispatcher = this.#agent
      const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher })
      return await readAnswer({
        status: answer.statusCode,
        headers: joined(answer.headers),
        body: inPlainWords(answer.body),
      })
    } catch (error) {
      throw unanswered(error)
    }
  }

  /** Ends every connection, whatever is under way on it, and sends nothing any more. */
  async close(): Promise<void> {
    this.#sockets.close()
    await this.#agent.destroy()
  }
}

/** Headers of one value each. */
function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name, [value].flat().join(', ')]]
    }),
  )
}

/** A body that, where it breaks off, says so as the rest of this does. */
async function* inPlainWords(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new Error(brokenBy(error as Error))
  }
}
