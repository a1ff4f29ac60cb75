import { z } from '../../../base/schema.js'
import { parseMailbox, parseMailboxList } from '../../../mail/address.js'
import { headerNameProblem } from '../../../mail/new-message.js'
import { base64Mistake } from '../../../mail/transfer-encoding.js'
import { type AuthenticationInput, authenticationFrom } from '../../model/authentication.js'
import { type HeaderField, type IdentityRow, type MessageRow, rowSchemas } from '../../model/rows.js'
import { expectedAuthentication, statedAuthentication } from '../../rendering/authentication.js'
import { type AddressedMail, withFields } from '../../rendering/header-fields.js'

/** The fields of commands that emit an event. */
export const eventFields = () => ({
  /** Milliseconds by which the deliveries of the event are delayed; 0 by default. */
  event_delay: z.int().min(0).optional(),
})

const attachmentSchema = () =>
  z.strictObject({
    filename: z.string().min(1),
    content_type: z.string().min(1).default('application/octet-stream'),
    content_id: z.string().nullable().default(null),
    content: z.base64({ error: base64Mistake }),
  })

const mailboxes = () => {
  const error = 'expected an address such as ann@example.com or "Ann <ann@example.com>"'
  return z.array(z.string().refine((text) => parseMailbox(text) !== undefined, { error })).optional()
}

/** The header fields that say how a text is written, by which the bytes of a message are composed. */
const writingHeader = /^content-(type|transfer-encoding)$/i

const headerField = () =>
  z.tuple([
    z.string().refine((name) => writingHeader.test(name) || headerNameProblem(name) === undefined, {
      error: ({ input }) => headerNameProblem(String(input)),
    }),
    z.string().regex(/^[^\r\n\0]*$/, 'expected one line'),
  ])

/** The fields of both commands that add a message. */
export const mailCommandFields = () => ({
  identity_id: z.string(),
  /** Mailboxes, with or without a display name. Only the sender's own copy contains `bcc`. */
  cc: mailboxes(),
  bcc: mailboxes(),
  reply_to: mailboxes(),
  subject: z.string().optional(),
  text: rowSchemas.message().shape.text.default(null),
  html: rowSchemas.message().shape.html.default(null),
  attachments: z.array(attachmentSchema()).default([]),
  /** Adds the message to that thread, regardless of what it replies to; creates a thread that `ids` names. */
  thread_id: z.string().optional(),
  /** Begins a thread, whatever the message replies to. */
  begins_thread: z.boolean().optional(),
  /** A message id of this world, or an RFC 5322 Message-ID. */
  in_reply_to: rowSchemas.message().shape.in_reply_to.default(null),
  references: z.array(z.string()).default([]),
  message_id: rowSchemas.message().shape.message_id.default(null),
  /** The complete header, as received; null if it is derived from the other fields. */
  headers: rowSchemas.message().shape.headers.default(null),
  /** Header fields in addition to those derived from the other fields. */
  further_headers: z.array(headerField()).optional(),
  /** The bytes with which it was received, as base64, if it is a message as it was written elsewhere. */
  raw: rowSchemas.message().shape.raw,
  /** ISO 8601: its date, if it was written before it comes. */
  at: z.string().optional(),
  /** ISO 8601: when it comes; now by default. */
  comes: z.string().optional(),
  ...eventFields(),
  /** The ids of the message and of the thread that it may start; by default the next ones. */
  ids: z.strictObject({ message: z.string().min(1), thread: z.string().min(1) }).optional(),
})

/** The fields of a message, with defaults. */
export type MailContent = z.output<z.ZodObject<ReturnType<typeof mailCommandFields>>>

/** The parts of a message that determine its recipients and its header. */
type MailHeader = Pick<MessageRow, 'direction' | 'to' | 'headers'> &
  Partial<Pick<MailContent, 'cc' | 'bcc' | 'reply_to' | 'further_headers'>>

/**
 * Returns the recipients and the header fields of a message as its row has them: `to` without display names.
 */
export function headerOfRow({ headers, ...mail }: MailHeader): AddressedMail {
  const { direction, to, cc, bcc, reply_to, further_headers = [] } = mail
  const bare = to.map(addressIn)
  const lists = [
    ['To', to.some((one, index) => one !== bare[index]) ? to : []],
    ['Cc', cc],
    ['Bcc', direction === 'outbound' ? bcc : []],
    ['Reply-To', reply_to],
  ] as const
  const fields = lists.flatMap(([name, list = []]): HeaderField[] => {
    return list.length === 0 ? [] : [[name, list.join(', ')]]
  })
  const further = [...fields, ...further_headers]
  if (headers) return { to: bare, headers: withFields(headers, further) }
  return { to: bare, headers, ...(further.length > 0 && { further_headers: further }) }
}

/** The parts of a message that say who sent it. */
type SentMail = Pick<MessageRow, 'direction' | 'from' | 'headers'> & {
  readonly authentication?: AuthenticationInput | undefined
}

/** Returns what the row of a message says about its sender: nothing where rendering finds what fits the sender. */
export function authenticationOfRow(
  { direction, from, headers, authentication }: SentMail,
  { mailbox_address }: Pick<IdentityRow, 'mailbox_address'>,
  isAgents: (address: string) => boolean,
): Pick<MessageRow, 'authentication'> {
  if (direction === 'outbound') return {}
  if (authentication !== undefined) return { authentication: authenticationFrom(authentication) }
  const stated = headers && statedAuthentication(headers, mailbox_address)
  if (stated) return { authentication: stated }
  const [sender] = parseMailboxList(from)
  if (sender && isAgents(sender.address)) return { authentication: authenticationFrom('fail') }
  return headers === null ? {} : { authentication: expectedAuthentication(from, mailbox_address) }
}

/** Returns the address in a mailbox with a display name; any other text unchanged. */
function addressIn(mailbox: string): string {
  return mailbox.includes('<') ? (parseMailbox(mailbox)?.address ?? mailbox) : mailbox
}
