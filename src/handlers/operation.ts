import { type OperationName, operations } from '../contract/operations.js'
import type { Call, OperationFunction } from './call.js'
import { authenticate } from './credentials.js'
import { getIdentity } from './get-identity.js'
import { listMessages } from './list-messages.js'
import { listThreads } from './list-threads.js'
import { listWebhooks, webhookFilterNames } from './list-webhooks.js'
import { Query } from './query.js'
import { Refusal } from './refusal.js'
import type { Reply } from './reply.js'
import { updateIdentity } from './update-identity.js'
import type { Visit } from './visit.js'

const functions: { readonly [Name in OperationName]: OperationFunction } = {
  'identities.get': getIdentity,
  'identities.update': updateIdentity,
  'threads.list': listThreads,
  'messages.list': listMessages,
  'webhooks.list': listWebhooks,
}

/** The query parameters of each operation; whether messages have an `offset` is a gap of its own. */
const documentedNames: { readonly [Name in OperationName]: readonly string[] } = {
  'identities.get': documented('identities.get'),
  'identities.update': documented('identities.update'),
  'threads.list': documented('threads.list'),
  'messages.list': [...documented('messages.list'), 'offset'],
  'webhooks.list': [],
}

function documented(name: OperationName): string[] {
  return Object.keys(operations[name].query)
}

/** Lets a request into an operation: who asks, how often, and with which parameters. @throws Refusal */
export function performOperation(name: OperationName, handle: string, visit: Visit): Reply | Promise<Reply> {
  visit.noteOperation(name)
  const { target, key, caller, settle } = visit
  const organization = authenticate(name, key, caller, settle)
  if (!visit.rehearsal) checkRate(visit)
  const query = new Query(target.search, settle)
  query.allow(parameterNames(name, query, settle))
  const { request, body, render, apply, noteBody } = visit
  const { store } = caller.world
  return functions[name]({
    store,
    organization,
    request,
    body,
    handle,
    query,
    settle,
    render,
    apply,
    noteBody,
  })
}

function checkRate({ key = '', caller: { world }, settle }: Visit): void {
  const { count, retryAfter } = world.rate.count(key, world.clock.now())
  if (count <= 60) return
  const allowed = settle('limits.rate', { none: () => true, '60-per-minute': () => false }, 'shown')
  if (allowed) return
  world.rate.uncount(key)
  throw new Refusal('rate-limited', `More than 60 requests in a minute; try again in ${retryAfter} s.`, {
    headers: { 'retry-after': String(retryAfter) },
  })
}

/** The query parameters an operation knows. */
function parameterNames(name: OperationName, query: Query, settle: Call['settle']): readonly string[] {
  if (name === 'webhooks.list') return webhookFilterNames(settle, (parameter) => query.has(parameter))
  return documentedNames[name]
}
