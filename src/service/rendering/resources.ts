import type { ResourceName } from '../../contract/extensions.js'
import type { AttachmentEntry, Identity, Message, Thread, Webhook } from '../../contract/resources.js'
import { snippetOf } from '../../mail/snippet.js'
import type { Settle, SettleExtensionGap } from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type {
  AttachmentRow,
  HeaderField,
  IdentityRow,
  MessageRow,
  ThreadRow,
  WebhookRow,
} from '../model/rows.js'
import { formatInstant } from '../time/time.js'
import { authenticationOf, receivedFieldsOf } from './authentication.js'
import { addressesOf, headerFieldsOf, type MessageAddresses } from './header-fields.js'
import type { Render, RenderContext } from './renderer.js'

/** Formats an instant for responses: ISO 8601 UTC. @see interface 2 */
export function timestamp(instant: number, settle: Settle): string {
  return settle('format.timestamps', {
    milliseconds: () => formatInstant(instant, 'milliseconds'),
    seconds: () => formatInstant(instant, 'seconds'),
  })
}

/** The context in which an extension creates the fields that it adds to a resource. */
export interface FieldsContext<Row = object, Resource = object> {
  readonly row: Row
  /** The resource with its documented fields, under the assumptions in force. */
  readonly shown: Resource
  readonly settle: SettleExtensionGap
  /** Returns the bare addresses in each address field of a message. */
  addressesOf(message: MessageRow): MessageAddresses
}

/** Renders rows of a resource with the fields that extensions add to it. */
function withFurtherFields<Row extends object>(of: ResourceName, render: Render<Row>): Render<Row> {
  return (row, context) => {
    const shown = render(row, context)
    const settle = context.settle as unknown as SettleExtensionGap
    const own = context.fields.filter((fields) => fields.of === of)
    const added = own.map(({ add }) =>
      add({ row, shown, settle, addressesOf } satisfies FieldsContext as never),
    )
    return added.length === 0 ? shown : Object.assign({}, shown, ...added)
  }
}

/** Renders an identity. @see interface 2.1 */
export const renderIdentity = withFurtherFields<IdentityRow>(
  'Identity',
  (row, { settle }): Identity => ({
    id: row.id,
    agent_handle: row.agent_handle,
    display_name: row.display_name,
    description: row.description,
    mailbox_address: row.mailbox_address,
    created_at: timestamp(row.created_at, settle),
    updated_at: timestamp(row.updated_at, settle),
  }),
)

/** Renders a thread. @see interface 2.2 */
export const renderThread = withFurtherFields<ThreadRow>(
  'Thread',
  (row, { store, settle }): Thread => ({
    id: row.id,
    subject: row.subject,
    snippet: settle('threads.snippet', {
      latest: () => snippetOfMessage(store, row.last_message_id),
      first: () => snippetOfMessage(store, row.first_message_id),
    }),
    unread: settle('threads.unread-after-reply', {
      'stays-unread': () => row.unread,
      'becomes-read': () => row.unread && !row.answered,
    }),
    message_count: row.message_count,
    last_message_at: timestamp(row.last_message_at, settle),
    created_at: timestamp(row.created_at, settle),
  }),
)

function snippetOfMessage(store: MailboxStore, id: string | null): string {
  const message = id === null ? undefined : store.get('message', id)
  return message ? snippetOf(store.bodyOf(message)) : ''
}

/** Renders a subscription; undefined fields are absent from the JSON. @see interface 2.4 */
export const renderWebhook = withFurtherFields<WebhookRow>('Webhook', (row, { settle }) => ({
  id: row.id,
  url: row.url,
  events: [...row.events] as Webhook['events'],
  agent_handle: handleOf(row, settle),
  auth_token: tokenOf(row, settle),
  has_auth_token: row.auth_token !== null,
  created_at: timestamp(row.created_at, settle),
  updated_at: timestamp(row.updated_at, settle),
}))

function handleOf(row: WebhookRow, settle: Settle): string | null | undefined {
  if (row.agent_handle !== null) return row.agent_handle
  return settle('webhooks.unscoped-handle', {
    null: () => null,
    absent: () => undefined,
    'empty-string': () => '',
  })
}

function tokenOf(row: WebhookRow, settle: Settle): string | null | undefined {
  if (row.auth_token !== null) return row.auth_token
  return settle('webhooks.auth-token-absent', {
    absent: () => undefined,
    null: () => null,
    'empty-string': () => '',
  })
}

