import type { Mailbox } from './address.js'
import type { ParsedAttachment } from './attachment.js'

/** A parsed mail; message ids keep their angle brackets. */
export interface ParsedMail {
  /**
   * The sender, even if malformed, as in `Mail Delivery Subsystem <MAILER-DAEMON>`; the address is '' if there is only a
   * name. `unknownSender` if the From header is missing or empty.
   */
  readonly from: Mailbox
  readonly to: Mailbox[]
  readonly cc: Mailbox[]
  readonly bcc: Mailbox[]
  /** '' if there is none. */
  readonly subject: string
  /** Plain text with `\n` line ends; null if the mail has none. */
  readonly text: string | null
  /** HTML with `\n` line ends; null if the mail has none. */
  readonly html: string | null
  /** Milliseconds since the epoch; null if the Date header is missing or malformed. */
  readonly date: number | null
  readonly messageId: string | null
  readonly inReplyTo: string | null
  /** All message ids of In-Reply-To; `inReplyTo` is the first one. */
  readonly answered: string[]
  /** The message ids of References in the order of the header, oldest first. */
  readonly references: string[]
  /** All header fields in the order of the mail, with names as written and values unfolded and decoded. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Everything that is not part of the body, including attached mails and inline images. */
  readonly attachments: ParsedAttachment[]
}

/** The sender of a mail that has none; the `invalid` domain never exists. @see RFC 2606 */
export const unknownSender: Mailbox = { name: '', address: 'unknown@invalid' }
