import type { Identity, Thread, Webhook } from '../../contract/resources.js'
import { snippetOf } from '../../mail/index.js'
import type { IdentityRow, MailboxStore, ThreadRow, WebhookRow } from '../../model/index.js'
import type { Settle } from '../settle.js'
import { formatInstant } from '../time.js'
import type { Render } from './renderer.js'

/** An instant as answers carry it: ISO 8601 UTC. @see interface 2 */
export function timestamp(instant: number, settle: Settle): string {
  return settle('format.timestamps', {
    milliseconds: () => formatInstant(instant, 'milliseconds'),
    seconds: () => formatInstant(instant, 'seconds'),
  })
}

/** An identity as answers carry it. @see interface 2.1 */
export const renderIdentity: Render<IdentityRow> = (row, { settle }): Identity => ({
  id: row.id,
  agent_handle: row.agent_handle,
  display_name: row.display_name,
  description: row.description,
  mailbox_address: row.mailbox_address,
  created_at: timestamp(row.created_at, settle),
  updated_at: timestamp(row.updated_at, settle),
})

/** A thread as answers carry it. @see interface 2.2 */
export const renderThread: Render<ThreadRow> = (row, { store, settle }): Thread => ({
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
})

function snippetOfMessage(store: MailboxStore, id: string | null): string {
  const message = id === null ? undefined : store.get('message', id)
  return message ? snippetOf(store.bodyOf(message)) : ''
}

/** A subscription as answers carry it; a field that is absent is left out of the JSON. @see interface 2.4 */
export const renderWebhook: Render<WebhookRow> = (row, { settle }) => ({
  id: row.id,
  url: row.url,
  events: [...row.events] as Webhook['events'],
  agent_handle: handleOf(row, settle),
  auth_token: tokenOf(row, settle),
  has_auth_token: row.auth_token !== null,
  created_at: timestamp(row.created_at, settle),
  updated_at: timestamp(row.updated_at, settle),
})

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
