import type { Order } from '../model/indexing.js'
import type { MailboxStore, RowList } from '../model/mailbox-store.js'
import type { MessageRow, ThreadRow } from '../model/rows.js'
import { unlistedFor } from '../webhooks/listing.js'
import type { OperationContext } from './operation.js'

/**
 * Returns a list without what was received a moment ago and is not listed yet, if a subscription of the organization is
 * told of it. @see interface 6
 */
export function listedRows<Model extends 'thread' | 'message', Orders extends Order>(
  list: RowList<Model, Orders>,
  { store, settle, organization, selected }: OperationContext,
): RowList<Model, Orders> {
  if (!isToldOfMail(store, organization.id)) return list
  const now = selected.world.clock.now()
  const young = list.createdIn(now - unlistedFor, now).filter((row) => isReceived(row, store))
  if (young.length === 0) return list
  return settle('events.listed', {
    'before-the-event': () => list,
    'after-the-event': () => list.without(young),
  })
}

/** Returns a thread if it is listed; undefined if the message that began it was received a moment ago. @see interface 6 */
export function listedThread(thread: ThreadRow, context: OperationContext): ThreadRow | undefined {
  const { store, settle, organization, selected } = context
  const isYoung = thread.created_at > selected.world.clock.now() - unlistedFor
  if (!isYoung || !isReceived(thread, store) || !isToldOfMail(store, organization.id)) return thread
  return settle('events.listed', {
    'before-the-event': () => thread,
    'after-the-event': () => undefined,
  })
}

function isToldOfMail(store: MailboxStore, organizationId: string): boolean {
  const webhooks = store.rows('webhook', store.webhooks(organizationId).page({ order: 'created' }))
  return webhooks.some(({ events }) => events.includes('message.received'))
}

/** Returns whether a message was received, or a thread began with one. */
function isReceived(row: MessageRow | ThreadRow, store: MailboxStore): boolean {
  if ('direction' in row) return row.direction === 'inbound'
  const first = row.first_message_id === null ? undefined : store.get('message', row.first_message_id)
  return first?.direction === 'inbound'
}
