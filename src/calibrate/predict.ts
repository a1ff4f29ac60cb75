import { limits } from '../contract/operations.js'
import type { Choose } from './elimination.js'
import type { ProbeRequest } from './exchange.js'
import {
  anything,
  identityOf,
  isEditable,
  listNamed,
  type Prediction,
  pageOf,
  type Refusal,
  refusal,
  storedFile,
  updated,
  webhooksOf,
} from './fits.js'
import { type MailboxView, nonexistent, type Scope } from './mailbox-view.js'

/** Thrown to end a prediction early. */
class Predicted {
  readonly prediction: Prediction

  constructor(prediction: Prediction) {
    this.prediction = prediction
  }
}

function refuse(why: Refusal, subject?: string): never {
  throw new Predicted(refusal(why, subject))
}

/** A request, and the data for predicting its answer. */
interface PredictionContext {
  readonly request: ProbeRequest
  readonly query: URLSearchParams
  readonly view: MailboxView
  readonly choose: Choose
}

/**
 * Predicts what the service does with a GET under the chosen readings. It follows the order in which the simulator's
 * own operations check a request.
 * @see interface 4
 */
export function predict(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  try {
    return route(request, view, choose)
  } catch (error) {
    if (error instanceof Predicted) return error.prediction
    throw error
  }
}

function route(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  const { target, key, method } = request
  if (!target.startsWith('/api/')) {
    return key === 'own' || choose('messages.attachment-url') === 'open' ? storedFile : refuse('unauthorized')
  }
  const { pathname, searchParams: query } = new URL(`http://service.invalid${target}`)
  const path = pathname.replace(/\/$/, '')
  const operation = operationAt(path)
  if (!operation || (path !== pathname && choose('path.trailing-slash') === 'not-found')) {
    return refuse('unknown-operation')
  }
  if (method === 'OPTIONS') return refuse('method-not-allowed')
  return (method === 'PATCH' ? update : operation)({ request, query, view, choose }, path)
}

function operationAt(path: string): ((context: PredictionContext, path: string) => Prediction) | undefined {
  if (path === '/api/v1/mail/threads') return threads
  if (path === '/api/v1/mail/messages') return messages
  if (path === '/api/v1/webhooks') return webhooks
  return /^\/api\/v1\/identities\/[^/]+$/.test(path) ? identity : undefined
}

/** Returns the decoded last segment of a path. */
function handleIn(path: string): string {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  } catch {
    return refuse('invalid')
  }
}

/** Continues only with the user's key; for other keys only the name of a list is predicted. */
function authenticate({ request: { key }, choose }: PredictionContext, list?: string): void {
  if (key === 'own') return
  if (key === 'none' || choose('auth.keys') === 'listed-keys') refuse('unauthorized')
  throw new Predicted(list === undefined ? anything : listNamed(list))
}

function identity(context: PredictionContext, path: string): Prediction {
  authenticate(context)
  allow(context, [])
  const name = handleIn(path).replace(/^@/, '')
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    return context.choose('identities.handle-format') === 'rejected'
      ? refuse('invalid')
      : refuse('not-found', 'agent')
  }
  const handle = agentNamed(context, name)
  return handle === undefined ? refuse('not-found', 'agent') : identityOf(handle)
}

/** The size of a body in bytes above which it may be refused. */
const smallBody = 102_400

function update(context: PredictionContext, path: string): Prediction {
  const { choose, request } = context
  const { body = '', headers = {} } = request
  const name = handleIn(path)
  if (name.startsWith('@')) {
    const reading = choose('identities.patch-at-handle')
    if (reading === 'not-found') refuse('not-found', 'agent')
    if (reading === 'rejected') refuse('invalid')
  }
  const handle = agentNamed(context, name.replace(/^@/, ''))
  if (handle === undefined) return anything
  if (body.length > smallBody && choose('limits.body-size') === '100kb') refuse('too-large')
  if (body !== '' && headers['content-type'] !== 'application/json') {
    const reading = choose('identities.patch-content-type')
    if (reading === 'rejected') refuse('invalid')
    if (reading === 'unsupported-media-type') refuse('unsupported-media-type')
  }
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(body === '' ? {} : (JSON.parse(body) as object))) {
    if (!isEditable(field)) {
      if (choose('identities.patch-unknown-fields') === 'rejected') refuse('invalid')
    } else if (value === null) {
      const reading = choose('identities.patch-null')
      if (reading === 'rejected') refuse('invalid')
      fields[field] = reading === 'null' ? null : ''
    } else fields[field] = value
  }
  if (Object.keys(fields).length > 0) return updated(handle, fields, undefined)
  const reading = choose('identities.patch-empty-body')
  return reading === 'rejected' ? refuse('invalid') : updated(handle, fields, reading === 'touched')
}

