import { type OutgoingRequest, type Outlet, OutletError, type ReceiverAnswer } from '../../world/index.js'
import type { DeliveryAgent } from './agent.js'
import { Destinations } from './destinations.js'
import { type LookUp, lookUp } from './look-up.js'

/** How deliveries leave a server. */
export interface NetworkOutletOptions {
  /** What deliveries may go to besides this machine: `HOST` or `HOST:PORT`. */
  readonly allowed?: readonly string[] | undefined
  /** Gives the addresses of names; this machine's own way when it is left out. */
  readonly lookUp?: LookUp | undefined
}

/** Sends deliveries as real requests, over connections that are kept; to this machine and what is allowed besides. */
export class NetworkOutlet implements Outlet {
  readonly #destinations: Destinations
  readonly #lookUp: LookUp
  #agent: Promise<DeliveryAgent> | undefined
  #closed = false

  /** @throws ServerError `unknown-host` */
  constructor({ allowed, lookUp: look = lookUp }: NetworkOutletOptions = {}) {
    this.#destinations = new Destinations(allowed)
    this.#lookUp = look
  }

  /** Loads what requests are sent with, the first time. */
  async ready(): Promise<void> {
    if (!this.#closed) await this.#load()
  }

  /** @throws OutletError */
  async send(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
    if (this.#closed) throw new OutletError('broken-off', 'The server was closed.')
    const agent = await this.#load()
    return agent.send(request, signal)
  }

  /** Ends every connection, whatever is under way on it, and sends nothing any more. */
  async close(): Promise<void> {
    this.#closed = true
    const agent = await this.#agent
    await agent?.close()
  }

  #load(): Promise<DeliveryAgent> {
    this.#agent ??= this.#createAgent()
    return this.#agent
  }

  async #createAgent(): Promise<DeliveryAgent> {
    // Node's own copy has to be loaded first: where there is none, the package becomes what every `fetch` goes through.
    void globalThis.Headers
    // Loaded here, since most servers have nobody to deliver to.
    const { DeliveryAgent } = await import('./agent.js')
    return new DeliveryAgent(this.#destinations, this.#lookUp)
  }
}
