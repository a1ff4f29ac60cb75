import type { Exchange } from '../service/world/exchange.js'
import { curlOf, searchOf } from './curl.js'

/** The header of a key in a test. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the test.
const bearer = '`Bearer ${mailbox.apiKey}`'

/** The scenario that a test starts if it names none. */
const defaultScenario = 'support-desk'

/**
 * Returns the shell command that repeats a request; its key is a variable, because keys are not recorded. `origin` is where
 * the service is.
 */
export function curlOfExchange(exchange: Exchange, origin: string): string {
  const { method, path, query, request } = exchange
  const { authorization, 'content-type': type } = request.headers
  return curlOf({
    method,
    url: `${origin}${path}${searchOf(query)}`,
    headers: {
      ...(authorization !== undefined && {
        Authorization: isRefused(exchange)
          ? authorization
          : authorization.replace(/\*+$/, '$MAILBOX_API_KEY'),
      }),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    data: request.body,
  })
}

/** Returns whether the key was refused: it then stays as it is masked, so that it is refused again. */
function isRefused({ status, fault }: Exchange): boolean {
  return [401, 403].includes(status) && fault === null
}

/**
 * Returns a test that makes a request and checks the response, with the fault that disturbed it, if any. `assumptions` are
 * those in force that are not the default ones.
 */
export function testOfExchange(
  exchange: Exchange,
  scenario: string,
  assumptions: Readonly<Record<string, string>>,
): string {
  const { method, path, query, status, operation, request, reliances, fault } = exchange
  const isDefault = scenario === defaultScenario
  const { authorization, 'content-type': type } = request.headers
  const headers = [
    ...(authorization === undefined
      ? []
      : [`authorization: ${isRefused(exchange) ? quoted(authorization) : bearer}`]),
    ...(type === undefined ? [] : [`'content-type': ${quoted(type)}`]),
  ]
  const init = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(request.body === null ? [] : [`body: ${quoted(request.body)}`]),
  ]
  const rule = fault && JSON.stringify({ ...fault, id: undefined })
  const url = `\`$\{mailbox.baseUrl}${(path + searchOf(query)).replace(/[`\\]|\$(?=\{)/g, '\\$&')}\``
  const match = matchOf(exchange)
  return [
    `import { expect, ${isDefault ? 'test' : 'mailboxTest'} } from 'agent-mailbox-sim/vitest'`,
    '',
    ...(isDefault ? [] : [`const test = mailboxTest({ scenario: ${quoted(scenario)} })`, '']),
    `test(${quoted(`${method} ${path}`)}, async ({ mailbox }) => {`,
    ...(Object.keys(assumptions).length === 0
      ? []
      : [`  mailbox.assumptions.set(${JSON.stringify(assumptions)})`]),
    ...(rule ? [`  mailbox.faults.add(${rule})`] : []),
    '  // Call your client here instead.',
    `  const response = await fetch(${url}, {`,
    ...init.map((line) => `    ${line},`),
    '  })',
    ...(status === 0 ? [] : [`  expect(response.status).toBe(${status})`]),
    ...(operation === null
      ? []
      : [`  expect(mailbox).toHaveRequested(${quoted(operation)}, ${JSON.stringify(match)})`]),
    ...(operation === null || fault
      ? []
      : [`  expect(mailbox).toHaveReliedOnlyOn(${JSON.stringify(reliances.map(({ gap }) => gap))})`]),
    '})',
    '',
  ].join('\n')
}

/** Returns the expectation of a scenario that such a request is made; undefined if it matches no operation. */
export function expectationOfExchange(exchange: Exchange): string | undefined {
  if (exchange.operation === null) return undefined
  const where = Object.entries(matchOf(exchange))
  return [
    'expect:',
    `  - request: ${exchange.operation}`,
    '    where:',
    ...where.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`),
    '',
  ].join('\n')
}

/** Returns what tells a request from others: its path, its parameters, the plain fields of its body, and the status. */
function matchOf({ path, query, status, request }: Exchange): Readonly<Record<string, unknown>> {
  const parameters = plainFields(query)
  const body = plainFields(parsed(request.body))
  return {
    path,
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
    ...(Object.keys(body).length > 0 && { body }),
    status,
  }
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

/** Quotes text as TypeScript does: in single quotes. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}
