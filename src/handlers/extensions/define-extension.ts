import {
  type Extension,
  ExtensionError,
  type ExtensionGap,
  type ExtensionOperation,
  extensionMethods,
  type ResourceName,
  resourceNames,
} from '../../contract/extensions.js'
import { gaps as documentedGaps } from '../../contract/gaps.js'
import { z } from '../../contract/schema.js'
import { expectedOneOf } from '../../contract/text.js'
import type { PathParameters } from '../operation.js'
import type { ExtensionContext } from './context.js'

/** The method of an operation of an extension. */
type Method = (typeof extensionMethods)[number]

/** The output type of a schema, or a default type if there is no schema. */
type Output<Schema, Default> = Schema extends z.ZodType ? z.output<Schema> : Default

/** An operation as an extension declares it. */
export interface OperationInput<
  Path extends string = string,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
> {
  /** The name that the journal, faults and expectations use, e.g. `threads.get`. */
  readonly id: string
  readonly method: Method
  /** The path, with `{name}` for a path parameter, e.g. `/api/v1/mail/threads/{thread_id}`. */
  readonly path: Path
  /** What it does, in a few words; the id by default. */
  readonly summary?: string
  /** Evidence for its form, such as where it was seen. */
  readonly evidence?: string
  /** The status of the answer when `perform` returns a plain value; by default 200, or 204 for undefined. */
  readonly status?: number
  /** `none`: requests need no bearer key. */
  readonly authentication?: 'none'
  /** Whether it replaces the documented operation with this id, method and path. */
  readonly replace?: boolean
  /** The schema of the path parameters; strings by default. */
  readonly params?: Params
  /** The schema of the query parameters; by default, any parameters are accepted, as strings. */
  readonly query?: Query
  /** The schema of the body, a JSON object; without it, the body is not read. */
  readonly body?: Body
  /** The shape of a successful answer, for the OpenAPI document: a schema, or a resource of the interface. */
  readonly response?: z.ZodType | ResourceName
  /**
   * Answers a request. It returns the answer: a plain value, which is sent as JSON, the result of `reply`, or a
   * `Response`. An error it throws is answered with 500 and logged with its place in the extension's file.
   */
  readonly perform: (
    context: ExtensionContext<
      Output<Params, { readonly [Name in PathParameters<Path>]: string }>,
      Output<Query, Readonly<Record<string, string>>>,
      Output<Body, undefined>
    >,
  ) => unknown
}

/** A point that an extension leaves open, as the extension declares it. */
export interface GapInput<Readings extends Readonly<Record<string, string>>> {
  /** e.g. `messages.send-status`: two words or more, with dots between them. */
  readonly id: string
  /** The open point, as a question. */
  readonly question: string
  /** What the service does under each reading, by the name of the reading; the first is the default. */
  readonly readings: Readings
  /** The reading that is hardest on a client; the last by default. */
  readonly worst?: keyof Readings & string
  /** How a client can be correct under every reading. */
  readonly advice?: string
  /** What is known about real services. */
  readonly evidence?: string
  /** The ids of the operations that it affects. */
  readonly concerns?: readonly string[]
}

/** The functions and schemas for writing an extension. */
export interface ExtensionTools {
  /** Declares an operation. @throws ExtensionError */
  operation<
    const Path extends string,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(input: OperationInput<Path, Params, Query, Body>): ExtensionOperation
  /** Declares a gap, to be passed to `settle` in `perform`. @throws ExtensionError */
  gap<const Readings extends Readonly<Record<string, string>>>(
    input: GapInput<Readings>,
  ): ExtensionGap<keyof Readings & string>
  /** Zod, for schemas. */
  readonly z: typeof z
}

/**
 * Declares operations beyond the documented ones.
 * @throws ExtensionError when a declaration is not valid
 * @example export default defineExtension(({ operation }) => [
 *   operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', perform: ({ organization }) => ({ id: organization.id }) }),
 * ])
 */
export function defineExtension(
  declare: (tools: ExtensionTools) => readonly (ExtensionOperation | ExtensionGap)[],
): Extension {
  if (typeof declare !== 'function') {
    throw malformed('The argument of defineExtension', 'must be a function that returns a list of operations')
  }
  const gaps: ExtensionGap[] = []
  const declared = declare({
    operation: createOperation,
    gap(input) {
      const gap = createGap(input)
      gaps.push(gap)
      return gap
    },
    z,
  })
  if (!Array.isArray(declared)) {
    throw malformed('The function given to defineExtension', 'must return a list of operations')
  }
  const foreign = declared.findIndex((one) => !isOperation(one) && !gaps.includes(one))
  if (foreign !== -1) {
    throw malformed(
      `Entry ${foreign + 1} of the list that the function given to defineExtension returns`,
      'is neither a result of operation(…) nor of gap(…); pass handlers of MSW such as http.get(…) to extend itself',
    )
  }
  const operations = declared.filter(isOperation)
  return { kind: 'agent-mailbox-sim/extension', operations, gaps }
}

function isOperation(declared: ExtensionOperation | ExtensionGap): declared is ExtensionOperation {
  return 'perform' in Object(declared)
}

const namePattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/

const operationKeys = [
  ...['id', 'method', 'path', 'summary', 'evidence', 'status', 'authentication', 'replace'],
  ...['params', 'query', 'body', 'response', 'perform'],
]
const gapKeys = ['id', 'question', 'readings', 'worst', 'concerns', 'advice', 'evidence']