function threads(context: PredictionContext): Prediction {
  const { choose } = context
  authenticate(context, 'threads')
  allow(context, ['agent', 'mailbox', 'limit', 'offset'])
  const limit = integer(context, 'limit', limits['threads.list'].limit, (nearest, usual) => {
    return choiceOfLimit(choose('threads.limit-out-of-range'), nearest, usual)
  })
  const offset = integer(context, 'offset', offsets, (nearest) => {
    return choose('threads.offset-out-of-range') === 'rejected' ? refuse('invalid') : nearest
  })
  const agent = text(context, 'agent')
  const mailbox = text(context, 'mailbox')
  const handles = (found: string | undefined, subject: string): readonly string[] => {
    if (found !== undefined) return [found]
    return choose('threads.unknown-agent') === 'not-found' ? refuse('not-found', subject) : []
  }
  const ofAgent = agent === undefined ? undefined : handles(filteredAgent(context, agent), 'agent')
  const ofMailbox = mailbox === undefined ? undefined : handles(mailboxNamed(context, mailbox), 'mailbox')
  const page = (scope: Scope): Prediction => pageOf({ list: 'threads', scope, offset, limit })
  const both = ofAgent && ofMailbox && joined(choose, ofAgent, ofMailbox)
  const owners = both ?? ofAgent ?? ofMailbox
  if (owners) return page(owners.length === 0 ? { of: 'none' } : { of: 'agents', handles: owners })
  const unscoped = choose('threads.unscoped')
  return unscoped === 'rejected' ? refuse('invalid') : page({ of: unscoped === 'empty' ? 'none' : 'all' })
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
      return refuse('invalid')
  }
}

function messages(context: PredictionContext): Prediction {
  const { choose, view, query } = context
  authenticate(context, 'messages')
  allow(context, ['thread_id', 'agent', 'limit', 'offset'])
  const limitText = text(context, 'limit') ?? ''
  const isLarge = /^\d+$/.test(limitText) && Number(limitText) > 100
  const maximum = isLarge ? choose('messages.limit-maximum') : '100'
  const range = {
    minimum: 1,
    maximum: maximum === 'none' ? Infinity : Number(maximum),
    default: limits['messages.list'].limit.default,
  }
  const limit = integer(context, 'limit', range, (nearest, usual) => {
    return choiceOfLimit(choose('messages.limit-out-of-range'), nearest, usual)
  })
  let offset = 0
  if (query.has('offset')) {
    const value = integer(context, 'offset', offsets, () => Number.NaN)
    const reading = choose('messages.offset')
    if (reading === 'rejected' || (reading === 'honoured' && Number.isNaN(value))) refuse('invalid')
    if (reading === 'honoured') offset = value
  }
  const page = (scope: Scope): Prediction => pageOf({ list: 'messages', scope, offset, limit })
  const unknown = (subject: string): Prediction => {
    return choose('messages.unknown-thread') === 'not-found'
      ? refuse('not-found', subject)
      : page({ of: 'none' })
  }
  const thread = text(context, 'thread_id')
  const agent = text(context, 'agent')
  if (thread === nonexistent.thread) return unknown('thread')
  if (thread !== undefined) {
    return view.threads.has(thread) && agent === undefined ? page({ of: 'thread', id: thread }) : anything
  }
  if (agent === undefined) return page({ of: 'all' })
  const handle = filteredAgent(context, agent)
  return handle === undefined ? unknown('agent') : page({ of: 'agents', handles: [handle] })
}

