import type { Mailbox } from './address.js'
import type { ParsedAttachment } from './attachment.js'

/** What a mail in RFC 5322 form holds; message ids keep their angle brackets. */
export interface ParsedMail {
  /**
   * Whatever stands for one, as in `Mail Delivery Subsystem <MAILER-DAEMON>`; the address is '' where there is a name
   * only. `unknownSender` when the From header is missing or empty.
   */
  readonly from: Mailbox
  readonly to: Mailbox[]
  readonly cc: Mailbox[]
  readonly bcc: Mailbox[]
  /** '' when there is none. */
  readonly subject: string
  /** Plain text with `\n` line ends, or null when the mail has none. */
  readonly text: string | null
  /** HTML with `\n` line ends, or null when the mail has none. */
  readonly html: string | null
  /** ISO 8601 UTC, or null when the Date header is missing or no date. */
  readonly date: string | null
  readonly messageId: string | null
  readonly inReplyTo: string | null
  /** Every message id of In-Reply-To; `inReplyTo` is the first of them. */
  readonly answered: string[]
  /** Oldest first, as the header lists them. */
  readonly references: string[]
  /** Every header in the order of the mail, under its own spelling, unfolded and decoded. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Everything that is not part of the body, attached mails and inline images included. */
  readonly attachments: ParsedAttachment[]
}

/** The sender of a mail that names none; the `invalid` domain never exists. @see RFC 2606 */
export const unknownSender: Mailbox = { name: '', address: 'unknown@invalid' }
