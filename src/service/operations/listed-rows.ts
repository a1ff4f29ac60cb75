import type { Order } from '../model/indexing.js'
import type { MailboxStore, RowList } from '../model/mailbox-store.js'
import type { MessageRow, ThreadRow } from '../model/rows.js'
import { unlistedFor } from '../webhooks/subscriptions.js'
import type { OperationContext } from './operation.js'

/** Returns a list without what was received a moment ago and is not listed yet. @see interface 6 */
export function listedRows<Model extends 'thread' | 'message', Orders extends Order>(
  list: RowList<Model, Orders>,
  context: OperationContext,
): RowList<Model, Orders> {
  const isAnnounced = announcedBy(context)
  const now = context.selected.world.clock.now()
  const young = list.createdIn(now - unlistedFor, now).filter(isAnnounced)
  if (young.length === 0) return list
  return context.settle('events.listed', {
    'before-the-event': () => list,
    'after-the-event': () => list.without(young),
  })
}

/** Returns a thread if it is listed; undefined if the message that began it was received a moment ago. @see interface 6 */
export function listedThread(thread: ThreadRow, context: OperationContext): ThreadRow | undefined {
  const isYoung = thread.created_at > context.selected.world.clock.now() - unlistedFor
  if (!isYoung || !announcedBy(context)(thread)) return thread
  return context.settle('events.listed', {
    'before-the-event': () => thread,
    'after-the-event': () => undefined,
  })
}

/** Returns what tells whether a message was received, or a thread began with one, and a subscription is told of it. */
function announcedBy({ store, organization }: OperationContext): (row: MessageRow | ThreadRow) => boolean {
  const all = store.rows('webhook', store.webhooks(organization.id).page({ order: 'created' }))
  const webhooks = all.filter(({ events }) => events.includes('message.received'))
  return (row) => {
    if (webhooks.length === 0 || !isReceived(row, store)) return false
    const handle = store.get('identity', row.identity_id)?.agent_handle
    return webhooks.some(({ agent_handle: scope }) => scope === null || scope === handle)
  }
}

function isReceived(row: MessageRow | ThreadRow, store: MailboxStore): boolean {
  if ('direction' in row) return row.direction === 'inbound'
  const first = row.first_message_id === null ? undefined : store.get('message', row.first_message_id)
  return first?.direction === 'inbound'
}
