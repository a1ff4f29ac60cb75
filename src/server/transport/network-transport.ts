import {
  type DeliveryTransport,
  type OutgoingRequest,
  type ReceiverAnswer,
  TransportError,
} from '../../world/index.js'
import { AllowedTargets, type LookUp, systemLookUp } from './allowed-targets.js'
import type { DeliveryAgent } from './delivery-agent.js'

/** Options of a network transport. */
export interface NetworkTransportOptions {
  /** Targets of deliveries besides this machine: `HOST` or `HOST:PORT`. */
  readonly allowed?: readonly string[] | undefined
  /** Resolves names; this machine's own way when it is left out. */
  readonly lookUp?: LookUp | undefined
}

/** Sends deliveries over the network, to this machine and to allowed targets. */
export class NetworkTransport implements DeliveryTransport {
  readonly #targets: AllowedTargets
  readonly #lookUp: LookUp
  #agent: Promise<DeliveryAgent> | undefined
  #closed = false

  /** @throws ServerError `unknown-host` */
  constructor({ allowed, lookUp = systemLookUp }: NetworkTransportOptions = {}) {
    this.#targets = new AllowedTargets(allowed)
    this.#lookUp = lookUp
  }

  async ready(): Promise<void> {
    if (!this.#closed) await this.#load()
  }

  /** @throws TransportError */
  async send(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
    if (this.#closed) throw new TransportError('broken-off', 'The server was closed.')
    const agent = await this.#load()
    return agent.send(request, signal)
  }

  /** Ends every connection with whatever is in flight on it; sends nothing any more. */
  async close(): Promise<void> {
    this.#closed = true
    const agent = await this.#agent
    await agent?.close()
  }

  #load(): Promise<DeliveryAgent> {
    // Node's own undici has to be loaded first: otherwise the package makes itself the dispatcher of every `fetch`.
    void globalThis.Headers
    // Loaded here, since most servers have no subscriptions.
    this.#agent ??= import('./delivery-agent.js').then(({ DeliveryAgent }) => {
      return new DeliveryAgent(this.#targets, this.#lookUp)
    })
    return this.#agent
  }
}
