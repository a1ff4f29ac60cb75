import { parseMailboxList } from '../../mail/address.js'
import { composeEml } from '../../mail/compose-eml.js'
import { messageIdsIn } from '../../mail/encoded-words.js'
import { unknownSender } from '../../mail/parsed-mail.js'
import { fromBase64 } from '../../mail/transfer-encoding.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { HeaderField, MessageRow } from '../model/rows.js'
import { formatMailDate } from '../time/time.js'

/** Finds the messages that header fields refer to. */
type MessagesByName = Pick<MailboxStore, 'messageNamed'>

/** Returns the RFC 5322 header fields of a message: its own, or else those derived from its row. */
export function headerFieldsOf(row: MessageRow, store: MessagesByName): readonly HeaderField[] {
  if (row.headers) return row.headers
  const fields: HeaderField[] = [
    ['Message-ID', row.message_id ?? generatedId(row)],
    ['Date', formatMailDate(row.created_at)],
    ['From', row.from],
    ['To', row.to.join(', ')],
    ['Subject', row.subject],
    ...replyFieldsOf(row, store),
    ['MIME-Version', '1.0'],
  ]
  return withFields(fields, row.further_headers)
}

/** Returns header fields with additional ones, which replace those of the same name. */
export function withFields(
  fields: readonly HeaderField[],
  further: readonly HeaderField[] = [],
): HeaderField[] {
  const replaced = new Set(further.map(([name]) => name.toLowerCase()))
  return [...fields.filter(([name]) => !replaced.has(name.toLowerCase())), ...further]
}

/** The bare addresses in the address fields of a message; nobody but its sender sees `bcc`. */
export interface MessageAddresses {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly reply_to: readonly string[]
}

/** Returns the addresses of a message, whether it was received with its own header fields or not. */
export function addressesOf(message: MessageRow): MessageAddresses {
  const { from, to } = message
  const inField = (name: string) => addressesIn(message, name)
  return {
    // A message without a From header has no sender, though one is shown.
    from: bareAddresses(from).filter((one) => one !== unknownSender.address),
    // As in the message, which may name recipients of another machine (`root`).
    to: to.filter((one) => one.includes('@')),
    cc: inField('cc'),
    bcc: inField('bcc'),
    reply_to: inField('reply-to'),
  }
}

/** The parts of a message that name its recipients. */
export type AddressedMail = Pick<MessageRow, 'to' | 'headers' | 'further_headers'>

/** Returns the addresses of all recipients of a message. */
export function recipientsOf(mail: AddressedMail): string[] {
  return [...mail.to, ...addressesIn(mail, 'cc'), ...addressesIn(mail, 'bcc')]
}

function addressesIn({ headers, further_headers }: AddressedMail, field: string): string[] {
  const fields = headers ?? further_headers ?? []
  return fields.flatMap(([name, value]) => (name.toLowerCase() === field ? bareAddresses(value) : []))
}

function bareAddresses(list: string): string[] {
  return parseMailboxList(list).map(({ address }) => address)
}

/** Returns the Message-ID in the header fields of a message: null if it was received without one. */
export function messageIdOf(row: MessageRow): string | null {
  return row.headers ? row.message_id : (row.message_id ?? generatedId(row))
}

/** Returns the Message-ID of a message that was not received as an email: its id at the sender's domain. */
function generatedId({ id, from }: MessageRow): string {
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'mail.invalid'
  return `<${id}@${domain}>`
}

/** Returns the fields that connect a reply to its conversation. @see RFC 5322 section 3.6.4 */
function replyFieldsOf(row: MessageRow, store: MessagesByName): HeaderField[] {
  if (row.in_reply_to === null) return []
  const parent = parentOf(row, store)
  const answered = parent ? messageIdOf(parent) : row.in_reply_to
  const references = parent ? conversationUpTo(parent, store) : [row.in_reply_to]
  const fields: HeaderField[] = answered === null ? [] : [['In-Reply-To', answered]]
  return references.length > 0 ? [...fields, ['References', references.join(' ')]] : fields
}

/**
 * Returns the message that a message replies to; one that is added later leaves its header fields unchanged.
 */
function parentOf(row: MessageRow, store: MessagesByName): MessageRow | undefined {
  const parent = row.in_reply_to === null ? undefined : store.messageNamed(row.identity_id, row.in_reply_to)
  return parent && parent.ordinal < row.ordinal ? parent : undefined
}

/**
 * The maximum number of messages without their own header fields that References names, so that long threads
 * stay fast.
 */
const mostAncestors = 100

/**
 * Returns the Message-IDs of a conversation, up to one of its messages: what a reply to that message refers
 * to.
 */
function conversationUpTo(message: MessageRow, store: MessagesByName): string[] {
  const nearestFirst: string[] = []
  let earlier: MessageRow | undefined = message
  while (earlier && nearestFirst.length < mostAncestors) {
    const id = messageIdOf(earlier)
    if (id !== null) nearestFirst.push(id)
    const { headers, in_reply_to }: MessageRow = earlier
    if (headers) return [...referencesIn(headers), ...nearestFirst.reverse()]
    earlier = parentOf(earlier, store)
    if (!earlier && in_reply_to !== null) nearestFirst.push(in_reply_to)
  }
  return nearestFirst.reverse()
}

/** Returns the References that a message was received with; without any, the only id in its In-Reply-To. */
function referencesIn(headers: readonly HeaderField[]): string[] {
  const idsOf = (field: string) => {
    const [, value = ''] = headers.find(([name]) => name.toLowerCase() === field) ?? []
    return messageIdsIn(value)
  }
  const references = idsOf('references')
  if (references.length > 0) return references
  const answered = idsOf('in-reply-to')
  return answered.length === 1 ? answered : []
}

/** Returns a message in RFC 5322 format: byte for byte as it was received, or else composed from its row. */
export function rawMessage(row: MessageRow, store: MailboxStore): Uint8Array<ArrayBuffer> {
  if (row.raw !== undefined) return fromBase64(row.raw)
  const { text, html } = store.bodyOf(row)
  const attachments = store.rows('attachment', row.attachment_ids).map((file) => {
    const { filename, content_type, content_id, content } = file
    return { filename, contentType: content_type, contentId: content_id, content }
  })
  const composed = composeEml({ headers: headerFieldsOf(row, store), text, html, attachments })
  return new TextEncoder().encode(composed)
}
