import type { Webhook } from '../../contract/resources.js'
import type { WebhookRow } from '../../model/index.js'
import type { Settle } from '../settle.js'
import type { Render } from './renderer.js'
import { timestamp } from './timestamp.js'

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
