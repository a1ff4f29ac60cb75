import type { Exchange } from '../service/world/exchange.js'
import { curlOf, searchOf } from './curl.js'

/**
 * Returns the shell command that repeats a request; its key is a variable, because keys are not recorded. `origin` is where
 * the service is.
 */
export function curlOfExchange(exchange: Exchange, origin: string): string {
  const { method, path, query, status, fault, request } = exchange
  const { authorization, 'content-type': type } = request.headers
  // A key that was refused stays as it is masked, so that it is refused again.
  const isRefused = [401, 403].includes(status) && fault === null
  return curlOf({
    method,
    url: `${origin}${path}${searchOf(query)}`,
    headers: {
      ...(authorization !== undefined && {
        Authorization: isRefused ? authorization : authorization.replace(/\*+$/, '$MAILBOX_API_KEY'),
      }),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    data: request.body,
  })
}

/** Returns the expectation of a scenario that such a request is made; undefined if it matches no operation. */
export function expectationOfExchange({
  operation,
  path,
  query,
  status,
  request,
}: Exchange): string | undefined {
  if (operation === null) return undefined
  const parameters = plainFields(query)
  const body = plainFields(parsed(request.body))
  const where = {
    path,
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
    ...(Object.keys(body).length > 0 && { body }),
    status,
  }
  return [
    'expect:',
    `  - request: ${operation}`,
    '    where:',
    ...Object.entries(where).map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`),
    '',
  ].join('\n')
}

/** Returns the fields of an object whose values are not objects or lists. */
function plainFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field !== 'object'))
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
