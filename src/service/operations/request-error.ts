import { fileSystem } from '../../base/file-system.js'
import { packageRoot } from '../../base/package.js'
import { isError } from '../../base/platform.js'
import { truncate } from '../../base/text.js'
import type { ExtensionOperation } from '../../contract/extensions.js'
import { statusTexts } from '../../contract/statuses.js'
import type { Settle } from '../assumptions/settle.js'
import { jsonReply, type Reply } from './reply.js'

/** The reason why a request is refused; its status and body are settled when the response is created. */
type RequestErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'invalid-request'
  | 'method-not-allowed'
  | 'unknown-operation'
  | 'unsupported-media-type'
  | 'content-too-large'
  | 'rate-limited'
  | 'world-full'
  | 'disturbed'

/** The maximum length of a message, since a quoted request may have any length. */
const messageLimit = 300

/**
 * Thrown to respond with an error; the world stays unchanged. It does not extend `Error`: a client's mistake
 * needs no stack trace, and settling a gap may create one only for comparison.
 */
export class RequestError {
  readonly kind: RequestErrorKind
  readonly message: string
  /** What was not found, e.g. `agent`. */
  readonly subject: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The status that a fault sets; every other kind has its own. */
  readonly status: number | undefined

  constructor(
    kind: RequestErrorKind,
    message: string,
    more: { subject?: string; headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    this.kind = kind
    this.message = message
    this.subject = more.subject
    this.headers = more.headers ?? {}
    this.status = more.status
  }
}

/** Refuses a request whose parameters or body are invalid. */
export function reject(message: string): never {
  throw new RequestError('invalid-request', message)
}

/** Refuses a request for something that does not exist; `remedy` ends the sentence, e.g. `; did you mean "x"?`. */
export function notFound(subject: string, name: string, remedy = '.'): never {
  throw new RequestError('not-found', `There is no ${subject} "${name}"${remedy}`, { subject })
}

interface ErrorFacts {
  readonly status: number
  readonly title: string
  readonly code: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Creates the response to a refused request; settles every silent point of errors. @see interface 7 */
export function errorReply(error: RequestError, settle: Settle): Reply {
  const { status, title, code, headers } = errorFacts(error, settle)
  const message = truncate(error.message, messageLimit)
  const shape = settle(
    'errors.body',
    {
      'error-object': () => ({ name: 'error-object', showsCode: true }) as const,
      flat: () => ({ name: 'flat', showsCode: true }) as const,
      problem: () => ({ name: 'problem', showsCode: false }) as const,
      detail: () => ({ name: 'detail', showsCode: false }) as const,
      message: () => ({ name: 'message', showsCode: false }) as const,
    },
    'certain',
  )
  const shown = shape.showsCode && error.subject ? notFoundCode(error.subject, settle) : code
  const body = {
    'error-object': { error: { code: shown, message } },
    flat: { code: shown, message },
    problem: { type: 'about:blank', title, status, detail: message },
    detail: { detail: message },
    message: { message },
  }[shape.name]
  const type = shape.name === 'problem' ? { 'content-type': 'application/problem+json' } : {}
  return jsonReply(status, body, { ...type, ...headers })
}

/** Returns the status of a refusal, and what depends on it. */
function errorFacts({ kind, headers, status }: RequestError, settle: Settle): ErrorFacts {
  switch (kind) {
    case 'unauthorized': {
      const challenge = { 'www-authenticate': 'Bearer' }
      const branches = { 401: () => factsOfStatus(401, challenge), 403: () => factsOfStatus(403) }
      return settle('auth.missing-status', branches, 'certain')
    }
    case 'forbidden':
      return factsOfStatus(403)
    case 'not-found':
      return factsOfStatus(404)
    case 'invalid-request': {
      const code = 'invalid_request'
      const branches = {
        400: () => ({ ...factsOfStatus(400), code }),
        422: () => ({ ...factsOfStatus(422), code }),
      }
      return settle('errors.validation-status', branches, 'certain')
    }
    case 'method-not-allowed': {
      const branches = { 405: () => factsOfStatus(405, headers), 404: () => factsOfStatus(404) }
      return settle('errors.method-not-allowed', branches, 'certain')
    }
    case 'unknown-operation': {
      const branches = { 404: () => factsOfStatus(404), 501: () => factsOfStatus(501) }
      return settle('errors.unknown-operation', branches, 'certain')
    }
    case 'unsupported-media-type':
      return factsOfStatus(415)
    case 'content-too-large':
      return factsOfStatus(413)
    case 'rate-limited':
      return { ...factsOfStatus(429, headers), code: 'rate_limited' }
    case 'world-full':
      return { ...factsOfStatus(507), code: 'world_full' }
    case 'disturbed':
      return factsOfStatus(status ?? 500)
  }
}

/** Returns the title of a status and the code derived from it. @see RFC 9110 section 15 */
function factsOfStatus(status: number, headers: ErrorFacts['headers'] = {}): ErrorFacts {
  const title = statusTexts[status] ?? (status < 500 ? 'Bad Request' : 'Internal Server Error')
  return { status, title, code: title.toLowerCase().replaceAll(' ', '_'), headers }
}

/** Returns the code of an error for something that was not found. */
function notFoundCode(subject: string, settle: Settle): string {
  const branches = { generic: () => 'not_found', specific: () => `${subject}_not_found` }
  return settle('errors.not-found-code', branches, 'certain')
}

/** The error of a failed extension operation; the response is a 500. */
export class ExtensionFailure extends Error {
  override readonly name = 'ExtensionFailure'

  constructor({ id }: ExtensionOperation, cause: unknown) {
    const place = placeOf(cause)
    const what = isError(cause) ? `${cause.name}: ${cause.message}` : String(cause)
    super(`The extension's operation ${id} failed${place === undefined ? '' : ` at ${place}`}: ${what}`, {
      cause,
    })
  }
}

/** Returns where in a user's file an error was thrown, `file:line:column`; undefined if its stack trace names none. */
function placeOf(error: unknown): string | undefined {
  const stack = isError(error) ? (error.stack ?? '') : ''
  const own = fileSystem() ? ['src/', 'dist/'].map((path) => pathOf(new URL(path, packageRoot()).href)) : []
  for (const frame of stack.split('\n')) {
    const place = /^ +at (?:.*\()?(.+:\d+:\d+)\)?$/.exec(frame)?.[1]
    if (place === undefined || /^node:|node_modules\/(?!agent-mailbox-sim\/extensions)/.test(place)) continue
    const path = pathOf(place)
    if (!own.some((folder) => path.startsWith(folder))) return shown(path)
  }
  return undefined
}

/** Returns a path, relative to the working directory if it is below that. */
function shown(path: string): string {
  const folder = globalThis.process?.cwd?.()
  return folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

function pathOf(url: string): string {
  return url.replace(/^file:\/\//, '')
}
