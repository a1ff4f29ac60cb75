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
  /** Allowed targets in addition to this machine: `HOST` or `HOST:PORT`. */
  readonly allowed?: readonly string[] | undefined
  /** Resolves names; by default with the resolver of this machine. */
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

  /** Ends every connection, including requests in flight; later requests fail. */
  async close(): Promise<void> {
    this.#closed = true
    const agent = await this.#agent
    await agent?.close()
  }

  #load(): Promise<DeliveryAgent> {
    // Node's own undici must be loaded first: otherwise the package makes itself the dispatcher of every `fetch`.
    void globalThis.Headers
    // Loaded only when needed, because most servers have no subscriptions.
    this.#agent ??= import('./delivery-agent.js').then(({ DeliveryAgent }) => {
      return new DeliveryAgent(this.#targets, this.#lookUp)
    })
    return this.#agent
  }
}
