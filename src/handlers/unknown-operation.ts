import { type OperationName, operations } from '../contract/operations.js'
import { nearMiss } from './near-miss.js'
import { performOperation } from './operation.js'
import { Refusal } from './refusal.js'
import type { Reply } from './reply.js'
import { type Route, routesAt } from './routing.js'
import type { Visit } from './visit.js'

/** Answers what lies below /api/v1 and is no documented operation. @throws Refusal */
export function answerUnknown(visit: Visit): Reply | Promise<Reply> {
  const { request, target, settle } = visit
  const routes = routesAt(target.path)
  if (routes.length > 0) return answerOtherMethod(visit, routes)
  const withoutSlash = target.path.replace(/\/$/, '')
  const same = withoutSlash === target.path ? [] : routesAt(withoutSlash)
  if (same.length > 0) {
    const routed = settle('path.trailing-slash', { 'not-found': () => [], same: () => same })
    const route = routed.find(({ operation }) => operations[operation].method === request.method)
    if (route) return performOperation(route.operation, route.handle, visit)
    if (routed.length > 0) return answerOtherMethod(visit, routed)
  }
  throw new Refusal('unknown-operation', `${nearMiss(request.method, target.path)}.`)
}

function answerOtherMethod({ request, target, settle }: Visit, routes: readonly Route[]): Reply {
  const allow = methodsOf(routes.map(({ operation }) => operation))
  if (request.method === 'OPTIONS' && request.headers.has('origin')) {
    const preflight = settle('format.cors', {
      none: () => undefined,
      permissive: () => preflightReply(`${allow}, OPTIONS`),
    })
    if (preflight) return preflight
  }
  throw new Refusal('method-not-allowed', `${target.path} takes ${allow}, not ${request.method}.`, {
    headers: { allow },
  })
}

function preflightReply(methods: string): Reply {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'authorization, content-type',
  }
  return { status: 204, headers, content: null }
}

/** The methods documented for some operations, for `Allow`. */
function methodsOf(names: readonly OperationName[]): string {
  return names.map((name) => operations[name].method).join(', ')
}
