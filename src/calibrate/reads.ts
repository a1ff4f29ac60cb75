import type { GapId } from '../contract/gaps.js'
import type { Analysis } from './analysis.js'
import type { Fields, ProbeRequest } from './exchange.js'
import { type KnownAgent, madeUp } from './mailbox-view.js'
import { filterNames } from './predict.js'

/** A request that tells readings of a gap apart, or why there is none. */
export interface Probe {
  /** What it is to tell something about; undefined where it only looks around. */
  readonly gap: GapId | undefined
  /** The request, given what is known; a sentence that says what it needs where that is missing. */
  readonly request: (known: Known) => ProbeRequest | string
  /** Whether it is sent even when the gap is settled. */
  readonly always?: true
  /** Whether it is of use now; left out, it always is. */
  readonly when?: (known: Known) => boolean
}

/** What probes are made from. */
export interface Known extends Analysis {
  /** The agent most is asked about, and another one. */
  readonly agent: KnownAgent | undefined
  readonly other: KnownAgent | undefined
}

const threadsPath = '/api/v1/mail/threads'
const messagesPath = '/api/v1/mail/messages'
const webhooksPath = '/api/v1/webhooks'

/** A GET with the user's key. */
export function get(path: string, query: Readonly<Record<string, string>> | string = {}): ProbeRequest {
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return { method: 'GET', target: `${path}${search === '' ? '' : `?${search}`}`, key: 'own' }
}

const noAgent = 'no agent is known; name one with --agent'

function ofAgent(make: (agent: KnownAgent, known: Known) => ProbeRequest | string): Probe['request'] {
  return (known) => (known.agent ? make(known.agent, known) : noAgent)
}

function ofTwo(make: (agent: KnownAgent, other: KnownAgent) => ProbeRequest): Probe['request'] {
  return ({ agent, other }) => (agent && other ? make(agent, other) : 'it needs two agents')
}

/** A probe of a gap by fixed requests. */
function asks(gap: GapId, ...requests: readonly ProbeRequest[]): Probe[] {
  return requests.map((request) => ({ gap, request: () => request }))
}

/** What is asked first, to see what the mailbox holds. */
export const firstLook: readonly Probe[] = [
  { gap: undefined, always: true, request: () => get(messagesPath, { limit: '100' }) },
  { gap: undefined, always: true, request: () => get(webhooksPath) },
]

/** The identity behind a handle that the mailbox shows. */
export function lookAt(handle: string): ProbeRequest {
  return get(`/api/v1/identities/${encodeURIComponent(handle)}`)
}

const letters = /[a-z]/i

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/** What reads can tell, in the order in which it is asked. */
export const readProbes: readonly Probe[] = [
  {
    gap: undefined,
    always: true,
    request: ofAgent(({ handle }) => get(threadsPath, { agent: handle, limit: '100' })),
  },
  { gap: 'threads.unscoped', always: true, request: () => get(threadsPath) },
  {
    gap: undefined,
    always: true,
    request: ({ other }) => {
      return other ? get(threadsPath, { agent: other.handle, limit: '100' }) : 'it needs two agents'
    },
  },
  ...asks('auth.missing-status', { ...get(messagesPath, { limit: '1' }), key: 'none' }),
  ...asks('auth.webhooks', { ...get(webhooksPath), key: 'none' }),
  ...asks('auth.keys', { ...get(messagesPath, { limit: '1' }), key: 'made-up' }),
  ...asks('errors.unknown-operation', get('/api/v1/calibration-of-nothing')),
  { gap: 'errors.not-found-code', always: true, request: () => lookAt(madeUp.handle) },
  ...asks('path.trailing-slash', get(`${webhooksPath}/`)),
  ...asks('query.unknown-parameters', get(messagesPath, { limit: '1', calibration: '1' })),
  ...asks('query.repeated-parameter', get(messagesPath, 'limit=1&limit=2')),
  {
    gap: 'identities.handle-case',
    request: ofAgent(({ handle }) => {
      return letters.test(handle) ? lookAt(swapCase(handle)) : 'the handle has no letters'
    }),
  },
  ...asks('identities.handle-format', get('/api/v1/identities/no%20such%20agent')),
  ...asks('format.cors', {
    ...get(messagesPath, { limit: '1' }),
    headers: { origin: 'https://calibration.invalid' },
  }),
  ...['0', 'abc', '101'].map((limit) => ({
    gap: 'threads.limit-out-of-range' as const,
    always: true as const,
    request: ofAgent(({ handle }) => get(threadsPath, { agent: handle, limit })),
  })),
  ...['-1', 'abc'].map((offset) => ({
    gap: 'threads.offset-out-of-range' as const,
    always: true as const,
    request: ofAgent(({ handle }) => get(threadsPath, { agent: handle, limit: '2', offset })),
  })),
  { gap: 'threads.unknown-agent', request: () => get(threadsPath, { agent: madeUp.handle, limit: '2' }) },
  {
    gap: 'threads.unknown-agent',
    always: true,
    request: () => get(threadsPath, { mailbox: madeUp.mailbox, limit: '2' }),
  },
  {
    gap: 'threads.agent-at-prefix',
    request: ofAgent(({ handle }) => get(threadsPath, { agent: `@${handle}`, limit: '2' })),
  },
  {
    gap: 'threads.mailbox-case',
    request: ofAgent(({ mailbox }) => get(threadsPath, { mailbox: swapCase(mailbox), limit: '2' })),
  },
  {
    gap: 'threads.agent-and-mailbox',
    request: ofTwo(({ handle }, { mailbox }) => get(threadsPath, { agent: handle, mailbox, limit: '100' })),
  },
  {
    gap: 'threads.agent-and-mailbox',
    request: ofTwo(({ mailbox }, { handle }) => get(threadsPath, { agent: handle, mailbox, limit: '100' })),
  },
  {
    gap: 'threads.agent-and-mailbox',
    request: ofAgent(({ handle }) =>
      get(threadsPath, { agent: handle, mailbox: madeUp.mailbox, limit: '2' }),
    ),
  },
  {
    gap: 'threads.agent-and-mailbox',
    request: ofAgent(({ mailbox }) => get(threadsPath, { agent: madeUp.handle, mailbox, limit: '2' })),
  },
  { gap: 'threads.total', request: ofAgent(({ handle }) => get(threadsPath, { agent: handle, limit: '1' })) },
  ...['0', 'abc', '101', '501'].map((limit) => ({
    gap: limit === '501' ? ('messages.limit-maximum' as const) : ('messages.limit-out-of-range' as const),
    always: true as const,
    request: () => get(messagesPath, { limit }),
  })),
  { gap: 'messages.limit-maximum', request: () => get(messagesPath, { limit: '101' }) },
  ...asks('messages.unknown-thread', get(messagesPath, { thread_id: madeUp.thread, limit: '2' })),
  ...asks('messages.offset', get(messagesPath, { limit: '2', offset: '1' })),
  {
    gap: 'messages.total',
    request: ofAgent(({ handle }) => get(messagesPath, { agent: handle, limit: '1' })),
  },
  {
    gap: 'messages.total',
    request: ({ other }) => {
      return other ? get(messagesPath, { agent: other.handle, limit: '1' }) : 'it needs two agents'
    },
  },
  { gap: 'messages.order', request: (known) => wholeThread(known) },
  ...Object.values(filterNames).map(([, event]) => ({
    gap: 'webhooks.filter-names' as const,
    request: () => get(webhooksPath, { [event]: madeUp.event }),
  })),
  { gap: 'webhooks.agent-filter-unscoped', request: (known) => filteredWebhooks(known) },
  { gap: 'messages.attachment-url', request: (known) => storedFile(known) },
  ...[0, 1, 2].map((turn) => ({ gap: undefined, when: lacksContent, request: moreMessages(turn) })),
  { gap: 'messages.attachment-url', request: (known) => storedFile(known) },
  { gap: 'messages.order', request: (known) => wholeThread(known) },
  { gap: 'threads.snippet', request: (known) => wholeThread(known) },
  { gap: 'errors.validation-status', request: () => get('/api/v1/identities/%ZZ') },
]

