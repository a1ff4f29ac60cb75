import { parseMailbox, sameAddress } from '../../../mail/address.js'
import { baseSubject } from '../../../mail/threading.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { addressesOf, recipientsOf } from '../../../service/rendering/header-fields.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Violation } from './invariant.js'

/**
 * The time after which an agent may write again about the same thing, as a reminder, in milliseconds of story time: a
 * day, but messages that come at the same instant are dated one after the other.
 */
export const reminder = 24 * 3_600_000 - 60_000

/** What is wrong with a message. */
export type Wrong = Pick<Violation, 'found' | 'differences'>

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
