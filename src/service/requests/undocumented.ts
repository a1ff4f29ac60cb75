import { readMore } from '../../base/help.js'
import { nearestName, truncate } from '../../base/text.js'
import { operations } from '../../contract/operations.js'
import type { Settle } from '../assumptions/settle.js'
import { matchPath, performOperation } from '../operations/operation.js'
import type { Reply } from '../operations/reply.js'
import type { RequestContext } from '../operations/request.js'
import { RequestError } from '../operations/request-error.js'
import type { Route, Routes } from './routes.js'

interface Documented {
  readonly method: string
  readonly path: string
}

const documented: readonly Documented[] = Object.values(operations)

const apiPath = '/api/v1/'

/** Returns whether a path is one of the service's, perhaps after a base URL that ends in a slash. */
export function isBelowApi(path: string): boolean {
  return /^\/+api\/v1(?:\/|$)/.test(path)
}

/**
 * Explains why a request below /api/v1 matches no operation: it names the operation that was probably meant if it looks
 * like a mistake, and otherwise says how to add an undocumented one. Null for other paths.
 */
export function nearMiss(
  method: string,
  path: string,
  extensionOperations: readonly Documented[] = [],
): string | null {
  if (!isBelowApi(path)) return null
  const known = [...documented, ...extensionOperations]
  const explained = explainJoining(method, path, known) ?? explainMethod(method, path, known)
  if (explained !== undefined) return explained
  const meant = typoOf(method, path, known)
  return meant ? explainTypo(method, path, meant) : explainUndocumented(method, path)
}

/**
 * Explains a path that differs from that of an operation only in its base URL or its slashes; undefined for
 * any other path.
 */
function explainJoining(method: string, path: string, known: readonly Documented[]): string | undefined {
  const wrong = `${method} ${truncate(path, pathLimit)}: no such path.`
  if (path.startsWith('//')) {
    return `${wrong} Remove the trailing slash from the base URL, which ends before /api/v1.${readMore('wrong-path')}`
  }
  if (/^\/api\/v1\/+api\/v1(\/|$)/.test(path)) {
    return `${wrong} Remove /api/v1 from the base URL, which ends before it.${readMore('wrong-path')}`
  }
  const joined = path.replace(/\/+$/, '').replace(/\/{2,}/g, '/')
  if (joined !== path && known.some((one) => matchPath(one.path, joined))) {
    const which = path.endsWith('/') ? 'trailing slash' : 'second slash'
    return `${wrong} Remove the ${which}: ${method} ${truncate(joined, pathLimit)}.`
  }
  const unfinished = path.endsWith('/') ? known.find((one) => matchPath(one.path, `${path}-`)) : undefined
  const [name] = /\{\w+\}$/.exec(unfinished?.path ?? '') ?? []
  return name && `${wrong} ${name} is empty in ${unfinished?.path}.`
}

/** Explains a method where the interface has another one; undefined if that is not a likely mistake. */
function explainMethod(method: string, path: string, known: readonly Documented[]): string | undefined {
  const shown = truncate(path, pathLimit)
  const wrong = `The interface does not document ${method} ${shown}.`
  if (method === 'OPTIONS') {
    return `${wrong} Browsers send it before a request from another site; --assume format.cors=permissive permits that.`
  }
  const meant = { PUT: 'PATCH', HEAD: 'GET' }[method]
  const isOperation = known.some((one) => one.method === meant && matchPath(one.path, path))
  return isOperation ? `${wrong} Use ${meant}.` : undefined
}

/** Returns the operation whose path differs from a mistyped one in a few letters, or by `mail`. */
function typoOf(method: string, path: string, operations: readonly Documented[]): Documented | undefined {
  const segments = path.slice(apiPath.length).replace(/\/$/, '').split('/')
  const byName = new Map<string, Documented>()
  for (const operation of operations.filter((one) => isBelowApi(one.path))) {
    const names = operation.path.slice(apiPath.length).split('/')
    const isPossible = names.length === segments.length || names.slice(1).join('/') === segments.join('/')
    if (operation.method !== method || !isPossible) continue
    // A parameter may have any value. Joined by dots, since the part before the first dot of a name may be
    // missing.
    byName.set(
      names.map((name, place) => (name.startsWith('{') ? segments[place] : name)).join('.'),
      operation,
    )
  }
  const name = nearestName(segments.join('.'), byName.keys())
  return name === undefined ? undefined : byName.get(name)
}

