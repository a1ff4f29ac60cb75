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
  /** Segments that must be changed, added or left out; a little more where a parameter takes one. */
  readonly distance: number
}

/** How many segments a path outside /api/v1 may be from one of an operation to be taken for a slip of the pen. */
const slip = 2

/**
 * Says why a request below /api/v1 was no operation: the operation that was most likely meant, where it looks like a
 * typo, and otherwise that the interface does not show it, with what to do. Null elsewhere.
 */
export function nearMiss(method: string, path: string, further: readonly Documented[] = []): string | null {
  if (!isBelowApi(path)) return null
  const meant = [...documented, ...further].find(
    (operation) => operation.method === method && isTypoOf(path, operation.path),
  )
  if (!meant) return explainUndocumented(method, path)
  return `${method} ${path}: ${explain({ operation: meant, distance: segmentsBetween(path, meant.path) }, path)}`
}

/** Whether a path is most likely one of an operation's, mistyped: a few letters are wrong, or `mail` was forgotten. */
function isTypoOf(path: string, wanted: string): boolean {
  const given = path.replace(/\/$/, '').split('/')
  const names = wanted.split('/')
  if (given.length === names.length - 1) return given.join('/') === wanted.replace('/mail/', '/')
  if (given.length !== names.length) return false
  return names.every((name, place) => {
    const segment = given[place] as string
    if (name.startsWith('{')) return segment !== ''
    return segment === name || nearestName(segment.slice(0, 40), [name]) !== undefined
  })
}

/** What a request outside /api/v1 was most likely meant for; null where that is none of the operations. */
export function likelyMeant(method: string, path: string): string | null {
  if (isBelowApi(path)) return null
  const miss = nearestTo(method, path)
  if (miss.distance >= slip + 1 || !hasNameOf(miss.operation, path)) return null
  return `${method} ${path}: ${explain(miss, path)}`
}

/** Whether a path, wherever it is rooted, looks like that of an operation: `/v2/api/v1/mail/threads` does. */
export function looksDocumented(path: string): boolean {
  const start = path.indexOf('/api/v1/')
  if (start < 0) return likelyMeant('GET', path) !== null
  const { operation, distance } = nearestTo('GET', path.slice(start))
  return distance < slip && hasNameOf(operation, path)
}

/** Whether the last name in an operation's path, such as `threads`, is in another path. */
function hasNameOf(operation: Documented, path: string): boolean {
  const name = operation.path.split('/').findLast((segment) => !segment.startsWith('{')) as string
  return path.split('/').includes(name)
}

function isBelowApi(path: string): boolean {
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
    const taken = documented.filter((other) => other.path === operation.path)
    return `no such method; the path is that of ${taken.map(({ method }) => method).join(' and ')} ${operation.path}`
  }
  const name = `${operation.method} ${operation.path}`
  const slash =
    segments === 1 &&
    path.endsWith('/') &&
    Math.floor(segmentsBetween(path.slice(0, -1), operation.path)) === 0
  if (slash) return `no such path; ${name} has no slash at its end`
  return `no such path; ${name} differs in ${segments === 1 ? 'one segment' : `${segments} segments`}`
}

/** What it takes to make one segment the other; a parameter takes anything, but is less of a likeness. */
function costOfChange(segment: string, wanted: string): number {
  if (segment === wanted) return 0
  return wanted.startsWith('{') && segment !== '' ? 0.1 : 1
}

/** How many segments must be changed, added or left out to make one path the other. */
function segmentsBetween(path: string, documented: string): number {
  const given = path.split('/').slice(1)
  const wanted = documented.split('/').slice(1)
  let row = wanted.map((_, index) => index).concat(wanted.length)
  for (const [i, segment] of given.entries()) {
    const next = [i + 1]
    for (const [j, other] of wanted.entries()) {
      const change = (row[j] as number) + costOfChange(segment, other)
      next.push(Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

/** What the control API and the library offer for the purpose of a request. */
interface Purpose {
  readonly method: RegExp
  /** What follows `/api/v1/`, without `mail/`. */
  readonly path: RegExp
  readonly control: string
  readonly library: string
}

/** The purposes that clients of mailbox services have most, the more special first. */
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

/** What the extension `common` has, which is not loaded to say so; a test compares. */
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

/** Characters of a path that an explanation shows: it must have room for what to do. */
const longestPath = 60

/** Says that the interface does not show a request, what the control API has for its purpose, and how to add it. */
function explainUndocumented(method: string, path: string): string {
  const shown = truncate(path, longestPath)
  const rest = path.replace(/^\/api\/v1\/?/, '')
  const offered = purposes.find((one) => one.method.test(method) && one.path.test(rest))
  const instead = offered ? ` The simulator has ${offered.control} (sim.${offered.library}) for it.` : ''
  const shipped = inCommon.test(`${method} ${rest}`) ? '--extend common, or ' : ''
  return (
    `The interface does not show ${method} ${shown}.${instead} To add it: ${shipped}an extension of your own ` +
    '(docs/extensions.md).'
  )
}

/** Answers what lies below /api/v1 and is no documented operation. @throws RequestError */
export async function answerUnmatched(context: RequestContext, all: Routes): Promise<Reply> {
  const { request, url, settle } = context
  // For the journal; nothing else is done with it.
  await context.body.bytes().catch(() => undefined)
  const routes = all.at(url.path)
  if (routes.length > 0) return answerOtherMethod(context, routes)
  const withoutSlash = url.path.replace(/\/$/, '')
  const same = withoutSlash === url.path ? [] : all.at(withoutSlash)
  if (same.length > 0) {
    const routed = settle('path.trailing-slash', { 'not-found': () => [], same: () => same })
    const route = routed.find(({ operation }) => operation.method === request.method)
    if (route) return performOperation(route.operation, route.params, context)
    if (routed.length > 0) return answerOtherMethod(context, routed)
  }
  throw new RequestError(
    'unknown-operation',
    `${nearMiss(request.method, url.path, all.further)}`.replace(/\.?$/, '.'),
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
