import { limits } from '../contract/operations.js'
import type { Choose } from './elimination.js'
import type { ProbeRequest } from './exchange.js'
import { type MailboxView, madeUp, type Scope } from './mailbox-view.js'

/** What the service does with a request under some readings. */
export type Prediction =
  | { readonly is: 'refused'; readonly why: Refusal; readonly subject?: string }
  | { readonly is: 'identity'; readonly handle: string }
  | ({ readonly is: 'page'; readonly list: 'threads' | 'messages'; readonly scope: Scope } & Page)
  | { readonly is: 'webhooks'; readonly agent?: AgentFilter; readonly event?: string }
  | { readonly is: 'list'; readonly list: string }
  | { readonly is: 'file' }
  | Updated
  /** Nothing can be said. */
  | { readonly is: 'anything' }

/** An identity that was updated, or an update that sets nothing. */
export interface Updated {
  readonly is: 'updated'
  readonly handle: string
  /** What its fields are then. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Whether `updated_at` moves on where nothing was set; undefined where something was. */
  readonly isTouched: boolean | undefined
}

/** Why a request is refused. */
export type Refusal =
  | 'unauthorized'
  | 'invalid'
  | 'not-found'
  | 'unknown-operation'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'too-large'

interface Page {
  readonly offset: number
  readonly limit: number
}

/** A filter of webhooks by agent; without a handle, by one that nobody has. */
interface AgentFilter {
  readonly handle: string | undefined
  /** Whether webhooks without an agent match as well. */
  readonly withUnscoped: boolean
}

const refused = (why: Refusal, subject?: string): Prediction => ({
  is: 'refused',
  why,
  ...(subject === undefined ? {} : { subject }),
})

/** A refusal on the way of a request. */
class Refused {
  readonly prediction: Prediction

  constructor(why: Refusal, subject?: string) {
    this.prediction = refused(why, subject)
  }
}

/** What is asked, and what may be known to answer it. */
interface Asked {
  readonly request: ProbeRequest
  readonly query: URLSearchParams
  readonly view: MailboxView
  readonly choose: Choose
}

/**
 * Predicts what the service does with a GET under the readings chosen. It follows the order in which the simulator's
 * own operations check a request.
 * @see interface 4
 */
export function predict(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  try {
    return route(request, view, choose)
  } catch (error) {
    if (error instanceof Refused) return error.prediction
    throw error
  }
}

function route(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  if (!request.target.startsWith('/api/')) return storedFile(request, choose)
  const { pathname, searchParams: query } = new URL(`http://service.invalid${request.target}`)
  const asked: Asked = { request, query, view, choose }
  const path = pathname.replace(/\/$/, '')
  const operation = operationAt(path)
  if (path !== pathname && operation && choose('path.trailing-slash') === 'not-found') {
    return refused('unknown-operation')
  }
  if (!operation) return refused('unknown-operation')
  if (request.method === 'OPTIONS') return refused('method-not-allowed')
  if (request.method === 'PATCH') return update(asked, decodeLast(path))
  return operation(asked, decodeLast(path))
}

function operationAt(path: string): ((asked: Asked, path: string) => Prediction) | undefined {
  if (path === '/api/v1/mail/threads') return threads
  if (path === '/api/v1/mail/messages') return messages
  if (path === '/api/v1/webhooks') return webhooks
  return /^\/api\/v1\/identities\/[^/]+$/.test(path) ? identity : undefined
}

/** The last part of a path as it was meant; undefined where it is no valid percent-encoding. */
function decodeLast(path: string): string {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  } catch {
    return malformed
  }
}

const malformed = '%'

function authenticate({ request, choose }: Asked, listOf?: string): Prediction | undefined {
  if (request.key === 'none') return refused('unauthorized')
  if (request.key === 'own') return undefined
  if (choose('auth.keys') === 'listed-keys') return refused('unauthorized')
  return listOf === undefined ? { is: 'anything' } : { is: 'list', list: listOf }
}

function identity(asked: Asked, handle: string): Prediction {
  const { choose } = asked
  const refusal = authenticate(asked)
  if (refusal) return refusal
  allow(asked, [])
  if (handle === malformed) return refused('invalid')
  const name = handle.replace(/^@/, '')
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    return choose('identities.handle-format') === 'rejected'
      ? refused('invalid')
      : refused('not-found', 'agent')
  }
  const found = agentNamed(asked, name)
  if (found === 'unclear') return { is: 'anything' }
  return found === undefined ? refused('not-found', 'agent') : { is: 'identity', handle: found }
}

/** Bytes of a body above which its size may matter. */
const smallBody = 102_400

