import { eventTypes } from './events.js'
import { z } from './schema.js'

/** ISO 8601 UTC; whether it carries milliseconds is the gap `format.timestamps`. */
const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
  .describe('ISO 8601 UTC timestamp')

/** An id: the resource's prefix and an opaque string. */
const idWith = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9]+$`))
    .describe(`Prefixed ${prefix}_ followed by an opaque string`)

/** An agent's identity. @see interface 2.1 */
export const identitySchema = z
  .object({
    id: idWith('ident'),
    agent_handle: z.string().regex(/^[^@]/).describe('The handle, without a leading @'),
    display_name: z.string().nullable().describe('Editable'),
    description: z.string().nullable().describe('Editable'),
    mailbox_address: z.string().describe("Email address of the identity's mailbox"),
    created_at: timestamp,
    updated_at: timestamp.describe('ISO 8601 UTC timestamp; changes when the identity is updated'),
  })
  .describe('Agent identity')

/** A conversation. @see interface 2.2 */
export const threadSchema = z
  .object({
    id: idWith('thrd'),
    subject: z.string().describe('Subject of the conversation'),
    snippet: z.string().describe('Short text excerpt of the conversation'),
    unread: z.boolean().describe('Whether the thread is unread'),
    message_count: z.int().min(0).describe('Number of messages in the thread'),
    last_message_at: timestamp,
    created_at: timestamp,
  })
  .describe('Thread')

/** An attachment entry; which fields it has is the gap `messages.attachment-entry`. @see interface 2.3 */
export const attachmentEntrySchema = z
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
  .describe('Attachment entry; carries a URL to a stored file')

/** A piece of mail. @see interface 2.3 */
export const messageSchema = z
  .object({
    id: idWith('msg'),
    thread_id: idWith('thrd'),
    direction: z
      .string()
      .describe('`inbound` is shown; other values are the gap messages.outbound-direction'),
    from: z.string().describe('Sender in the form DISPLAY_NAME <EMAIL>'),
    to: z.array(z.string()).describe('Recipient email addresses'),
    subject: z.string(),
    text: z.string().nullable().optional().describe('Plain-text body'),
    html: z.string().nullable().optional().describe('HTML body'),
    attachments: z.array(attachmentEntrySchema).describe('Empty when there are none'),
    headers: z
      .union([
        z.record(z.string(), z.union([z.string(), z.array(z.string())])),
        z.array(z.object({ name: z.string(), value: z.string() })),
      ])
      .optional()
      .describe('RFC header fields; whether and how they appear is the gap messages.headers'),
    created_at: timestamp,
  })
  .describe('Message')

/** A subscription to events. @see interface 2.4 */
export const webhookSchema = z
  .object({
    id: idWith('whk'),
    url: z.string().describe('Target URL of deliveries'),
    events: z.array(z.enum(eventTypes)).describe('Subscribed event types'),
    agent_handle: z.string().nullable().optional().describe('Handle the subscription is scoped to'),
    auth_token: z.string().nullable().optional().describe('Present when has_auth_token is true'),
    has_auth_token: z.boolean().describe('Whether the subscription has a token'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .describe('Webhook subscription')

/** What PATCH takes. @see interface 4.2 */
export const identityPatchSchema = z
  .object({
    display_name: z.string().optional().describe('The new display name'),
    description: z.string().optional().describe('The new description'),
  })
  .describe('The fields of an identity that can be updated')

const total = z.int().min(0)

/** Response of the list of threads. @see interface 4.3 */
export const threadListSchema = z.object({ threads: z.array(threadSchema), total })

/** Response of the list of messages. @see interface 4.4 */
export const messageListSchema = z.object({ messages: z.array(messageSchema), total })

/** Response of the list of webhooks. @see interface 4.5 */
export const webhookListSchema = z.object({ webhooks: z.array(webhookSchema), total })

/** An agent's identity as answers carry it. @see interface 2.1 */
export type Identity = z.infer<typeof identitySchema>
/** A thread as answers carry it. @see interface 2.2 */
export type Thread = z.infer<typeof threadSchema>
/** A message as answers carry it. @see interface 2.3 */
export type Message = z.infer<typeof messageSchema>
/** An attachment entry as answers carry it. @see interface 2.3 */
export type AttachmentEntry = z.infer<typeof attachmentEntrySchema>
/** A webhook subscription as answers carry it. @see interface 2.4 */
export type Webhook = z.infer<typeof webhookSchema>
/** The body of an update of an identity. @see interface 4.2 */
export type IdentityPatch = z.infer<typeof identityPatchSchema>
