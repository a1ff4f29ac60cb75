import { operations } from '../contract/operations.js'
import { nearestName, truncate } from '../contract/text.js'
import { performOperation } from './operation.js'
import type { Reply } from './reply.js'
import type { RequestContext } from './request.js'
import { RequestError } from './request-error.js'
import type { Route, Routes } from './routes.js'

interface Documented {
  readonly method: string
  readonly path: string
}

const documented: readonly Documented[] = Object.values(operations)

interface Miss {
  readonly operation: Documented
  /** The segments that must be changed, added or removed; a fraction for each that fills a parameter. */
  readonly distance: number
}

/** The most segments by which a path outside /api/v1 may differ from that of an operation to count as a typo. */
const typoDistance = 2

/**
 * Explains why a request below /api/v1 matches no operation: it names the operation that was probably meant if it looks
 * like a typo, and otherwise says how to add an undocumented one. Null for other paths.
 */
export function nearMiss(method: string, path: string, further: readonly Documented[] = []): string | null {
  if (!isBelowApi(path)) return null
  const meant = [...documented, ...further].find(
    (operation) => operation.method === method && isTypoOf(path, operation.path),
  )
  if (!meant) return explainUndocumented(method, path)
  return `${method} ${path}: ${explain({ operation: meant, distance: segmentsBetween(path, meant.path) }, path)}`
}

/** Returns whether a path looks like a mistyped path of an operation: a few letters differ, or `mail` is missing. */
function isTypoOf(path: string, pattern: string): boolean {
  const segments = path.replace(/\/$/, '').split('/')
  const names = pattern.split('/')
  if (segments.length === names.length - 1) return segments.join('/') === pattern.replace('/mail/', '/')
  if (segments.length !== names.length) return false
  return names.every((name, place) => {
    const segment = segments[place] as string
    if (name.startsWith('{')) return segment !== ''
    return segment === name || nearestName(segment.slice(0, 40), [name]) !== undefined
  })
}

/** Explains which operation a request outside /api/v1 was probably meant for; null if none comes close. */
export function likelyMeant(method: string, path: string): string | null {
  if (isBelowApi(path)) return null
  const miss = nearestTo(method, path)
  if (miss.distance >= typoDistance + 1 || !hasNameOf(miss.operation, path)) return null
  return `${method} ${path}: ${explain(miss, path)}`
}

/** Returns whether a path, below any prefix, looks like that of an operation: `/v2/api/v1/mail/threads` does. */
export function looksDocumented(path: string): boolean {
  const start = path.indexOf('/api/v1/')
  if (start < 0) return likelyMeant('GET', path) !== null
  const { operation, distance } = nearestTo('GET', path.slice(start))
  return distance < typoDistance && hasNameOf(operation, path)
}

/** Returns whether a path contains the last name in an operation's path, such as `threads`. */
function hasNameOf(operation: Documented, path: string): boolean {
  const name = operation.path.split('/').findLast((segment) => !segment.startsWith('{')) as string
  return path.split('/').includes(name)
}

/** Returns whether a path is one of the service's. */
export function isBelowApi(path: string): boolean {
  return /^\/api\/v1(\/|$)/.test(path)
}

function nearestTo(method: string, path: string): Miss {
  const misses = documented.map((operation): Miss => {
    const otherMethod = method === operation.method ? 0 : 0.5
    return { operation, distance: segmentsBetween(path, operation.path) + otherMethod }
  })
  return misses.toSorted((a, b) => a.distance - b.distance)[0] as Miss
}

function explain({ operation, distance }: Miss, path: string): string {
  const segments = Math.floor(distance)
  if (segments === 0) {
    const atPath = documented.filter((other) => other.path === operation.path)
    return `no such method; the path belongs to ${atPath.map(({ method }) => method).join(' and ')} ${operation.path}`
  }
  const name = `${operation.method} ${operation.path}`
  const slash =
    segments === 1 &&
    path.endsWith('/') &&
    Math.floor(segmentsBetween(path.slice(0, -1), operation.path)) === 0
  if (slash) return `no such path; ${name} has no slash at its end`
  return `no such path; ${name} differs in ${segments === 1 ? 'one segment' : `${segments} segments`}`
}

/** Returns the cost of changing one segment into another. A parameter matches any segment, but less exactly. */
function costOfChange(segment: string, name: string): number {
  if (segment === name) return 0
  return name.startsWith('{') && segment !== '' ? 0.1 : 1
}

