import { shellQuoted } from '../base/text.js'
import type { Exchange } from '../service/world/exchange.js'

/**
 * Returns the shell command that repeats a request; its key is a variable, because keys are not recorded. `origin` is where
 * the service is, or a variable.
 */
export function curlOfExchange(exchange: Exchange, origin: string): string {
  const { method, path, query, status, fault, request } = exchange
  const { authorization, 'content-type': type } = request.headers
  // A key that was refused stays as it is masked, so that it is refused again.
  const isRefused = [401, 403].includes(status) && fault === null
  const key = isRefused ? authorization : authorization?.replace(/\*+$/, '$MAILBOX_API_KEY')
  return [
    `curl ${method === 'HEAD' ? '--head' : `-X ${method}`} ${withVariables(`${origin}${path}${searchOf(query)}`)}`,
    ...(key === undefined ? [] : [`-H ${withVariables(`Authorization: ${key}`)}`]),
    ...(type === undefined ? [] : [`-H ${withVariables(`Content-Type: ${type}`)}`]),
    ...(request.body === null ? [] : [`--data-raw ${shellQuoted(request.body)}`]),
  ].join(' \\\n  ')
}

/** Quotes a word of a shell command, except the variables of the mailbox in it. */
function withVariables(word: string): string {
  return shellQuoted(word).replace(/\$MAILBOX_(API_KEY|BASE_URL)/g, `'"$&"'`)
}

/** Formats the query of an address, with its question mark; '' if it is empty. */
export function searchOf(query: Readonly<Record<string, string | readonly string[]>>): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
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