/** Renders a message; undefined fields are absent from the JSON. @see interface 2.3 */
export const renderMessage = withFurtherFields<MessageRow>('Message', (row, context) => {
  const { store, settle } = context
  const { text, html } = store.bodyOf(row)
  return {
    id: row.id,
    thread_id: row.thread_id,
    direction: shownDirection(row, settle),
    from: shownSender(row, settle),
    to: row.to,
    subject: row.subject,
    text: bodyPart(text, settle),
    html: bodyPart(html, settle),
    attachments: store.rows('attachment', row.attachment_ids).map((file) => attachmentEntry(file, context)),
    ...shownHeader(row, context),
    created_at: timestamp(row.created_at, settle),
  }
})

/** Returns the direction of a message as responses name it. @see interface 2.3 */
export function shownDirection(row: MessageRow, settle: Settle): string {
  if (row.direction === 'inbound') return 'inbound'
  return settle('messages.outbound-direction', { outbound: () => 'outbound', sent: () => 'sent' })
}

function shownSender({ from }: MessageRow, settle: Settle): string {
  if (!from.endsWith(emptyAddress)) return from
  return settle('messages.empty-sender', {
    'as-written': () => from,
    'name-only': () => from.slice(0, -emptyAddress.length).trim(),
  })
}

const emptyAddress = '<>'

function bodyPart(content: string | null, settle: Settle): string | null | undefined {
  if (content !== null) return content
  return settle('messages.empty-body', {
    'empty-string': () => '',
    null: () => null,
    absent: () => undefined,
  })
}

function attachmentEntry(file: AttachmentRow, { settle, base }: RenderContext): AttachmentEntry {
  const url = `${base}${attachmentPath(file)}`
  const { id, filename, content_type, size_bytes, content_id } = file
  return settle('messages.attachment-entry', {
    full: (): AttachmentEntry => ({ id, filename, content_type, size_bytes, content_id, url }),
    'url-only': (): AttachmentEntry => ({ url }),
    'download-url': (): AttachmentEntry => ({
      id,
      filename,
      content_type,
      size: size_bytes,
      download_url: url,
    }),
  })
}

/** Returns the header fields of a message, and what the receiving server found about its sender. */
function shownHeader(
  row: MessageRow,
  { store, settle }: RenderContext,
): Pick<Message, 'headers' | 'authentication'> {
  const fields = headerFieldsOf(row, store)
  const found = authenticationOf(row, store)
  const plain = () => ({ headers: headersOf(fields, settle) })
  if (!found) return plain()
  const { spf, dkim, dmarc } = found
  return settle('messages.authentication', {
    headers: () => ({ headers: headersOf(receivedFieldsOf(row, fields, found, store), settle) }),
    field: () => ({ ...plain(), authentication: { spf, dkim, dmarc } }),
    omitted: plain,
  })
}

function headersOf(fields: readonly HeaderField[], settle: Settle): Message['headers'] {
  return settle('messages.headers', {
    omitted: (): Message['headers'] => undefined,
    object: (): Message['headers'] => {
      const byName = new Map<string, string | string[]>()
      for (const [name, value] of fields) {
        const key = name.toLowerCase()
        const before = byName.get(key)
        // Appended in place, since a message may have thousands of fields with one name.
        if (Array.isArray(before)) before.push(value)
        else byName.set(key, before === undefined ? value : [before, value])
      }
      return Object.fromEntries(byName)
    },
    list: (): Message['headers'] => fields.map(([name, value]) => ({ name, value })),
  })
}

/** Returns JSON whose addresses of stored files begin with a base URL, or `''` for none, with another one in its place. */
export function withBase(json: string, from: string, to: string): string {
  const plain = (base: string): string => `"${base}/attachments/att_`
  const escaped = (base: string): string => plain(base).replaceAll('/', '\\/')
  return json.replaceAll(plain(from), plain(to)).replaceAll(escaped(from), escaped(to))
}

/** Returns the path of a stored file: the id identifies it, the name is for people. */
function attachmentPath({ id, filename }: AttachmentRow): string {
  // URLs resolve a segment of one or two dots, even percent-encoded, to another path.
  const name = /^\.{1,2}$/.test(filename) ? '' : `/${encodeURIComponent(filename.toWellFormed())}`
  return `/attachments/${id}${name}`
}
