import { once } from '../base/once.js'
import { z } from '../base/schema.js'

/** The event types that the interface documents; it does not document the full list. @see interface 6 */
export const eventTypes = ['message.received', 'message.delivered', 'message.bounced'] as const

/** A documented event type. */
export type EventType = (typeof eventTypes)[number]

/** ISO 8601 UTC; whether it carries milliseconds is the gap `format.timestamps`. */
const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
    .meta({ format: 'date-time', description: 'ISO 8601 UTC timestamp' })

/** An id: the prefix of the resource and an opaque string. */
const idWith = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_.+$`))
    .describe(`Prefixed ${prefix}_ followed by an opaque string`)

/** A bare email address. The pattern is loose, so that no real address is refused. */
const address = () => z.string().regex(/^[^\s<>@]+@[^\s<>@]+$/)

/** An agent's identity. @see interface 2.1 */
export const identitySchema = once(() =>
  z
    .object({
      id: idWith('ident'),
      agent_handle: z.string().regex(/^[^@]/).describe('The handle, without a leading @'),
      display_name: z.string().nullable().describe('Editable'),
      description: z.string().nullable().describe('Editable'),
      mailbox_address: address().describe("Email address of the identity's mailbox"),
      created_at: timestamp(),
      updated_at: timestamp().describe('ISO 8601 UTC timestamp; changes when the identity is updated'),
    })
    .describe('Agent identity'),
)

/** A conversation. @see interface 2.2 */
export const threadSchema = once(() =>
  z
    .object({
      id: idWith('thrd'),
      subject: z.string().describe('Subject of the conversation'),
      snippet: z.string().describe('Short text excerpt of the conversation'),
      unread: z.boolean().describe('Whether the thread is unread'),
      message_count: z.int().min(0).describe('Number of messages in the thread'),
      last_message_at: timestamp(),
      created_at: timestamp(),
    })
    .describe('Thread'),
)

/** An attachment entry; which fields it has is the gap `messages.attachment-entry`. @see interface 2.3 */
export const attachmentEntrySchema = once(() =>
  z
    .object({
      id: idWith('att').optional(),
      filename: z.string().optional(),
      content_type: z.string().optional(),
      size_bytes: z.int().min(0).optional(),
      size: z.int().min(0).optional(),
      content_id: z.string().nullable().optional(),
      url: z.url().optional(),
      download_url: z.url().optional(),
    })
    .meta({
      description: 'Attachment entry; carries a URL to a stored file',
      // Whichever fields it has, one of them is the URL.
      anyOf: [{ required: ['url'] }, { required: ['download_url'] }],
    }),
)

/** An email. @see interface 2.3 */
export const messageSchema = once(() =>
  z
    .object({
      id: idWith('msg'),
      thread_id: idWith('thrd'),
      direction: z
        .string()
        .describe('`inbound` for received mail; what it is for sent mail is not documented'),
      from: z
        .string()
        .regex(/^.+ <[^\s<>@]+@[^\s<>@]+>$/)
        .describe('Sender in the form DISPLAY_NAME <EMAIL>'),
      to: z.array(address()).describe('Recipient email addresses'),
      subject: z.string().describe('Message subject'),
      text: z.string().nullable().optional().describe('Plain-text body'),
      html: z.string().nullable().optional().describe('HTML body'),
      attachments: z.array(attachmentEntrySchema()).describe('Empty when there are none'),
      headers: z
        .union([
          z.record(z.string(), z.union([z.string(), z.array(z.string()).min(2)])),
          z.array(z.object({ name: z.string(), value: z.string() })),
        ])
        .optional()
        .describe('RFC header fields; whether and how they appear is not documented'),
      authentication: z
        .object({ spf: z.string(), dkim: z.string(), dmarc: z.string() })
        .optional()
        .describe('What the receiving server found about the sender; whether it appears is not documented'),
      created_at: timestamp(),
    })
    .describe('Message'),
)

/** Requires `auth_token` if `has_auth_token` is true; otherwise it is the gap `webhooks.auth-token-absent`. */
const tokenRule = {
  if: { properties: { has_auth_token: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['auth_token'], properties: { auth_token: { type: 'string', minLength: 1 } } },
  else: { properties: { auth_token: { enum: [null, ''] } } },
}

/** A subscription to events. @see interface 2.4 */
export const webhookSchema = once(() =>
  z
    .object({
      id: idWith('whk'),
      url: z.url().describe('Target URL of deliveries'),
      events: z
        .array(z.union([z.enum(eventTypes), z.string()]))
        .describe('Subscribed event types; three are documented, the full list is not'),
      agent_handle: z.string().nullable().optional().describe('Handle the subscription is scoped to'),
      auth_token: z.string().nullable().optional().describe('Present when has_auth_token is true'),
      has_auth_token: z.boolean().describe('Whether the subscription has a token'),
      created_at: timestamp(),
      updated_at: timestamp(),
    })
    .meta({ description: 'Webhook subscription', ...tokenRule }),
)

/** The URL of a subscription, normalized for comparison. @see interface 2.4 */
export const webhookUrlSchema = once(() =>
  z.url({
    protocol: /^https?$/,
    normalize: true,
    error: 'expected an http(s) URL',
  }),
)

/** The token of a subscription, which must fit into a header of a delivery. @see interface 2.4 */
export const authTokenSchema = once(() =>
  z.string().regex(/^[!-~]+$/, {
    error: 'expected printable ASCII characters without spaces, since it is sent in a header',
  }),
)

/** The body of an update of an identity. @see interface 4.2 */
export const identityPatchSchema = once(() =>
  z
    .object({
      display_name: z.string().optional().describe('The new display name'),
      description: z.string().optional().describe('The new description'),
    })
    .describe('The fields of an identity that can be updated'),
)

const total = () => z.int().min(0)

/** The response of the list of threads. @see interface 4.3 */
export const threadListSchema = once(() =>
  z.object({ threads: z.array(threadSchema()), total: total() }).describe('Threads and their total'),
)

/** The response of the list of messages. @see interface 4.4 */
export const messageListSchema = once(() =>
  z.object({ messages: z.array(messageSchema()), total: total() }).describe('Messages and their total'),
)

/** The response of the list of webhooks. @see interface 4.5 */
export const webhookListSchema = once(() =>
  z
    .object({ webhooks: z.array(webhookSchema()), total: total() })
    .describe('Webhook subscriptions and their total'),
)

/** An agent's identity, as responses contain it. @see interface 2.1 */
export type Identity = z.infer<ReturnType<typeof identitySchema>>
/** A thread, as responses contain it. @see interface 2.2 */
export type Thread = z.infer<ReturnType<typeof threadSchema>>
/** A message, as responses contain it. @see interface 2.3 */
export type Message = z.infer<ReturnType<typeof messageSchema>>
/** An attachment entry, as responses contain it. @see interface 2.3 */
export type AttachmentEntry = z.infer<ReturnType<typeof attachmentEntrySchema>>
/** A webhook subscription, as responses contain it. @see interface 2.4 */
export type Webhook = z.infer<ReturnType<typeof webhookSchema>>
/** The body of an update of an identity. @see interface 4.2 */
export type IdentityPatch = z.infer<ReturnType<typeof identityPatchSchema>>
