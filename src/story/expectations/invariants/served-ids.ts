import { keepsAnswer } from '../../../service/faults/index.js'
import { bodyTextOf, type RecordedExchange } from '../../../service/world/index.js'
import type { Observation } from '../tracker.js'

/** The number of responses that are kept before they are read: most runs never ask what was served. */
const maxKept = 200

/** Knows the ids of the messages and threads that responses and deliveries brought to agents. */
export class ServedIds {
  readonly #ids = new Set<string>()
  #unread: RecordedExchange[] = []

  /** Notes a complete response, or a delivery that was taken. */
  note(observation: Observation): void {
    if (observation.type === 'delivery') {
      const taken = observation.delivery.attempts.find(({ response }) => response)
      // Most readings leave out the text, without which a message is only announced.
      if (taken && /"(text|html)":/.test(taken.request.body)) this.#ids.add(observation.delivery.message_id)
    } else if (observation.type === 'exchange') {
      const { exchange, recorded } = observation
      if (exchange.status >= 300 || (exchange.fault && !keepsAnswer(exchange.fault))) return
      this.#unread.push(recorded)
      if (this.#unread.length > maxKept) this.#read()
    }
  }

  has(id: string): boolean {
    this.#read()
    return this.#ids.has(id)
  }

  #read(): void {
    for (const recorded of this.#unread) {
      for (const [, id] of (bodyTextOf(recorded) ?? '').matchAll(/"id":"([^"]+)"/g))
        this.#ids.add(id as string)
    }
    this.#unread = []
  }
}
