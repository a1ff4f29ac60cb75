import { type AddressList, addressBudget, isAddress, readAddresses } from './address.js'
import { describeAttachment, sortParts, textOfParts } from './body-and-attachments.js'
import { Charsets } from './charsets.js'
import { decodeWords, messageIdsIn, tidyHeader } from './encoded-words.js'
import { readInstant } from './header-date.js'
import { divideMail, fieldText, type MimePart } from './mime-parts.js'
import { isNamed } from './parameters.js'
import { type Mailbox, MailLimitError, mailLimits, type ParsedMail, unknownSender } from './parsed-mail.js'

/**
 * Parses a message in RFC 5322 format, as text or as bytes. Parses malformed parts as far as possible, and
 * corrects wrong labels from the content. The cost is proportional to the size of the message.
 * @throws MailLimitError when the message exceeds one of `mailLimits`
 * @example parseEml('From: Ann <ann@shop.example>\r\n\r\nHello').text // 'Hello'
 * @see interface 2.3, RFC 5322, RFC 2045
 */
export function parseEml(source: string | Uint8Array): ParsedMail {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const charsets = new Charsets()
  const mail = divideMail(withoutMark(bytes), charsets)
  const { text, html, attachments } = sortParts(mail)
  const bodyCharset = charsets.named(
    [mail, ...text, ...html].map(({ type }) => type.parameters.get('charset')).find(Boolean),
  )
  const headers = new HeaderReader(mail, bodyCharset, charsets)
  const answered = messageIdsIn(headers.first('in-reply-to'))
  const all = headers.decoded()
  return {
    from: headers.sender(),
    to: headers.mailboxes('to'),
    cc: headers.mailboxes('cc'),
    bcc: headers.mailboxes('bcc'),
    subject: all.find(([name, value]) => value !== '' && isNamed(name, 'subject'))?.[1] ?? '',
    text: textOfParts(text, mail, charsets),
    html: textOfParts(html, mail, charsets),
    date: readInstant(headers.first('date')) ?? null,
    messageId: messageIdsIn(headers.first('message-id'))[0] ?? null,
    inReplyTo: answered[0] ?? null,
    answered,
    references: messageIdsIn(headers.first('references')),
    headers: all,
    attachments: attachments.map((part, index) => describeAttachment(part, index + 1)),
    source: bytes,
  }
}

/** The address of those who take no answer. @see RFC 5321 section 4.5.5 */
const emptyAddress = /^\s*(?:""\s*)?<\s*>/
/** A mailbox of the machine on which the message was written, as in the mail of cron. */
const unqualified = /^[^\s\p{Cc}"<>(),;:\\@[\]]{1,64}$/u

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** The maximum number of parts into which unquoted commas may split the name of a sender. */
const maxNameParts = 3
/** The maximum length of all fields with encoded words; later fields are not decoded. */
const maxEncodedText = 100_000

/** Reads the header fields of a message as text. */
class HeaderReader {
  /** Unfolded; encoded words are not decoded. */
  readonly #fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly #charsets: Charsets
  readonly #read = addressBudget()

  constructor(mail: MimePart, bodyCharset: string, charsets: Charsets) {
    this.#charsets = charsets
    this.#fields = mail.fields.map((field) => [field.name, fieldText(mail, field, bodyCharset, charsets)])
  }

  values(field: string): string[] {
    const fields = this.#fields.filter(([name, value]) => value !== '' && isNamed(name, field))
    return fields.map(([, value]) => value)
  }

  first(name: string): string {
    return this.values(name)[0] ?? ''
  }

  mailboxes(name: string): Mailbox[] {
    const named: Mailbox[] = []
    for (const value of this.values(name)) {
      named.push(...this.#addresses(value).mailboxes)
      if (named.length > mailLimits.addresses) throw new MailLimitError('addresses')
    }
    return named.filter(({ address }) => isAddress(address) || unqualified.test(address))
  }

  #addresses(value: string): AddressList {
    return readAddresses(this.#read(value), this.#charsets)
  }

  /** Returns the first sender with an address, or else the first name, or else the name of a group. */
  sender(): Mailbox {
    const written = this.first('from') || this.first('sender')
    const { mailboxes, groups } = this.#addresses(written)
    const found = mailboxes.findIndex(({ address }) => address.includes('@'))
    const [sender, others] = [mailboxes[Math.max(found, 0)], mailboxes.slice(0, Math.max(found, 0))]
    if (!sender) {
      const [group = ''] = groups
      return group !== '' || emptyAddress.test(written) ? { name: group, address: '' } : unknownSender
    }
    // `Lee, Ann <ann@shop.example>` lacks its quotation marks
    const isSplit = others.length <= maxNameParts && others.every(({ address }) => !address.includes(' '))
    const names = isSplit
      ? [...others.map(({ name, address }) => name || address), sender.name]
      : [sender.name]
    return { ...sender, name: names.filter((name) => name !== '').join(', ') }
  }

  decoded(): Array<readonly [string, string]> {
    let remaining = maxEncodedText
    return this.#fields.map(([name, value]) => {
      const isEncoded = value.includes('=?')
      if (isEncoded) remaining -= value.length
      return [name, tidyHeader(isEncoded && remaining >= 0 ? decodeWords(value, this.#charsets) : value)]
    })
  }
}