/** The names of the filters of webhooks for an agent and an event type, by reading. */
export const filterNames: Readonly<Record<string, readonly [string, string]>> = {
  'agent+event': ['agent', 'event'],
  'agent_handle+event_type': ['agent_handle', 'event_type'],
  'handle+type': ['handle', 'type'],
}

function webhooks(context: PredictionContext): Prediction {
  const { request, query, choose } = context
  if (request.key === 'none') {
    return choose('auth.webhooks') === 'required' ? refuse('unauthorized') : listNamed('webhooks')
  }
  authenticate(context, 'webhooks')
  if (query.size === 0) return webhooksOf()
  const names = filterNames[choose('webhooks.filter-names')] as readonly [string, string]
  allow(context, names)
  const [agent, event] = names.map((name) => text(context, name))
  if (agent === undefined) return webhooksOf(event)
  const handle = filteredAgent(context, agent)
  const withUnscoped = choose('webhooks.agent-filter-unscoped') === 'included'
  return webhooksOf(event, { handle, withUnscoped })
}

function choiceOfLimit(reading: string, nearest: number, usual: number): number {
  if (reading === 'rejected') refuse('invalid')
  return reading === 'clamped' ? nearest : usual
}

/** Returns the value of a parameter. */
function text({ query, choose }: PredictionContext, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length < 2) return values[0]
  const reading = choose('query.repeated-parameter')
  if (reading === 'rejected') refuse('invalid')
  return reading === 'first' ? values[0] : values.at(-1)
}

interface Range {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

const offsets: Range = { minimum: 0, maximum: Infinity, default: 0 }

/** Returns the value of a numeric parameter; `outside` decides about values out of range. */
function integer(
  context: PredictionContext,
  name: string,
  { minimum, maximum, default: usual }: Range,
  outside: (nearest: number, usual: number) => number,
): number {
  const written = text(context, name)
  if (written === undefined) return usual
  const value = /^-?\d+$/.test(written) ? Number(written) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  return outside(Number.isNaN(value) ? usual : Math.min(Math.max(value, minimum), maximum), usual)
}

function allow({ query, choose }: PredictionContext, names: readonly string[]): void {
  const others = [...query.keys()].filter((name) => !names.includes(name))
  if (others.length > 0 && choose('query.unknown-parameters') === 'rejected') refuse('invalid')
}

/** Returns the handle of the agent with a name; undefined if there is none. */
function agentNamed({ view, choose }: PredictionContext, name: string): string | undefined {
  const handles = [...view.agents.keys()].map((handle) => [handle, handle] as const)
  return agentBy(handles, [name, nonexistent.handle], () => choose('identities.handle-case') === 'exact')
}

function filteredAgent(context: PredictionContext, name: string): string | undefined {
  if (!name.startsWith('@')) return agentNamed(context, name)
  return context.choose('threads.agent-at-prefix') === 'no-match'
    ? undefined
    : agentNamed(context, name.slice(1))
}

/** Returns the handle of the agent with a mailbox; undefined if there is none. */
function mailboxNamed({ view, choose }: PredictionContext, address: string): string | undefined {
  const handles = [...view.agents].map(([handle, { mailbox }]) => [mailbox, handle] as const)
  return agentBy(handles, [address, nonexistent.mailbox], () => choose('threads.mailbox-case') === 'exact')
}

/** Finds an agent by name; predicts nothing for a name that only the service may know. */
function agentBy(
  handles: readonly (readonly [name: string, handle: string])[],
  [searched, unused]: readonly [searched: string, unused: string],
  isExact: () => boolean,
): string | undefined {
  const exact = handles.find(([name]) => name === searched)
  if (exact) return exact[1]
  const folded = handles.find(([name]) => name.toLowerCase() === searched.toLowerCase())
  if (folded) return isExact() ? undefined : folded[1]
  if (searched.toLowerCase() === unused.toLowerCase()) return undefined
  throw new Predicted(anything)
}
