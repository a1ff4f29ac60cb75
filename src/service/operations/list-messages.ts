import { shorten } from '../../base/text.js'
import { limits } from '../../contract/operations.js'
import type { RowList } from '../model/mailbox-store.js'
import type { ThreadRow } from '../model/rows.js'
import { renderMessage } from '../rendering/resources.js'
import { findFilteredAgent } from './identities.js'
import { listedRows, listedThread } from './list-threads.js'
import { defineOperation, type OperationContext, type QueryContext } from './operation.js'
import { listReply } from './reply.js'
import { ignoredHint } from './request.js'
import { notFound, reject } from './request-error.js'

const { limit: limitBounds } = limits['messages.list']

/** `GET /api/v1/mail/messages`: lists the messages of a thread, of an agent, or all. @see interface 4.4 */
export const listMessages = defineOperation({
  id: 'messages.list',
  // Whether `offset` exists is a separate gap.
  queryNames: () => ['thread_id', 'agent', 'limit', 'offset'],
  perform(context) {
    const { store, settle } = context
    const { limit, offset } = pageOfMessages(context)
    if (offset === 0 && Number(context.query.text('offset')) > 0) {
      context.hints.add(ignoredHint('query parameter', 'offset', ['thread_id', 'agent', 'limit']))
    }
    const thread = threadOf(context)
    const matches = listedRows(matchingMessages(context, thread), context)
    const oldestFirst = { order: 'created', offset, limit } as const
    const newestFirst = { ...oldestFirst, descending: true } as const
    const page = settle(
      'messages.order',
      {
        'created-desc': () => matches.page(newestFirst),
        'created-asc': () => matches.page(oldestFirst),
        'chronological-in-thread': () => matches.page(thread === undefined ? newestFirst : oldestFirst),
        unspecified: () => matches.page({ order: 'shuffle', offset, limit }),
      },
      'certain',
    )
    const total = settle(
      'messages.total',
      {
        'all-matches': () => matches.count,
        'page-size': () => page.length,
        'all-messages': () => listedRows(store.messages(context.organization.id), context).count,
      },
      'certain',
    )
    const messages = context.render.many(store.rows('message', page), renderMessage)
    // With an agent filter that does not fit the thread, none of its messages was in the response.
    if (thread && matches.count > 0) markRead(context, thread)
    return listReply('messages', messages, total)
  },
})

/** Returns the page of messages that a query asks for. @throws RequestError */
function pageOfMessages(context: QueryContext): { readonly limit: number; readonly offset: number } {
  return { limit: limitOf(context), offset: offsetOf(context) }
}

function limitOf({ query, settle }: QueryContext): number {
  const maximum = mayExceedMaximum(query.text('limit')) ? maximumOf(settle) : 100
  return query.integer('limit', { default: limitBounds.default, minimum: 1, maximum }, (value, nearest) =>
    settle('messages.limit-out-of-range', {
      rejected: () => reject(`limit must be an integer ${boundOf(value, maximum)}, not "${shorten(value)}".`),
      clamped: () => nearest,
      default: () => limitBounds.default,
    }),
  )
}

/**
 * Returns the bound that a limit violates. The other bound may depend on an assumption on which this response
 * does not depend.
 */
function boundOf(limit: string, maximum: number): string {
  return mayExceedMaximum(limit) ? `of at most ${maximum}` : 'of 1 or more'
}

/** Returns whether a limit is above the lowest maximum of any assumption. */
function mayExceedMaximum(limit: string | undefined): boolean {
  return limit !== undefined && /^\d+$/.test(limit) && Number(limit) > 100
}

function maximumOf(settle: OperationContext['settle']): number {
  return settle('messages.limit-maximum', {
    '100': () => 100,
    '500': () => 500,
    none: () => Number.POSITIVE_INFINITY,
  })
}

function offsetOf({ query, settle }: QueryContext): number {
  if (!query.has('offset')) return 0
  const bounds = { default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  const offset = query.integer('offset', bounds, () => Number.NaN)
  return settle('messages.offset', {
    ignored: () => 0,
    honoured: () => (Number.isNaN(offset) ? reject('offset must be an integer of 0 or more.') : offset),
    rejected: () => reject('The list of messages has no offset.'),
  })
}

/** Returns the thread that `thread_id` names; undefined without `thread_id`, null if the caller has no such thread. */
function threadOf(context: OperationContext): ThreadRow | null | undefined {
  const { store, query, organization, hints } = context
  const id = query.text('thread_id')
  if (id === undefined) return undefined
  const filter = `thread_id=${JSON.stringify(shorten(id))}`
  const thread = store.get('thread', id)
  if (thread?.organization_id !== organization.id) {
    hints.add(`${filter} matches no thread; take one from the list of threads.`)
    return null
  }
  const listed = listedThread(thread, context)
  if (listed) return listed
  hints.add(
    `${filter} was asked for before its message was listed, which takes two seconds after the event; look again, or respond to the event with 503. See the gap events.listed.`,
  )
  return null
}

function matchingMessages(
  context: OperationContext,
  thread: ThreadRow | null | undefined,
): RowList<'message'> {
  const { store, query, organization } = context
  const none = store.messages()
  if (thread === null) settleUnknown(context, 'thread', query.text('thread_id') ?? '')
  const agent = query.text('agent')
  const identity = agent === undefined ? undefined : findFilteredAgent(context, agent)
  if (agent !== undefined && !identity) settleUnknown(context, 'agent', agent)
  if (thread === null || (agent !== undefined && !identity)) return none
  if (thread && identity && thread.identity_id !== identity.id) return none
  return store.messages(thread?.id ?? identity?.id ?? organization.id)
}

/** Settles a filter without a match, which selects nothing or is refused. @throws RequestError */
function settleUnknown(
  { settle }: Pick<OperationContext, 'settle'>,
  filter: 'agent' | 'thread',
  name: string,
): void {
  settle('messages.unknown-thread', {
    empty: () => undefined,
    'not-found': () => notFound(filter, name),
  })
}

function markRead(context: OperationContext, thread: ThreadRow): void {
  const unread = context.settle(
    'threads.unread-after-read',
    {
      'stays-unread': () => thread.unread,
      'becomes-read': () => false,
    },
    'certain',
  )
  if (unread !== thread.unread) {
    context.apply({ type: 'set-thread-unread', thread_id: thread.id, unread })
  }
}