function checkKeys(what: string, input: object, known: readonly string[]): void {
  const unknown = Object.keys(input).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw malformed(what, `has no key "${unknown}"${expectedOneOf(unknown, known)}`)
}

/** Checks a declaration, which may come from a file without type checking. */
function createOperation(declared: object): ExtensionOperation {
  const input = declared as OperationInput<string, z.ZodObject | undefined>
  const { id, method, path, status, perform } = input
  const authentication: ExtensionOperation['authentication'] = input.authentication ?? 'stated'
  const what = `The operation ${JSON.stringify(id)}`
  checkKeys(what, input, operationKeys)
  if (!namePattern.test(String(id))) throw malformed(what, 'needs an id such as "threads.get"')
  if (!extensionMethods.includes(method)) {
    throw malformed(what, `has the method ${JSON.stringify(method)}; expected ${extensionMethods.join(', ')}`)
  }
  if (
    !/^\/(?!_sim(\/|$)|attachments(\/|$))([\w.~@:+-]+|\{\w+\})(\/([\w.~@:+-]+|\{\w+\}))*$/.test(String(path))
  ) {
    throw malformed(
      what,
      `has the path ${JSON.stringify(path)}; expected one such as /api/v1/mail/threads/{thread_id}, not below /_sim`,
    )
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status < 400)) {
    throw malformed(what, `has the status ${status}; expected one from 200 to 399, and reply() for others`)
  }
  if (typeof perform !== 'function') throw malformed(what, 'needs a function perform that returns the answer')
  for (const key of ['params', 'query', 'body', 'response'] as const) checkSchema(what, key, input[key])
  const stray = Object.keys(input.params?.shape ?? {}).find((name) => !path.includes(`{${name}}`))
  if (stray !== undefined) throw malformed(what, `has params with "${stray}", but no {${stray}} in its path`)
  if (!['stated', 'none'].includes(authentication)) {
    throw malformed(
      what,
      `has the authentication ${JSON.stringify(authentication)}; expected "none", or nothing if requests need a key`,
    )
  }
  return {
    ...input,
    id,
    summary: input.summary ?? id,
    authentication,
    replace: input.replace ?? false,
    perform: perform as ExtensionOperation['perform'],
  }
}

/** Checks that a value, and everything in it, is a schema. @throws ExtensionError */
function checkSchema(what: string, key: 'params' | 'query' | 'body' | 'response', schema: unknown): void {
  if (schema === undefined) return
  if (key === 'response' && typeof schema === 'string') {
    if (resourceNames.includes(schema as ResourceName)) return
    throw malformed(
      what,
      `has the response "${schema}"; expected a schema, or one of ${resourceNames.join(', ')}`,
    )
  }
  const needsKeys = key === 'params' || key === 'query'
  const expected = needsKeys ? 'z.object({ limit: z.coerce.number() })' : 'z.object({ text: z.string() })'
  if (!(needsKeys ? schema instanceof z.ZodObject : schema instanceof z.ZodType)) {
    throw malformed(what, `needs a schema made with the z it was given as its ${key}, such as ${expected}`)
  }
  try {
    // These throw errors that name the key without a valid schema, and they run none of the user's functions.
    if (schema instanceof z.ZodObject) schema.safeParse(undefined)
    z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' })
  } catch (error) {
    const { message } = error as Error
    throw malformed(
      what,
      `has an invalid schema as its ${key} (${message}); expected one such as ${expected}`,
    )
  }
}

function createGap<Readings extends Readonly<Record<string, string>>>(
  input: GapInput<Readings>,
): ExtensionGap<keyof Readings & string> {
  type Name = keyof Readings & string
  const { id, question, readings: meanings } = input
  const what = `The gap ${JSON.stringify(id)}`
  checkKeys(what, input, gapKeys)
  if (!namePattern.test(String(id))) throw malformed(what, 'needs an id such as "messages.send-status"')
  if (Object.hasOwn(documentedGaps, id)) throw malformed(what, 'is one of the interface; choose another id')
  const names = Object.keys(Object(meanings)) as Name[]
  const [first, second, ...others] = names.map((name) => ({
    name,
    means: String(meanings[name]),
    example: '',
  }))
  if (!first || !second || names.length > 30) {
    throw malformed(
      what,
      'needs from two to thirty readings: { "created": "Answers 201.", "accepted": "Answers 202." }',
    )
  }
  const invalid = names.find((name) => !/^[a-z\d][\w.-]*$/i.test(name) || name in Object.prototype)
  if (invalid !== undefined)
    throw malformed(what, `has the reading "${invalid}"; expected a name such as "not-found"`)
  const worst = input.worst ?? (names.at(-1) as Name)
  if (!names.includes(worst)) throw malformed(what, `has no reading "${worst}", which it names as the worst`)
  return {
    id,
    question,
    learnedBy: 'none',
    parts: [],
    concerns: input.concerns ?? [],
    readings: [first, second, ...others],
    worst,
    advice: input.advice ?? 'Do not depend on it.',
    evidence: input.evidence ?? 'none',
  }
}

function malformed(what: string, problem: string): ExtensionError {
  return new ExtensionError('malformed', `${what} ${problem}${problem.endsWith('?') ? '' : '.'}`)
}
