import type { MailboxStore, WebhookRow } from '../../model/index.js'
import type { Settle } from '../settle.js'
import type { MailEvent } from './mail-event.js'

/** The subscriptions of an event's organization to its type, in the order they were made. @see interface 6 */
export function subscriptionsTo({ type, message }: MailEvent, store: MailboxStore): readonly WebhookRow[] {
  const all = store.webhooks(message.organization_id)
  const ids = all.page({ order: 'created', offset: 0, limit: all.count })
  return store.rows('webhook', ids).filter(({ events }) => events.includes(type))
}

/** Whether a subscription to its type is told of an event. @see interface 6 */
export function isTold(webhook: WebhookRow, { type, agentHandle }: MailEvent, settle: Settle): boolean {
  const inScope = webhook.agent_handle === null || webhook.agent_handle === agentHandle
  if (type === 'message.received') return inScope
  return settle('events.bounced-sender', {
    'sending-agent': () => inScope,
    organization: () => true,
  })
}
