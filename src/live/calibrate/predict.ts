import { createChoosingSettle } from '../../service/assumptions/settle.js'
import { getIdentity } from '../../service/operations/get-identity.js'
import { settleHandleFormat } from '../../service/operations/identity-lookup.js'
import { settleContentType, smallerMaximum } from '../../service/operations/json-body.js'
import { listMessages, pageOfMessages, settleUnknown } from '../../service/operations/list-messages.js'
import {
  listThreads,
  pageOfThreads,
  scopeOfBoth,
  scopeOfUnknown,
} from '../../service/operations/list-threads.js'
import { filterNamesIn, listWebhooks } from '../../service/operations/list-webhooks.js'
import { type Operation, Query, type QueryContext } from '../../service/operations/operation.js'
import { notFound, RequestError, type RequestErrorKind } from '../../service/operations/request-error.js'
import { changesOf, isTouched, settleAtHandle } from '../../service/operations/update-identity.js'
import type { Choose } from './elimination.js'
import type { ProbeRequest } from './exchange.js'
import { type MailboxView, nonexistent, type Scope } from './mailbox-view.js'
import {
  anything,
  type Prediction,
  predictedFile,
  predictedIdentity,
  predictedList,
  predictedPage,
  predictedRefusal,
  predictedUpdate,
  predictedWebhooks,
} from './predictions.js'

/** Thrown to end a prediction early, other than by a refusal. */
class Predicted {
  readonly prediction: Prediction

  constructor(prediction: Prediction) {
    this.prediction = prediction
  }
}

/** Refuses a request as an operation does; messages are not predicted. */
function refuse(why: RequestErrorKind): never {
  throw new RequestError(why, '')
}

/** A request, and the data for predicting its response. */
interface PredictionContext extends QueryContext {
  readonly request: ProbeRequest
  readonly view: MailboxView
  readonly choose: Choose
}

/**
 * Predicts what the service does with a request under the chosen assumptions. The simulator's own operations
 * validate its parameters; look-ups in a world are replaced by look-ups in what the service has returned so
 * far.
 * @see interface 4
 */
export function predict(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  try {
    return route(request, view, choose)
  } catch (error) {
    if (error instanceof Predicted) return error.prediction
    if (error instanceof RequestError) return predictedRefusal(error)
    throw error
  }
}

function route(request: ProbeRequest, view: MailboxView, choose: Choose): Prediction {
  const { target, key, method } = request
  if (!target.startsWith('/api/')) {
    return key === 'own' || choose('messages.attachment-url') === 'open'
      ? predictedFile
      : refuse('unauthorized')
  }
  const { pathname, search } = new URL(`http://service.invalid${target}`)
  const path = pathname.replace(/\/$/, '')
  const operation = operationAt(path)
  if (!operation || (path !== pathname && choose('path.trailing-slash') === 'not-found')) {
    return refuse('unknown-operation')
  }
  if (method === 'OPTIONS') return refuse('method-not-allowed')
  const settle = createChoosingSettle(choose)
  const context = { request, query: new Query(search, settle), view, choose, settle }
  return (method === 'PATCH' ? update : operation)(context, path)
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
    return refuse('invalid-request')
  }
}

/** Continues only with the user's key; for other keys only the name of a list is predicted. */
function authenticate({ request: { key }, choose }: PredictionContext, list?: string): void {
  if (key === 'own') return
  if (key === 'none' || choose('auth.keys') === 'listed-keys') refuse('unauthorized')
  throw new Predicted(list === undefined ? anything : predictedList(list))
}

/** Refuses parameters that an operation does not know, under some assumptions. */
function allowQuery({ query, settle }: PredictionContext, operation: Operation): void {
  query.allow(operation.queryNames(query, settle))
}

