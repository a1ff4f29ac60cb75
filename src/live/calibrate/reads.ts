import type { GapId } from '../../contract/gaps.js'
import { filterNames } from '../../service/operations/list-webhooks.js'
import type { Analysis } from './analysis.js'
import { asFields, type Fields, type ProbeRequest } from './exchange.js'
import { type KnownAgent, nonexistent } from './mailbox-view.js'

/** A request that distinguishes assumptions of a gap, or why there is none. */
export interface Probe {
  /** The gap it is about; undefined if it only explores the mailbox. */
  readonly gap: GapId | undefined
  /** Returns the request, or a sentence that says what is missing for it. */
  readonly request: (known: Known) => ProbeRequest | string
  /** Whether it is sent even when the gap is settled. */
  readonly always?: true
  /** Returns whether it is useful now; by default always. */
  readonly when?: (known: Known) => boolean
}

/** The data from which probes are created. */
export interface Known extends Analysis {
  /** The agent that most probes are about, and another one. */
  readonly agent: KnownAgent | undefined
  readonly other: KnownAgent | undefined
}

const messagesPath = '/api/v1/mail/messages'
const webhooksPath = '/api/v1/webhooks'

/** Returns a GET with the user's key. */
export function get(path: string, query: Readonly<Record<string, string>> | string[][] = {}): ProbeRequest {
  const search = new URLSearchParams(query).toString()
  return { method: 'GET', target: `${path}${search === '' ? '' : `?${search}`}`, key: 'own' }
}

/** Returns the request for the identity behind a handle that the mailbox shows. */
export function identityRequest(handle: string): ProbeRequest {
  return get(`/api/v1/identities/${encodeURIComponent(handle)}`)
}

/**
 * Returns a GET below `/api/v1/`, with known values for `{agent}` and the like, or a sentence that says what is
 * missing.
 */