/** Returns the edit distance of two paths: the segments to change, add or remove. */
function segmentsBetween(path: string, documented: string): number {
  const segments = path.split('/').slice(1)
  const names = documented.split('/').slice(1)
  let row = names.map((_, index) => index).concat(names.length)
  for (const [i, segment] of segments.entries()) {
    const next = [i + 1]
    for (const [j, other] of names.entries()) {
      const change = (row[j] as number) + costOfChange(segment, other)
      next.push(Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

/** A purpose of requests, and what the control API and the library offer for it. */
interface Purpose {
  readonly method: RegExp
  /** The path after `/api/v1/`, without `mail/`. */
  readonly path: RegExp
  readonly control: string
  readonly library: string
}

/** The most common purposes of clients of mailbox services, the more specific first. */
const purposes: readonly Purpose[] = [
  purpose(
    'POST|PUT|PATCH',
    'threads/[^/]+/(mark-)?unread',
    'POST /_sim/threads/{id}/unread',
    'threads.markUnread',
  ),
  purpose(
    'POST|PUT|PATCH',
    'threads/[^/]+(/(mark-)?read)?',
    'POST /_sim/threads/{id}/read',
    'threads.markRead',
  ),
  purpose('GET', 'threads/[^/]+', 'GET /_sim/threads/{id}', 'threads.get'),
  purpose('GET', 'messages/[^/]+(/.*)?', 'GET /_sim/messages/{id}/raw', 'mail.get'),
  purpose('POST', '(.*/)?(messages|send|reply|forward|drafts)(/.*)?', 'POST /_sim/messages', 'mail.send'),
  purpose('GET', 'attachments/[^/]+', 'GET /_sim/attachments/{id}', 'mailbox.attachment'),
  purpose('GET', '(identities|agents|mailboxes|inboxes)', 'GET /_sim/identities', 'identities.list'),
  purpose(
    'POST|PUT',
    '(identities|agents|mailboxes|inboxes)(/.*)?',
    'POST /_sim/identities',
    'identities.create',
  ),
  purpose('DELETE', '(identities|agents)/[^/]+', 'DELETE /_sim/identities/{handle}', 'identities.delete'),
  purpose('GET', '(webhooks|subscriptions)/[^/]+', 'GET /_sim/webhooks', 'webhooks.list'),
  purpose('POST|PUT|PATCH', '(webhooks|subscriptions)(/.*)?', 'POST /_sim/webhooks', 'webhooks.create'),
  purpose('DELETE', '(webhooks|subscriptions)/[^/]+', 'DELETE /_sim/webhooks/{id}', 'webhooks.delete'),
]

function purpose(method: string, path: string, control: string, library: string): Purpose {
  return { method: new RegExp(`^(${method})$`), path: new RegExp(`^(mail/)?(${path})/?$`), control, library }
}

/** The operations of the extension `common`, listed here so that it need not be loaded; a test compares them. */
const inCommon = new RegExp(
  `^(${[
    'GET mail/(threads|messages)/[^/]+',
    'PATCH mail/threads/[^/]+',
    'POST mail/threads/[^/]+/(read|unread)',
    'POST mail/messages(/[^/]+/reply)?',
    '(GET|POST) identities',
    'DELETE identities/[^/]+',
    'POST webhooks',
    '(GET|PATCH|DELETE) webhooks/[^/]+',
    'GET whoami',
  ].join('|')})$`,
)

/** The most characters of a path in an explanation, which needs room for the advice. */
const pathLimit = 60

/** Explains that the interface does not show a request, what the control API offers instead, and how to add it. */
function explainUndocumented(method: string, path: string): string {
  const shown = truncate(path, pathLimit)
  const rest = path.replace(/^\/api\/v1\/?/, '')
  const offered = purposes.find((one) => one.method.test(method) && one.path.test(rest))
  const instead = offered ? ` The simulator has ${offered.control} (sim.${offered.library}) for it.` : ''
  const shipped = inCommon.test(`${method} ${rest}`) ? '--extend common, or ' : ''
  return (
    `The interface does not show ${method} ${shown}.${instead} To add it: ${shipped}your own extension ` +
    '(docs/extensions.md).'
  )
}

/** Answers a request below /api/v1 that matches no operation. @throws RequestError */
export async function answerUnmatched(context: RequestContext, routes: Routes): Promise<Reply> {
  const { request, url, settle } = context
  // Read only for the journal.
  await context.body.bytes().catch(() => undefined)
  const atPath = routes.at(url.path)
  if (atPath.length > 0) return answerOtherMethod(context, atPath)
  const withoutSlash = url.path.replace(/\/$/, '')
  const same = withoutSlash === url.path ? [] : routes.at(withoutSlash)
  if (same.length > 0) {
    const routed = settle('path.trailing-slash', { 'not-found': () => [], same: () => same })
    const route = routed.find(({ operation }) => operation.method === request.method)
    if (route) return performOperation(route.operation, route.params, context)
    if (routed.length > 0) return answerOtherMethod(context, routed)
  }
  throw new RequestError(
    'unknown-operation',
    `${nearMiss(request.method, url.path, routes.extensionOperations)}`.replace(/\.?$/, '.'),
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
