import { parseMailbox, sameAddress } from '../../../mail/address.js'
import { baseSubject } from '../../../mail/threading.js'
import { keepsAnswer } from '../../../service/faults/fault.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { addressesOf, recipientsOf } from '../../../service/rendering/header-fields.js'
import { reachedReceiver } from '../../../service/webhooks/delivery.js'
import { bodyTextOf, type RecordedExchange } from '../../../service/world/exchange.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
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

/**
 * The time after which an agent may write again about the same thing, as a reminder, in milliseconds of story time: a
 * day, but messages that come at the same instant are dated one after the other.
 */
export const reminder = 24 * 3_600_000 - 60_000

/** Returns what a thread or a mailbox had received before a message. */
export function inboundBefore({ ordinal }: MessageRow, list: string, store: MailboxStore): MessageRow[] {
  const rows = store.rows('message', store.messages(list).page({ order: 'created' }))
  return rows.filter((row) => row.direction === 'inbound' && row.ordinal < ordinal)
}

/**
 * Returns the messages that a message replies to: the one that it names, or else all that its thread had
 * received or, if that is nothing, the thread to which its subject says that it replies. A message to anybody other than
 * the sender replies to nothing that was received.
 */
export function answeredBy({ message, answered }: SentMail, store: MailboxStore): MessageRow[] {
  const named = answered === null ? undefined : store.messageNamed(message.identity_id, answered)
  const rows = answered === null ? inboundBefore(message, message.thread_id, store) : named ? [named] : []
  if (answered === null && rows.length === 0) return namedBySubject(message, store)
  return rows.filter((row) => row.direction === 'outbound' || goesBack(message, row))
}

/** Whether a message goes to somebody who wrote another. */
function goesBack(message: MessageRow, received: MessageRow): boolean {
  const { from, reply_to } = addressesOf(received)
  const senders = [...from, ...reply_to]
  return recipientsOf(message).some((one) => senders.some((sender) => sameAddress(sender, one)))
}

/** Returns what its recipient had written under the subject of a message with `Re:`; nothing if that was in several threads. */
function namedBySubject(message: MessageRow, store: MailboxStore): MessageRow[] {
  const { base, marked } = baseSubject(message.subject)
  if (!marked || base === '') return []
  const rows = inboundBefore(message, message.identity_id, store).filter(
    (row) => baseSubject(row.subject).base === base && goesBack(message, row),
  )
  return new Set(rows.map(({ thread_id }) => thread_id)).size === 1 ? rows : []
}

/** Returns the bare address of a mailbox. */
export function bareAddress(mailbox: string): string {
  return parseMailbox(mailbox)?.address ?? mailbox
}

/** Returns the bare address to which replies to a message go; undefined if it has none. */
export function replyAddressOf(message: MessageRow): string | undefined {
  const { from, reply_to } = addressesOf(message)
  return (reply_to.length > 0 ? reply_to : from)[0]
}