function filled(template: string, { agent, other }: Known): ProbeRequest | string {
  if (template.includes('{other') && !(agent && other)) return 'it needs two agents'
  if (/\{(agent|mailbox)\}/i.test(template) && !agent) return 'no agent is known; name one with --agent'
  const { handle = '', mailbox = '' } = agent ?? {}
  if (template.includes('{AGENT}') && !/[a-z]/i.test(handle)) return 'the handle has no letters'
  const values: Readonly<Record<string, string | undefined>> = {
    ...{ agent: handle, mailbox, AGENT: swapCase(handle), MAILBOX: swapCase(mailbox) },
    ...{ other: other?.handle, 'other.mailbox': other?.mailbox },
    ...{ nobody: nonexistent.handle, 'nobody.mailbox': nonexistent.mailbox },
    ...{ 'no.thread': nonexistent.thread, 'no.event': nonexistent.event },
  }
  const fill = (text: string): string => text.replace(/\{(.+?)\}/g, (_, name: string) => values[name] ?? '')
  const [path = '', query] = template.split('?')
  const fields = query?.split('&').map((field) => field.split('=').map(fill))
  return get(`/api/v1/${path.replace(/\{.+?\}/g, (name) => encodeURIComponent(fill(name)))}`, fields)
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/** Returns a probe of a gap by a request like a template. */
function ask(gap: GapId | undefined, template: string, more: Partial<ProbeRequest> = {}): Probe {
  return {
    gap,
    request(known) {
      const request = filled(template, known)
      return typeof request === 'string' ? request : { ...request, ...more }
    },
  }
}

/** Returns a probe that is sent even when the gap is settled. */
function always(gap: GapId, template: string): Probe {
  return { ...ask(gap, template), always: true }
}

/** The first probes, which show what the mailbox contains. */
export const firstProbes: readonly Probe[] = [
  ask(undefined, 'mail/messages?limit=100'),
  ask(undefined, 'webhooks'),
]

/** The probes that only read, in order. */
export const readProbes: readonly Probe[] = [
  ask(undefined, 'mail/threads?agent={agent}&limit=100'),
  always('threads.unscoped', 'mail/threads'),
  ask(undefined, 'mail/threads?agent={other}&limit=100'),
  ask('auth.missing-status', 'mail/messages?limit=1', { key: 'none' }),
  ask('auth.webhooks', 'webhooks', { key: 'none' }),
  ask('auth.keys', 'mail/messages?limit=1', { key: 'made-up' }),
  ask('errors.unknown-operation', 'calibration-of-nothing'),
  always('errors.not-found-code', 'identities/{nobody}'),
  ask('path.trailing-slash', 'webhooks/'),
  ask('query.unknown-parameters', 'mail/messages?limit=1&calibration=1'),
  ask('query.repeated-parameter', 'mail/messages?limit=1&limit=2'),
  ask('identities.handle-case', 'identities/{AGENT}'),
  ask('identities.handle-format', 'identities/no%20such%20agent'),
  ask('format.cors', 'mail/messages?limit=1', { headers: { origin: 'https://calibration.invalid' } }),
  always('threads.limit-out-of-range', 'mail/threads?agent={agent}&limit=0'),
  always('threads.limit-out-of-range', 'mail/threads?agent={agent}&limit=abc'),
  always('threads.limit-out-of-range', 'mail/threads?agent={agent}&limit=101'),
  always('threads.offset-out-of-range', 'mail/threads?agent={agent}&limit=2&offset=-1'),
  always('threads.offset-out-of-range', 'mail/threads?agent={agent}&limit=2&offset=abc'),
  ask('threads.unknown-agent', 'mail/threads?agent={nobody}&limit=2'),
  always('threads.unknown-agent', 'mail/threads?mailbox={nobody.mailbox}&limit=2'),
  ask('threads.agent-at-prefix', 'mail/threads?agent=@{agent}&limit=2'),
  ask('threads.mailbox-case', 'mail/threads?mailbox={MAILBOX}&limit=2'),
  ask('threads.agent-and-mailbox', 'mail/threads?agent={agent}&mailbox={other.mailbox}&limit=100'),
  ask('threads.agent-and-mailbox', 'mail/threads?agent={other}&mailbox={mailbox}&limit=100'),
  ask('threads.agent-and-mailbox', 'mail/threads?agent={agent}&mailbox={nobody.mailbox}&limit=2'),
  ask('threads.agent-and-mailbox', 'mail/threads?agent={nobody}&mailbox={mailbox}&limit=2'),
  ask('threads.total', 'mail/threads?agent={agent}&limit=1'),
  always('messages.limit-out-of-range', 'mail/messages?limit=0'),
  always('messages.limit-out-of-range', 'mail/messages?limit=abc'),
  always('messages.limit-out-of-range', 'mail/messages?limit=101'),
  always('messages.limit-maximum', 'mail/messages?limit=501'),
  ask('messages.limit-maximum', 'mail/messages?limit=101'),
  ask('messages.unknown-thread', 'mail/messages?thread_id={no.thread}&limit=2'),
  ask('messages.offset', 'mail/messages?limit=2&offset=1'),
  ask('messages.total', 'mail/messages?agent={agent}&limit=1'),
  ask('messages.total', 'mail/messages?agent={other}&limit=1'),
  { gap: 'messages.order', request: wholeThread },
  ...Object.values(filterNames).map(([, event]) => {
    return ask('webhooks.filter-names', `webhooks?${event}={no.event}`)
  }),
  { gap: 'webhooks.agent-filter-unscoped', request: filteredWebhooks },
  { gap: 'messages.attachment-url', request: storedFile },
  ...[0, 1, 2].map((turn) => ({ gap: undefined, when: lacksContent, request: moreMessages(turn) })),
  { gap: 'messages.attachment-url', request: storedFile },
  { gap: 'messages.order', request: wholeThread },
  { gap: 'threads.snippet', request: wholeThread },
  ask('errors.validation-status', 'identities/%ZZ'),
]

/** The gaps that only some messages show. */
const shownByContent: readonly GapId[] = [
  'messages.outbound-direction',
  'messages.empty-body',
  'messages.attachment-entry',
  'threads.snippet',
]

function lacksContent({ candidates, misfits }: Known): boolean {
  return shownByContent.some((gap) => candidates[gap].length > 1 && !misfits.has(gap))
}

/** Returns a request for a page of messages not seen yet. */
function moreMessages(turn: number): Probe['request'] {
  return ({ agent, other, candidates, view }) => {
    const [maximum, ...others] = candidates['messages.limit-maximum']
    const limit = others.length === 0 && maximum !== '100' ? '500' : '100'
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
 * Returns a request for the messages of a thread that listing does not change: one that is marked as read and
 * whose newest message is inbound, since a thread with a reply may only appear to be read.
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
  if (!thread)
    return 'no thread with several messages is marked as read and has an inbound message as its newest'
  return get(messagesPath, { thread_id: thread['id'] as string, limit: '100' })
}

function filteredWebhooks({ agent, candidates, view }: Known): ProbeRequest | string {
  const [names, ...others] = candidates['webhooks.filter-names']
  const [name] = filterNames[names as keyof typeof filterNames] ?? []
  if (others.length > 0 || name === undefined || !view.webhooks)
    return 'the names of the filters are not known'
  return get(webhooksPath, { [name]: agent?.handle ?? nonexistent.handle })
}

/** Returns a request for a stored file without the key. */
function storedFile({ view }: Known): ProbeRequest | string {
  for (const message of view.messages.values()) {
    const entries = message['attachments']
    for (const entry of Array.isArray(entries) ? entries : []) {
      const { url: whole, download_url } = (asFields(entry) ?? {}) as Record<string, unknown>
      const url = whole ?? download_url
      if (typeof url === 'string' && /^https?:/.test(url)) return { method: 'GET', target: url, key: 'none' }
    }
  }
  return 'no message with an attachment was seen'
}
