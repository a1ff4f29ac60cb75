import { limits } from '../contract/limits.js'
import type { RowList } from '../model/index.js'
import { renderThread } from '../world/index.js'
import type { Call } from './call.js'
import { findFilteredAgent } from './find-identity.js'
import { notFound, reject } from './refusal.js'
import { listReply, type Reply } from './reply.js'

const { limit: limitBounds, offset } = limits['threads.list']
const offsetBounds = { ...offset, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** `GET /api/v1/mail/threads`: threads scoped to an agent or a mailbox. @see interface 4.3 */
export function listThreads(call: Call): Reply {
  const { store, settle } = call
  const limit = limitOf(call)
  const offset = offsetOf(call)
  const matches = matchingThreads(call, offset)
  const page = settle(
    'threads.order',
    {
      'last-message-desc': () => matches.page({ order: 'last-message', descending: true, offset, limit }),
      'last-message-asc': () => matches.page({ order: 'last-message', offset, limit }),
      'created-desc': () => matches.page({ order: 'created', descending: true, offset, limit }),
      'created-asc': () => matches.page({ order: 'created', offset, limit }),
      unspecified: () => matches.page({ order: 'shuffle', offset, limit }),
    },
    'shown',
  )
  const total = settle(
    'threads.total',
    {
      'all-matches': () => matches.count,
      'page-size': () => page.length,
      'all-threads': () => store.threads(call.organization.id).count,
    },
    'shown',
  )
  return listReply('threads', call.render.many(store.rows('thread', page), renderThread), total)
}

function limitOf({ query, settle }: Call): number {
  return query.integer('limit', limitBounds, (given, nearest) =>
    settle('threads.limit-out-of-range', {
      rejected: () =>
        reject(`limit must be an integer from 1 to ${limitBounds.maximum}, not "${shorten(given)}".`),
      clamped: () => nearest,
      default: () => limitBounds.default,
    }),
  )
}

function offsetOf({ query, settle }: Call): number {
  return query.integer('offset', offsetBounds, (given, nearest) =>
    settle('threads.offset-out-of-range', {
      rejected: () => reject(`offset must be an integer of 0 or more, not "${shorten(given)}".`),
      // A number too large to hold is an offset past the end, not one below 0.
      zero: () => nearest,
    }),
  )
}

function matchingThreads(call: Call, offset: number): RowList {
  const { store, query, settle, organization } = call
  const ofAgent = scopeOfAgent(call, query.text('agent'))
  const ofMailbox = scopeOfMailbox(call, query.text('mailbox'))
  if (ofAgent && ofMailbox) {
    return store.threads(
      ...settle('threads.agent-and-mailbox', {
        both: () => ofAgent.filter((id) => ofMailbox.includes(id)),
        either: () => [...new Set([...ofAgent, ...ofMailbox])],
        'agent-wins': () => ofAgent,
        'mailbox-wins': () => ofMailbox,
        rejected: () => reject('Give agent or mailbox, not both.'),
      }),
    )
  }
  const scope = ofAgent ?? ofMailbox
  if (scope) return store.threads(...scope)
  const all = store.threads(organization.id)
  const branches = {
    all: () => all,
    rejected: () => reject('Give agent or mailbox.'),
    empty: () => store.threads(),
  }
  // Where the page shows threads, an empty list is another answer; that need not be weighed.
  return settle('threads.unscoped', branches, offset < all.count ? 'shown' : 'weighed')
}

/** Ids of what the `agent` filter selects; undefined when it was not given. */
function scopeOfAgent(call: Call, agent: string | undefined): string[] | undefined {
  if (agent === undefined) return undefined
  const identity = findFilteredAgent(call, agent)
  return identity ? [identity.id] : settleUnknown(call, 'agent', agent)
}

/** Ids of what the `mailbox` filter selects; undefined when it was not given. */
function scopeOfMailbox(call: Call, mailbox: string | undefined): string[] | undefined {
  if (mailbox === undefined) return undefined
  const { store, organization } = call
  const identity = call.settle('threads.mailbox-case', {
    insensitive: () => store.identityByFoldedMailbox(organization.id, mailbox),
    exact: () => store.identityByMailbox(organization.id, mailbox),
  })
  return identity ? [identity.id] : settleUnknown(call, 'mailbox', mailbox)
}

function settleUnknown(call: Call, filter: 'agent' | 'mailbox', name: string): string[] {
  return call.settle('threads.unknown-agent', {
    empty: () => [],
    'not-found': () => notFound(filter, name),
  })
}

function shorten(given: string): string {
  return given.length > 40 ? `${given.slice(0, 40)}…` : given
}