function update(asked: Asked, name: string): Prediction {
  const { choose, request } = asked
  const { body = '', headers = {} } = request
  if (name.startsWith('@')) {
    const reading = choose('identities.patch-at-handle')
    if (reading === 'not-found') return refused('not-found', 'agent')
    if (reading === 'rejected') return refused('invalid')
  }
  const handle = agentNamed(asked, name.replace(/^@/, ''))
  if (handle === undefined || handle === unclear) return { is: 'anything' }
  if (body.length > smallBody && choose('limits.body-size') === '100kb') return refused('too-large')
  if (body !== '' && headers['content-type'] !== 'application/json') {
    const reading = choose('identities.patch-content-type')
    if (reading === 'rejected') return refused('invalid')
    if (reading === 'unsupported-media-type') return refused('unsupported-media-type')
  }
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(body === '' ? {} : (JSON.parse(body) as object))) {
    if (!isEditable(field)) {
      if (choose('identities.patch-unknown-fields') === 'rejected') return refused('invalid')
    } else if (value === null) {
      const reading = choose('identities.patch-null')
      if (reading === 'rejected') return refused('invalid')
      fields[field] = reading === 'null' ? null : ''
    } else fields[field] = value
  }
  if (Object.keys(fields).length > 0) return { is: 'updated', handle, fields, isTouched: undefined }
  const reading = choose('identities.patch-empty-body')
  return reading === 'rejected'
    ? refused('invalid')
    : { is: 'updated', handle, fields, isTouched: reading === 'touched' }
}

/** Whether an update may set a field of an identity. @see interface 4.2 */
export function isEditable(field: string): boolean {
  return field === 'display_name' || field === 'description'
}

function threads(asked: Asked): Prediction {
  const { choose } = asked
  const refusal = authenticate(asked, 'threads')
  if (refusal) return refusal
  allow(asked, ['agent', 'mailbox', 'limit', 'offset'])
  const { minimum, maximum, default: usual } = limits['threads.list'].limit
  const limit = integer(asked, 'limit', { minimum, maximum, usual }, (nearest) => {
    return choiceOfLimit(choose('threads.limit-out-of-range'), nearest, usual)
  })
  const offset = integer(asked, 'offset', { minimum: 0, maximum: Infinity, usual: 0 }, (nearest) => {
    if (choose('threads.offset-out-of-range') === 'rejected') throw new Refused('invalid')
    return nearest
  })
  const agent = text(asked, 'agent')
  const mailbox = text(asked, 'mailbox')
  const unknown = (subject: string): readonly string[] => {
    if (choose('threads.unknown-agent') === 'not-found') throw new Refused('not-found', subject)
    return []
  }
  const ofAgent =
    agent === undefined ? undefined : (handlesOf(filteredAgent(asked, agent)) ?? unknown('agent'))
  const named = mailbox === undefined ? undefined : mailboxNamed(asked, mailbox)
  const ofMailbox = mailbox === undefined ? undefined : (handlesOf(named) ?? unknown('mailbox'))
  if (ofAgent?.includes(unclear) || ofMailbox?.includes(unclear)) return { is: 'anything' }
  const page = (scope: Scope): Prediction => ({ is: 'page', list: 'threads', scope, offset, limit })
  if (ofAgent && ofMailbox) return page(scopeOf(joined(choose, ofAgent, ofMailbox)))
  const handles = ofAgent ?? ofMailbox
  if (handles) return page(scopeOf(handles))
  const unscoped = choose('threads.unscoped')
  if (unscoped === 'rejected') return refused('invalid')
  return page({ of: unscoped === 'empty' ? 'none' : 'all' })
}

function joined(choose: Choose, agents: readonly string[], mailboxes: readonly string[]): readonly string[] {
  switch (choose('threads.agent-and-mailbox')) {
    case 'both':
      return agents.filter((handle) => mailboxes.includes(handle))
    case 'either':
      return [...new Set([...agents, ...mailboxes])]
    case 'agent-wins':
      return agents
    case 'mailbox-wins':
      return mailboxes
    default:
      throw new Refused('invalid')
  }
}

function messages(asked: Asked): Prediction {
  const { choose, view, query } = asked
  const refusal = authenticate(asked, 'messages')
  if (refusal) return refusal
  allow(asked, ['thread_id', 'agent', 'limit', 'offset'])
  const usual = limits['messages.list'].limit.default
  const given = text(asked, 'limit')
  const asksForMany = given !== undefined && /^\d+$/.test(given) && Number(given) > 100
  const most = asksForMany ? choose('messages.limit-maximum') : '100'
  const maximum = most === 'none' ? Infinity : Number(most)
  const limit = integer(asked, 'limit', { minimum: 1, maximum, usual }, (nearest) => {
    return choiceOfLimit(choose('messages.limit-out-of-range'), nearest, usual)
  })
  let offset = 0
  if (query.has('offset')) {
    const wanted = integer(asked, 'offset', { minimum: 0, maximum: Infinity, usual: 0 }, () => Number.NaN)
    const reading = choose('messages.offset')
    if (reading === 'rejected' || (reading === 'honoured' && Number.isNaN(wanted))) return refused('invalid')
    if (reading === 'honoured') offset = wanted
  }
  const page = (scope: Scope): Prediction => ({ is: 'page', list: 'messages', scope, offset, limit })
  const unknown = (subject: string): Prediction => {
    return choose('messages.unknown-thread') === 'not-found'
      ? refused('not-found', subject)
      : page({ of: 'none' })
  }
  const thread = text(asked, 'thread_id')
  const agent = text(asked, 'agent')
  if (thread === madeUp.thread) return unknown('thread')
  if (thread !== undefined && !view.threads.has(thread)) return { is: 'anything' }
  if (thread !== undefined)
    return agent === undefined ? page({ of: 'thread', id: thread }) : { is: 'anything' }
  if (agent === undefined) return page({ of: 'all' })
  const handles = handlesOf(filteredAgent(asked, agent))
  if (!handles) return unknown('agent')
  return handles.includes(unclear) ? { is: 'anything' } : page(scopeOf(handles))
}