/** Gaps that only some mail shows. */
const shownByContent: readonly GapId[] = [
  'messages.outbound-direction',
  'messages.empty-body',
  'messages.attachment-entry',
  'threads.snippet',
]

function lacksContent({ candidates, misfits }: Known): boolean {
  return shownByContent.some((gap) => candidates[gap].length > 1 && !misfits.has(gap))
}

/** A page of messages not seen yet. */
function moreMessages(turn: number): Probe['request'] {
  return ({ agent, other, candidates, view }) => {
    const [most, ...others] = candidates['messages.limit-maximum']
    const limit = others.length === 0 && most !== '100' ? '500' : '100'
    const [offset, ...unsure] = candidates['messages.offset']
    if (offset === 'honoured' && unsure.length === 0) {
      const start = view.list('messages', { of: 'all' }).atLeast
      const { exact = Number.POSITIVE_INFINITY } = view.list('messages', { of: 'all' })
      return start < exact ? get(messagesPath, { limit, offset: String(start) }) : 'all messages were seen'
    }
    const of = [agent, other][turn]
    return of ? get(messagesPath, { agent: of.handle, limit }) : 'the other messages cannot be reached'
  }
}

/**
 * The messages of a thread that this changes in no way: one that is read, and whose newest message came in, since a
 * thread that was answered may be shown as read without being so.
 */
function wholeThread({ view }: Known): ProbeRequest | string {
  const newest = new Map<unknown, Fields>()
  for (const message of view.messages.values()) {
    const thread = view.threads.get(message['thread_id'] as string)
    if (thread && thread['last_message_at'] === message['created_at']) newest.set(thread['id'], message)
  }
  const listed = new Set(view.pages.map(({ scope }) => (scope.of === 'thread' ? scope.id : undefined)))
  const threads = [...view.threads.values()].filter((thread) => {
    const several = Number(thread['message_count']) > 1 && thread['created_at'] !== thread['last_message_at']
    const isRead = thread['unread'] === false && newest.get(thread['id'])?.['direction'] === 'inbound'
    return several && isRead && !listed.has(thread['id'] as string)
  })
  const [thread] = threads.toSorted((a, b) => Number(b['message_count']) - Number(a['message_count']))
  if (!thread) return 'no thread of several messages is read and was not answered last'
  return get(messagesPath, { thread_id: thread['id'] as string, limit: '100' })
}

function filteredWebhooks({ agent, candidates, view }: Known): ProbeRequest | string {
  const [names, ...others] = candidates['webhooks.filter-names']
  if (others.length > 0) return 'the names of the filters are not known'
  const [name] = filterNames[names ?? ''] ?? []
  if (name === undefined || !view.webhooks) return 'the names of the filters are not known'
  return get(webhooksPath, { [name]: agent?.handle ?? madeUp.handle })
}

/** A stored file, asked for without the key, wherever it is. */
function storedFile({ view }: Known): ProbeRequest | string {
  for (const message of view.messages.values()) {
    const entries = message['attachments']
    for (const entry of Array.isArray(entries) ? (entries as Fields[]) : []) {
      const url = entry['url'] ?? entry['download_url']
      if (typeof url === 'string' && /^https?:/.test(url)) return { method: 'GET', target: url, key: 'none' }
    }
  }
  return 'no message with an attachment was seen'
}