/** Explains which operation a request outside /api/v1 was probably meant for; null if it ends like none of them. */
export function likelyMeant(method: string, path: string): string | null {
  if (isBelowApi(path)) return null
  const meant = operationAtEnd(method, path)
  return meant ? explainTypo(method, path, meant) : null
}

/** Returns whether a path, below any prefix, looks like that of an operation: `/v2/api/v1/mail/threads` does. */
export function looksDocumented(path: string): boolean {
  return operationAtEnd('GET', path.slice(Math.max(0, path.indexOf(apiPath)))) !== undefined
}

/** Returns the operation whose path after /api/v1 a path ends with, after at most two other segments. */
function operationAtEnd(method: string, path: string): Documented | undefined {
  const atEnd = documented.filter((operation) => {
    const end = operation.path.slice(apiPath.length).replace(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^(/[^/]+){0,2}/${end}$`).test(path)
  })
  return atEnd.find((operation) => operation.method === method) ?? atEnd[0]
}

function explainTypo(method: string, path: string, meant: Documented): string {
  return `${method} ${path}: no such path; did you mean "${meant.method} ${meant.path}"?`
}

/** The operations of the extension `common`, listed here so that it need not be loaded; a test compares them. */
const inCommon = new RegExp(
  `^(${[
    'GET mail/(threads/[^/]+|messages/[^/]+(/raw)?)',
    'PATCH mail/threads/[^/]+',
    'POST mail/threads/[^/]+/(read|unread)',
    'POST mail/messages(/[^/]+/(reply|reply-all|forward))?',
    '(GET|POST) identities',
    'DELETE identities/[^/]+',
    'POST webhooks',
    '(GET|PATCH|DELETE) webhooks/[^/]+',
    'GET whoami',
  ].join('|')})$`,
)

/** The maximum length of a path in an explanation, which needs room for the advice. */
const pathLimit = 60

/** Explains that the interface does not document a request, and how to add it. */
function explainUndocumented(method: string, path: string): string {
  const wrong = `The interface does not document ${method} ${truncate(path, pathLimit)}.`
  // No extension has operations with this method.
  if (method === 'HEAD') return wrong
  const isShipped = inCommon.test(`${method} ${path.replace(/^\/api\/v1\/?/, '')}`)
  const shipped = "--extend common (in a test extend: ['common'], in a scenario file extend: common), or "
  return `${wrong} To add it: ${isShipped ? shipped : ''}your own extension (docs/extensions.md).`
}

/** Returns the operations at a path without the slash at its end, if the assumptions in force ignore that. */
export function routesBesideSlash(path: string, routes: Routes, settle: Settle): readonly Route[] {
  const same = path.endsWith('/') ? routes.at(path.slice(0, -1)) : []
  return same.length === 0 ? [] : settle('path.trailing-slash', { 'not-found': () => [], same: () => same })
}

/** Responds to a request below /api/v1 that matches no operation. @throws RequestError */
export async function answerUnmatched(context: RequestContext, routes: Routes): Promise<Reply> {
  const { request, url, settle } = context
  // Read only for the journal.
  await context.body.bytes().catch(() => undefined)
  const atPath = routes.at(url.path)
  const explain = () => `${nearMiss(request.method, url.path, routes.extensionOperations)}`
  if (atPath.length > 0) return answerOtherMethod(context, methodsOf(atPath), explain)
  const routed = routesBesideSlash(url.path, routes, settle)
  const route = routed.find(({ operation }) => operation.method === request.method)
  if (route) return performOperation(route.operation, route.params, context)
  if (routed.length > 0) return answerOtherMethod(context, methodsOf(routed), explain)
  throw new RequestError('unknown-operation', explain())
}

function methodsOf(routes: readonly Route[]): readonly string[] {
  return routes.map(({ operation }) => operation.method)
}

/** Responds to a request for a path that has only operations with other methods. @throws RequestError */
export function answerOtherMethod(
  { request, settle }: RequestContext,
  methods: readonly string[],
  explain: () => string,
): Reply {
  const allow = methods.join(', ')
  if (request.method === 'OPTIONS' && request.headers.has('origin')) {
    const preflight = settle('format.cors', {
      none: () => undefined,
      permissive: () => preflightReply(`${allow}, OPTIONS`),
    })
    if (preflight) return preflight
  }
  throw new RequestError('method-not-allowed', explain(), { headers: { allow } })
}

function preflightReply(methods: string): Reply {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  }
  return { status: 204, headers, body: null }
}