/** The names of the filters of webhooks for an agent and an event type, by reading. */
export const filterNames: Readonly<Record<string, readonly [string, string]>> = {
  'agent+event': ['agent', 'event'],
  'agent_handle+event_type': ['agent_handle', 'event_type'],
  'handle+type': ['handle', 'type'],
}

function webhooks(asked: Asked): Prediction {
  const { request, query, choose } = asked
  if (request.key === 'none') {
    return choose('auth.webhooks') === 'required' ? refused('unauthorized') : { is: 'list', list: 'webhooks' }
  }
  const refusal = authenticate(asked, 'webhooks')
  if (refusal) return refusal
  if (query.size === 0) return { is: 'webhooks' }
  const [agentName, eventName] = filterNames[choose('webhooks.filter-names')] as readonly [string, string]
  allow(asked, [agentName, eventName])
  const agent = text(asked, agentName)
  const event = text(asked, eventName)
  const only = event === undefined ? {} : { event }
  if (agent === undefined) return { is: 'webhooks', ...only }
  const found = filteredAgent(asked, agent)
  if (found === 'unclear') return { is: 'anything' }
  const withUnscoped = choose('webhooks.agent-filter-unscoped') === 'included'
  return { is: 'webhooks', agent: { handle: found, withUnscoped }, ...only }
}

function storedFile({ key }: ProbeRequest, choose: Choose): Prediction {
  if (key === 'own') return { is: 'file' }
  return choose('messages.attachment-url') === 'open' ? { is: 'file' } : refused('unauthorized')
}

function choiceOfLimit(reading: string, nearest: number, usual: number): number {
  if (reading === 'rejected') throw new Refused('invalid')
  return reading === 'clamped' ? nearest : usual
}

/** The value of a parameter. @throws Refused */
function text({ query, choose }: Asked, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length < 2) return values[0]
  const reading = choose('query.repeated-parameter')
  if (reading === 'rejected') throw new Refused('invalid')
  return reading === 'first' ? values[0] : values.at(-1)
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
  readonly usual: number
}

function integer(
  asked: Asked,
  name: string,
  { minimum, maximum, usual }: Bounds,
  outside: (nearest: number) => number,
): number {
  const given = text(asked, name)
  if (given === undefined) return usual
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  return outside(Number.isNaN(value) ? usual : Math.min(Math.max(value, minimum), maximum))
}

function allow({ query, choose }: Asked, names: readonly string[]): void {
  const others = [...query.keys()].filter((name) => !names.includes(name))
  if (others.length > 0 && choose('query.unknown-parameters') === 'rejected') throw new Refused('invalid')
}

type Found = string | 'unclear' | undefined

/** Stands for an agent of whom it is not known whether there is one. */
const unclear = 'unclear'

/** The handle of the agent of that name; undefined where there is none. */
function agentNamed({ view, choose }: Asked, name: string): Found {
  if (view.agents.has(name)) return name
  const folded = [...view.agents.keys()].find((handle) => handle.toLowerCase() === name.toLowerCase())
  if (folded !== undefined) return choose('identities.handle-case') === 'exact' ? undefined : folded
  return name.toLowerCase() === madeUp.handle.toLowerCase() ? undefined : unclear
}

function filteredAgent(asked: Asked, name: string): Found {
  if (!name.startsWith('@')) return agentNamed(asked, name)
  return asked.choose('threads.agent-at-prefix') === 'no-match' ? undefined : agentNamed(asked, name.slice(1))
}

function mailboxNamed({ view, choose }: Asked, address: string): Found {
  const agents = [...view.agents.values()]
  const exact = agents.find(({ mailbox }) => mailbox === address)
  if (exact) return exact.handle
  const folded = agents.find(({ mailbox }) => mailbox.toLowerCase() === address.toLowerCase())
  if (folded) return choose('threads.mailbox-case') === 'exact' ? undefined : folded.handle
  return address === madeUp.mailbox ? undefined : unclear
}

function handlesOf(found: Found): readonly string[] | undefined {
  return found === undefined ? undefined : [found]
}

function scopeOf(handles: readonly string[]): Scope {
  return handles.length === 0 ? { of: 'none' } : { of: 'agents', handles }
}
