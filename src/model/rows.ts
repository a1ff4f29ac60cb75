/**
 * What the model keeps of each resource: facts only. Times are milliseconds since the epoch; how a fact
 * looks in an answer is the business of handlers and readings.
 */

/** Fields every row has. */
interface Row {
  /** Primary key: the resource's prefix and an opaque string. */
  readonly id: string
  /** Position in the order of creation among the rows of its model; breaks ties in every list. */
  readonly ordinal: number
}

/** Who owns identities, webhooks and API keys. */
export interface OrganizationRow extends Row {
  readonly name: string
  readonly api_keys: readonly string[]
}

/** @see interface 2.1 */
export interface IdentityRow extends Row {
  readonly organization_id: string
  readonly agent_handle: string
  readonly display_name: string | null
  readonly description: string | null
  readonly mailbox_address: string
  readonly created_at: number
  readonly updated_at: number
}

/** @see interface 2.2 */
export interface ThreadRow extends Row {
  readonly organization_id: string
  readonly identity_id: string
  readonly subject: string
  /** Mail has come in, or the thread was marked unread, since it was last marked read. */
  readonly unread: boolean
  /** The agent wrote after whatever made the thread unread. */
  readonly answered: boolean
  readonly message_count: number
  readonly first_message_id: string | null
  readonly last_message_id: string | null
  readonly last_message_at: number
  readonly created_at: number
}

/** Whether mail came to the agent or went out from it. */
export type Direction = 'inbound' | 'outbound'

/** One RFC 5322 header field: name and value. */
export type HeaderField = readonly [name: string, value: string]

/** @see interface 2.3 */
export interface MessageRow extends Row {
  readonly organization_id: string
  readonly identity_id: string
  readonly thread_id: string
  readonly direction: Direction
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** Names a body that is made when it is first read; then `text` and `html` are null. */
  readonly body_key: string | null
  readonly attachment_ids: readonly string[]
  /** The RFC 5322 Message-ID it came with; null when it has the one made from its id. */
  readonly message_id: string | null
  readonly in_reply_to: string | null
  /** The header fields it came with; null when they follow from the other fields. */
  readonly headers: readonly HeaderField[] | null
  readonly created_at: number
}

/** A stored file. */
export interface AttachmentRow extends Row {
  readonly message_id: string
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** RFC 2392 content id without angle brackets, of inline parts. */
  readonly content_id: string | null
  /** The file in base64. */
  readonly content: string
}

/** @see interface 2.4 */
export interface WebhookRow extends Row {
  readonly organization_id: string
  readonly url: string
  readonly events: readonly string[]
  readonly agent_handle: string | null
  readonly auth_token: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** The rows of each model by its name. */
export interface Rows {
  organization: OrganizationRow
  identity: IdentityRow
  thread: ThreadRow
  message: MessageRow
  attachment: AttachmentRow
  webhook: WebhookRow
}

/** The name of a model. */
export type ModelName = keyof Rows

/** The names of all models. */
export const modelNames: readonly ModelName[] = [
  'organization',
  'identity',
  'thread',
  'message',
  'attachment',
  'webhook',
]
