import { parseMailbox, sameAddress } from '../../../mail/address.js'
import { baseSubject } from '../../../mail/threading.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { addressesOf, recipientsOf } from '../../../service/rendering/header-fields.js'
import type { ExchangeWithRequest } from '../../../service/world/exchange.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { JudgedMailbox } from '../judged-mailbox.js'
import { formatExchange } from '../request.js'
import type { Observation } from '../tracker.js'
import type { Invariant, Violation } from './invariant.js'

/**
 * The time after which an agent may write again about the same thing, as a reminder, in milliseconds of story time: a
 * day, but messages that come at the same instant are dated one after the other.
 */
export const reminder = 24 * 3_600_000 - 60_000

/** What is wrong with a message. */
export type Wrong = Pick<Violation, 'found' | 'differences'>

/** A request that sent mail. */
type Sending = Extract<Observation, { readonly type: 'exchange' }>

/** Judges the messages that agents send in a run. */
export interface MailJudge {
  /** Returns what is wrong with a message. */
  judge(mail: SentMail, exchange: ExchangeWithRequest, observation: Sending): Wrong | undefined
  /** Notes an event of the run, before the message that it sent is judged. */
  note?(observation: Observation): void
  /** Explains why it says nothing, if it does not. */
  unjudged?(): string | undefined
}

/** Watches each message that an agent sends by a request. */
export function watchMail(
  expected: string,
  begin: (mailbox: JudgedMailbox) => MailJudge,
): Invariant['watch'] {
  return (_, { mailbox }) => {
    const judging = begin(mailbox)
    return {
      expected,
      unjudged: () => judging.unjudged?.(),
      observe(observation) {
        judging.note?.(observation)
        if (observation.type !== 'exchange') return undefined
        const { exchange } = observation
        for (const mail of observation.sent()) {
          const wrong = judging.judge(mail, exchange, observation)
          if (wrong) return { ...wrong, line: formatExchange(exchange), exchange: exchange.seq }
        }
        return undefined
      },
    }
  }
}

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
