import { grouped } from '../base/text.js'
/** A sender or recipient; `name` is '' if there is none. @see RFC 5322 section 3.4 */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** An attached file of a parsed message. */
export interface ParsedAttachment {
  /** As written, with its path; without control characters, never empty, at most 255 UTF-16 code units. */
  readonly filename: string
  /** The media type in lower case, without parameters. */
  readonly contentType: string
  /** The Content-ID without angle brackets, as in a `cid:` link. @see RFC 2392 */
  readonly contentId: string | null
  readonly disposition: 'attachment' | 'inline' | null
  /** The decoded bytes as base64. */
  readonly content: string
}

/** A parsed message; message ids keep their angle brackets. */
export interface ParsedMail {
  /**
   * The sender, even if malformed, as in `Mail Delivery Subsystem <MAILER-DAEMON>`; the address is '' if there is only a
   * name, or neither, as in `<>`. `unknownSender` if the From header is missing or empty.
   */
  readonly from: Mailbox
  /** The recipients, also those without a domain (`root`). */
  readonly to: Mailbox[]
  readonly cc: Mailbox[]
  readonly bcc: Mailbox[]
  /** '' if there is none. */
  readonly subject: string
  /** Plain text with `\n` line ends; null if the message has none. */
  readonly text: string | null
  /** HTML with `\n` line ends; null if the message has none. */
  readonly html: string | null
  /** Milliseconds since the epoch; null if the Date header is missing or malformed. */
  readonly date: number | null
  readonly messageId: string | null
  readonly inReplyTo: string | null
  /** All message ids of In-Reply-To; `inReplyTo` is the first one. */
  readonly answered: string[]
  /** The message ids of References in the order of the header, oldest first. */
  readonly references: string[]
  /** All header fields in the order of the message, with names as written and values unfolded and decoded. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Everything that is not part of the body, including attached messages and inline images. */
  readonly attachments: ParsedAttachment[]
  /** The bytes from which it was parsed. */
  readonly source: Uint8Array
}

/** The sender of a message that has none; the `invalid` domain never exists. @see RFC 2606 */
export const unknownSender: Mailbox = { name: '', address: 'unknown@invalid' }

/** The limits of a message; a message that exceeds one of them is refused. */
export const mailLimits = { fields: 2_000, parts: 500, depth: 100, addresses: 2_000 } as const

/** Thrown for a message that exceeds one of `mailLimits`. */
export class MailLimitError extends Error {
  override readonly name = 'MailLimitError'

  constructor(limit: keyof typeof mailLimits) {
    const maximum = grouped(mailLimits[limit])
    const sentences = {
      fields: `it has more than ${maximum} header fields`,
      parts: `it has more than ${maximum} parts`,
      depth: `its parts are nested more than ${maximum} deep`,
      addresses: `it names more than ${maximum} addresses`,
    }
    super(sentences[limit])
  }
}
