import { limits } from '../../contract/operations.js'
import type { Settle } from '../assumptions/settle.js'
import type { Order } from '../model/indexing.js'
import type { MailboxStore, RowList } from '../model/mailbox-store.js'
import type { MessageRow, ThreadRow } from '../model/rows.js'
import { renderThread } from '../rendering/resources.js'
import { unlistedFor } from '../webhooks/subscriptions.js'
import { findFilteredAgent, hintAtNoMatch } from './identities.js'
import { defineOperation, type OperationContext, type QueryContext } from './operation.js'
import { listReply } from './reply.js'
import { notFound, reject } from './request-error.js'

const { limit: limitBounds, offset } = limits['threads.list']
const offsetBounds = { ...offset, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** `GET /api/v1/mail/threads`: lists the threads of an agent, of a mailbox, or all. @see interface 4.3 */
export const listThreads = defineOperation({
  id: 'threads.list',
  perform(context) {
    const { store, settle } = context
    const { limit, offset } = pageOfThreads(context)
    const matches = listedRows(matchingThreads(context, offset), context)
    const page = settle(
      'threads.order',
      {
        'last-message-desc': () => matches.page({ order: 'last-message', descending: true, offset, limit }),
        'last-message-asc': () => matches.page({ order: 'last-message', offset, limit }),
        'created-desc': () => matches.page({ order: 'created', descending: true, offset, limit }),
        'created-asc': () => matches.page({ order: 'created', offset, limit }),
        unspecified: () => matches.page({ order: 'shuffle', offset, limit }),
      },
      'certain',
    )
    const total = settle(
      'threads.total',
      {
        'all-matches': () => matches.count,
        'page-size': () => page.length,
        'all-threads': () => listedRows(store.threads(context.organization.id), context).count,
      },
      'certain',
    )
    return listReply('threads', context.render.many(store.rows('thread', page), renderThread), total)
  },
})

/** Returns the page of threads that a query asks for. @throws RequestError */
function pageOfThreads(context: QueryContext): { readonly limit: number; readonly offset: number } {
  return { limit: limitOf(context), offset: offsetOf(context) }
}

function limitOf({ query, settle }: QueryContext): number {
  return query.integer('limit', limitBounds, (value, nearest) =>
    settle('threads.limit-out-of-range', {
      rejected: () =>
        reject(`limit must be an integer from 1 to ${limitBounds.maximum}, not "${shorten(value)}".`),
      clamped: () => nearest,
      default: () => limitBounds.default,
    }),
  )
}

function offsetOf({ query, settle }: QueryContext): number {
  return query.integer('offset', offsetBounds, (value, nearest) =>
    settle('threads.offset-out-of-range', {
      rejected: () => reject(`offset must be an integer of 0 or more, not "${shorten(value)}".`),
      // A number beyond the safe integers is an offset past the end, so it becomes the maximum instead of 0.
      zero: () => nearest,
    }),
  )
}

function matchingThreads(context: OperationContext, offset: number): RowList<'thread', Order> {
  const { store, query, settle, organization } = context
  const ofAgent = scopeOfAgent(context, query.text('agent'))
  const ofMailbox = scopeOfMailbox(context, query.text('mailbox'))
  if (ofAgent && ofMailbox) {
    return store.threads(...scopeOfBoth(settle, ofAgent, ofMailbox))
  }
  const scope = ofAgent ?? ofMailbox
  if (scope) return store.threads(...scope)
  const all = store.threads(organization.id)
  const branches = {
    all: () => all,
    rejected: () => reject('Give agent or mailbox.'),
    empty: () => store.threads(),
  }
  // If the page has threads, an empty list is certainly a different response, so the request need not be
  // evaluated again.
  return settle('threads.unscoped', branches, offset < all.count ? 'certain' : 'possible')
}

/** Returns the identities that the `agent` and the `mailbox` filter select together. @throws RequestError */
function scopeOfBoth(
  settle: Settle,
  ofAgent: readonly string[],
  ofMailbox: readonly string[],
): readonly string[] {
  return settle('threads.agent-and-mailbox', {
    both: () => ofAgent.filter((id) => ofMailbox.includes(id)),
    either: () => [...new Set([...ofAgent, ...ofMailbox])],
    'agent-wins': () => ofAgent,
    'mailbox-wins': () => ofMailbox,
    rejected: () => reject('Give agent or mailbox, not both.'),
  })
}

/** Returns the ids of the identities that the `agent` filter selects; undefined without the filter. */
function scopeOfAgent(context: OperationContext, agent: string | undefined): string[] | undefined {
  if (agent === undefined) return undefined
  const identity = findFilteredAgent(context, agent)
  return identity ? [identity.id] : scopeOfUnknown(context, 'agent', agent)
}

/** Returns the ids of the identities that the `mailbox` filter selects; undefined without the filter. */
function scopeOfMailbox(context: OperationContext, mailbox: string | undefined): string[] | undefined {
  if (mailbox === undefined) return undefined
  const { store, organization } = context
  const identity = context.settle('threads.mailbox-case', {
    insensitive: () => store.identityBy('foldedMailbox', organization.id, mailbox),
    exact: () => store.identityBy('mailbox', organization.id, mailbox),
  })
  if (identity) return [identity.id]
  hintAtNoMatch(context, 'mailbox', mailbox)
  return scopeOfUnknown(context, 'mailbox', mailbox)
}

/** Returns the identities that a filter without a match selects. @throws RequestError */
function scopeOfUnknown(
  { settle }: Pick<OperationContext, 'settle'>,
  filter: 'agent' | 'mailbox',
  name: string,
): string[] {
  return settle('threads.unknown-agent', {
    empty: () => [],
    'not-found': () => notFound(filter, name),
  })
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

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
