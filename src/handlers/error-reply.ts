import type { Settle } from '../world/index.js'
import type { Refusal } from './refusal.js'
import { jsonReply, type Reply } from './reply.js'

interface ErrorFacts {
  readonly status: number
  readonly title: string
  readonly code: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer to a refused request: every silent point of errors is settled here. @see interface 7 */
export function errorReply(refusal: Refusal, settle: Settle): Reply {
  const { status, title, code, headers } = factsOf(refusal, settle)
  const { message } = refusal
  const shape = settle(
    'errors.body',
    {
      'error-object': () => ({ name: 'error-object', showsCode: true }) as const,
      flat: () => ({ name: 'flat', showsCode: true }) as const,
      problem: () => ({ name: 'problem', showsCode: false }) as const,
      detail: () => ({ name: 'detail', showsCode: false }) as const,
      message: () => ({ name: 'message', showsCode: false }) as const,
    },
    'shown',
  )
  const shown = shape.showsCode && refusal.subject ? notFoundCode(refusal.subject, settle) : code
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

function factsOf(refusal: Refusal, settle: Settle): ErrorFacts {
  switch (refusal.kind) {
    case 'unauthorized':
      return settle(
        'auth.missing-status',
        {
          401: () => ({ ...unauthorized, headers: { 'www-authenticate': 'Bearer' } }),
          403: () => forbidden,
        },
        'shown',
      )
    case 'forbidden':
      return forbidden
    case 'not-found':
      return notFound
    case 'invalid-request':
      return settle(
        'errors.validation-status',
        {
          400: () => ({ status: 400, title: 'Bad Request', code: 'invalid_request' }),
          422: () => ({ status: 422, title: 'Unprocessable Content', code: 'invalid_request' }),
        },
        'shown',
      )
    case 'method-not-allowed':
      return settle(
        'errors.method-not-allowed',
        {
          405: () => ({ ...methodNotAllowed, headers: refusal.headers }),
          404: () => notFound,
        },
        'shown',
      )
    case 'unknown-operation':
      return settle(
        'errors.unknown-operation',
        {
          404: () => notFound,
          501: () => ({ status: 501, title: 'Not Implemented', code: 'not_implemented' }),
        },
        'shown',
      )
    case 'unsupported-media-type':
      return { status: 415, title: 'Unsupported Media Type', code: 'unsupported_media_type' }
    case 'content-too-large':
      return { status: 413, title: 'Content Too Large', code: 'content_too_large' }
    case 'rate-limited':
      return { ...rateLimited, headers: refusal.headers }
    case 'disturbed':
      return disturbed(refusal.status ?? 500)
  }
}

/** What a status that only faults give is called. @see RFC 9110 section 15 */
function disturbed(status: number): ErrorFacts {
  const title = titles[status] ?? (status < 500 ? 'Bad Request' : 'Internal Server Error')
  return { status, title, code: title.toLowerCase().replaceAll(' ', '_') }
}

const titles: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const unauthorized: ErrorFacts = { status: 401, title: 'Unauthorized', code: 'unauthorized' }
const forbidden: ErrorFacts = { status: 403, title: 'Forbidden', code: 'forbidden' }
const notFound: ErrorFacts = { status: 404, title: 'Not Found', code: 'not_found' }
const methodNotAllowed = { status: 405, title: 'Method Not Allowed', code: 'method_not_allowed' }
const rateLimited = { status: 429, title: 'Too Many Requests', code: 'rate_limited' }

function notFoundCode(subject: string, settle: Settle): string {
  return settle(
    'errors.not-found-code',
    {
      generic: () => 'not_found',
      specific: () => `${subject}_not_found`,
    },
    'shown',
  )
}