function identity(context: PredictionContext, path: string): Prediction {
  authenticate(context)
  allowQuery(context, getIdentity)
  const name = handleIn(path).replace(/^@/, '')
  settleHandleFormat(context, name)
  const handle = agentNamed(context, name)
  return handle === undefined ? notFound('agent', name) : predictedIdentity(handle)
}

function update(context: PredictionContext, path: string): Prediction {
  const { choose, request } = context
  const { body = '', headers = {} } = request
  const name = handleIn(path)
  if (name.startsWith('@')) settleAtHandle(context, name)
  const handle = agentNamed(context, name.replace(/^@/, ''))
  if (handle === undefined) return anything
  if (body.length > smallerMaximum && choose('limits.body-size') === '100kb') refuse('content-too-large')
  if (body !== '' && headers['content-type'] !== 'application/json') settleContentType(context)
  const changes = changesOf(context, body === '' ? {} : JSON.parse(body))
  const isEmpty = Object.keys(changes).length === 0
  return predictedUpdate(handle, changes, isEmpty ? isTouched(context) : undefined)
}

function threads(context: PredictionContext): Prediction {
  const { query, settle, choose } = context
  authenticate(context, 'threads')
  allowQuery(context, listThreads)
  const bounds = pageOfThreads(context)
  const agent = query.text('agent')
  const mailbox = query.text('mailbox')
  const scopeOf = (handle: string | undefined, filter: 'agent' | 'mailbox'): readonly string[] => {
    return handle === undefined ? scopeOfUnknown(context, filter, '') : [handle]
  }
  const ofAgent = agent === undefined ? undefined : scopeOf(filteredAgent(context, agent), 'agent')
  const ofMailbox = mailbox === undefined ? undefined : scopeOf(mailboxNamed(context, mailbox), 'mailbox')
  const page = (scope: Scope): Prediction => predictedPage({ list: 'threads', scope, ...bounds })
  const both = ofAgent && ofMailbox && scopeOfBoth(settle, ofAgent, ofMailbox)
  const owners = both ?? ofAgent ?? ofMailbox
  if (owners) return page(owners.length === 0 ? { of: 'none' } : { of: 'agents', handles: owners })
  const unscoped = choose('threads.unscoped')
  return unscoped === 'rejected'
    ? refuse('invalid-request')
    : page({ of: unscoped === 'empty' ? 'none' : 'all' })
}

function messages(context: PredictionContext): Prediction {
  const { view, query } = context
  authenticate(context, 'messages')
  allowQuery(context, listMessages)
  const bounds = pageOfMessages(context)
  const page = (scope: Scope): Prediction => predictedPage({ list: 'messages', scope, ...bounds })
  const unknown = (filter: 'agent' | 'thread'): Prediction => {
    settleUnknown(context, filter, '')
    return page({ of: 'none' })
  }
  const thread = query.text('thread_id')
  const agent = query.text('agent')
  if (thread === nonexistent.thread) return unknown('thread')
  if (thread !== undefined) {
    return view.threads.has(thread) && agent === undefined ? page({ of: 'thread', id: thread }) : anything
  }
  if (agent === undefined) return page({ of: 'all' })
  const handle = filteredAgent(context, agent)
  return handle === undefined ? unknown('agent') : page({ of: 'agents', handles: [handle] })
}

function webhooks(context: PredictionContext): Prediction {
  const { request, query, settle, choose } = context
  if (request.key === 'none') {
    return choose('auth.webhooks') === 'required' ? refuse('unauthorized') : predictedList('webhooks')
  }
  authenticate(context, 'webhooks')
  allowQuery(context, listWebhooks)
  if (query.isEmpty) return predictedWebhooks()
  const [agent, event] = filterNamesIn(settle).map((name) => query.text(name))
  if (agent === undefined) return predictedWebhooks(event)
  const handle = filteredAgent(context, agent)
  const withUnscoped = choose('webhooks.agent-filter-unscoped') === 'included'
  return predictedWebhooks(event, { handle, withUnscoped })
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
