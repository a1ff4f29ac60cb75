import { keepsAnswer } from '../../../service/faults/fault.js'
import { bodyTextOf, type RecordedExchange } from '../../../service/world/exchange.js'
import type { Observation } from '../tracker.js'

/** The number of responses that are kept before they are read: most runs never ask what was served. */
const maxKept = 200

/** When something was first and last served, as the numbers of responses. */
export interface Serving {
  readonly first: number
  readonly last: number
}

/** Knows the ids of the messages and threads that responses and deliveries brought to agents. */
export class ServedIds {
  readonly #ids = new Map<string, Serving>()
  #unread: (readonly [number, RecordedExchange])[] = []
  #responses = 0

  /** Notes a complete response, or a delivery that was taken. */
  note(observation: Observation): void {
    if (observation.type === 'delivery') {
      const taken = observation.delivery.attempts.find(({ response }) => response)
      // Most assumptions leave out the text, without which a message is only announced.
      if (!taken || !/"(text|html)":/.test(taken.request.body)) return
      this.#responses += 1
      this.#serve([observation.delivery.message_id], this.#responses)
    } else if (observation.type === 'exchange') {
      const { exchange, recorded } = observation
      if (exchange.status >= 300 || (exchange.fault && !keepsAnswer(exchange.fault))) return
      this.#responses += 1
      this.#unread.push([this.#responses, recorded])
      if (this.#unread.length > maxKept) this.#read()
    }
  }

  has(id: string): boolean {
    this.#read()
    return this.#ids.has(id)
  }

  /** How many responses and deliveries there were. */
  get responses(): number {
    return this.#responses
  }

  /** Returns when something was served, by the number of `responses`; undefined if never. */
  servingOf(id: string): Serving | undefined {
    this.#read()
    return this.#ids.get(id)
  }

  #read(): void {
    for (const [response, recorded] of this.#unread) {
      const found = (bodyTextOf(recorded) ?? '').matchAll(/"id":"([^"]+)"/g)
      this.#serve(new Set([...found].map(([, id]) => id as string)), response)
    }
    this.#unread = []
  }

  #serve(ids: Iterable<string>, response: number): void {
    for (const id of ids) {
      this.#ids.set(id, { first: this.#ids.get(id)?.first ?? response, last: response })
    }
  }
}
