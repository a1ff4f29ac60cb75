import { keepsAnswer } from '../../../service/faults/fault.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { reachedReceiver } from '../../../service/webhooks/delivery.js'
import { bodyTextOf, type RecordedExchange } from '../../../service/world/exchange.js'
import type { JudgedMailbox, Observation } from '../tracker.js'

/** The number of responses that are kept before they are read: most plays never ask what was served. */
const maxKept = 200

/** Knows which messages an agent was served: those whose id was in a response, a tool's result or a delivery. */
export class Served {
  /** Its store is another one after a reset. */
  readonly #mailbox: Pick<JudgedMailbox, 'store'>
  readonly #isMessage: (id: string) => boolean
  /** The place in the order of events at which each message was first served. */
  readonly #first = new Map<string, number>()
  /** The messages that a delivery only announced, without their text. */
  readonly #announced = new Set<string>()
  #unread: (readonly [number, RecordedExchange])[] = []

  /** `isMessage` says of which ids it takes note; by default those of the messages that are there. */
  constructor(
    mailbox: Pick<JudgedMailbox, 'store'>,
    isMessage = (id: string): boolean => mailbox.store.get('message', id) !== undefined,
  ) {
    this.#mailbox = mailbox
    this.#isMessage = isMessage
  }

  /** Notes a complete response, or a delivery that a receiver has, even if it has not responded yet. */
  note(observation: Observation): void {
    const { seq } = observation.moment
    if (observation.type === 'delivery') {
      const { attempts, message_id: id } = observation.delivery
      const taken = attempts.find(({ error, duration_ms }) => duration_ms === null || reachedReceiver(error))
      if (!taken) return
      if (!/"(text|html)":/.test(taken.request.body) && !this.has(id)) this.#announced.add(id)
      if (!this.#first.has(id)) this.#first.set(id, seq)
    } else if (observation.type === 'exchange') {
      const { exchange, entry } = observation
      if (exchange.status >= 300 || (exchange.fault && !keepsAnswer(exchange.fault))) return
      // The response to a reply may name what it replies to.
      if (observation.sent().length > 0) return
      this.#unread.push([seq, entry.recorded])
      if (this.#unread.length > maxKept) this.#read()
    }
  }

  /** Returns whether the content of a message was served. */
  has(id: string): boolean {
    this.#read()
    return this.#first.has(id) && !this.#announced.has(id)
  }

  /** Returns whether the id of a message was in a response, a tool's result or a delivery. */
  knows(id: string): boolean {
    this.#read()
    return this.#first.has(id)
  }

  /** Returns the messages of others that were first served after one place in the order of events and before another. */
  between(after: number, before = Number.POSITIVE_INFINITY): MessageRow[] {
    this.#read()
    return [...this.#first].flatMap(([id, seq]) => {
      const row = seq > after && seq < before ? this.#mailbox.store.get('message', id) : undefined
      return row?.direction === 'inbound' ? [row] : []
    })
  }

  #read(): void {
    for (const [seq, recorded] of this.#unread) {
      const inBody = (bodyTextOf(recorded) ?? '').matchAll(/"([^"\s\\]{4,80})"/g)
      // The bytes of a message do not have its id.
      const inPath = recorded.operation === 'messages.raw' ? recorded.path.split('/') : []
      for (const id of new Set([...inPath, ...[...inBody].map(([, text]) => text as string)])) {
        if (this.#announced.delete(id) || this.#first.has(id)) continue
        if (this.#isMessage(id)) this.#first.set(id, seq)
      }
    }
    this.#unread = []
  }
}
