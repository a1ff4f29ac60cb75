import type { RequestContext } from './evaluate.js'
import type { ExtensionRoutes } from './extensions/routes.js'
import { performOperation } from './operation.js'
import type { Reply } from './reply.js'
import { RequestError } from './request-error.js'
import { type Route, routesAt } from './routes.js'
import { explainUndocumented, nearMiss } from './undocumented.js'

/** Answers what lies below /api/v1 and is no documented operation. @throws RequestError */
export async function answerUnmatched(context: RequestContext, further?: ExtensionRoutes): Promise<Reply> {
  const routesAnywhere = (path: string) => [...routesAt(path), ...(further?.at(path) ?? [])]
  const { request, url, settle } = context
  // For the journal; nothing else is done with it.
  await context.body.bytes().catch(() => undefined)
  const routes = routesAnywhere(url.path)
  if (routes.length > 0) return answerOtherMethod(context, routes)
  const withoutSlash = url.path.replace(/\/$/, '')
  const same = withoutSlash === url.path ? [] : routesAnywhere(withoutSlash)
  if (same.length > 0) {
    const routed = settle('path.trailing-slash', { 'not-found': () => [], same: () => same })
    const route = routed.find(({ operation }) => operation.method === request.method)
    if (route) return performOperation(route.operation, route.params, context)
    if (routed.length > 0) return answerOtherMethod(context, routed)
  }
  throw new RequestError(
    'unknown-operation',
    `${nearMiss(request.method, url.path, further?.list)}`.replace(/\.?$/, '.'),
  )
}

function answerOtherMethod({ request, url, settle }: RequestContext, routes: readonly Route[]): Reply {
  const allow = routes.map(({ operation }) => operation.method).join(', ')
  if (request.method === 'OPTIONS' && request.headers.has('origin')) {
    const preflight = settle('format.cors', {
      none: () => undefined,
      permissive: () => preflightReply(`${allow}, OPTIONS`),
    })
    if (preflight) return preflight
  }
  const message = explainUndocumented(request.method, url.path)
  throw new RequestError('method-not-allowed', message, { headers: { allow } })
}

function preflightReply(methods: string): Reply {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'authorization, content-type',
  }
  return { status: 204, headers, body: null }
}
