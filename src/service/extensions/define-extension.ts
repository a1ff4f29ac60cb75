import { z } from '../../base/schema.js'
import {
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionOperation,
  type extensionMethods,
  type ResourceName,
} from '../../contract/extensions.js'
import { gaps as documentedGaps } from '../../contract/gaps.js'
import type { PathParameters } from '../operations/operation.js'
import type { FieldsContext } from '../rendering/resources.js'
import type { ExtensionContext, ShownResources } from './context.js'
import type { EarlierRequest } from './idempotency.js'

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
  /**
   * The status of the response when `perform` returns a plain value; by default 200, or 204 for undefined.
   */
  readonly status?: number
  /** `none`: requests require no bearer key. */
  readonly authentication?: 'none'
  /** Whether it replaces the documented operation with this id, method and path. */
  readonly replace?: boolean
  /** The schema of the path parameters; strings by default. */
  readonly params?: Params
  /** The schema of the query parameters; by default, any parameters are accepted, as strings. */
  readonly query?: Query
  /** The schema of the body, a JSON object; without it, the body is not read. */
  readonly body?: Body
  /**
   * The gap that decides whether fields that `body` does not have are ignored; without it, they are ignored,
   * with a hint.
   */
  readonly unknownFields?: ExtensionGap<'ignored' | 'rejected'>
  /**
   * The shape of a successful response, for the OpenAPI document: a schema, or a resource of the interface.
   */
  readonly response?: z.ZodType | ResourceName
  /**
   * Decides about a request with the same `Idempotency-Key` as an earlier one of the last 24 hours: `true`
   * returns the earlier response, byte for byte and without an effect; `false` performs the request. Without
   * this function, such keys have no meaning. Only responses to requests that changed something are kept, for
   * an organization and an operation.
   */
  readonly idempotency?: (context: ContextOf<Path, Params, Query, Body>, earlier: EarlierRequest) => boolean
  /**
   * Returns the response to a request: a plain value, which is sent as JSON, the result of `reply`, or a
   * `Response`. An error that it throws becomes a 500, and is logged with its place in the extension's file.
   */
  readonly perform: (context: ContextOf<Path, Params, Query, Body>) => unknown
}

/** The context of an operation with these schemas. */
type ContextOf<Path extends string, Params, Query, Body> = ExtensionContext<
  Output<Params, { readonly [Name in PathParameters<Path>]: string }>,
  Output<Query, Readonly<Record<string, string>>>,
  Output<Body, undefined>
>

/** A point that an extension leaves open, as the extension declares it. */
export interface GapInput<Assumptions extends Readonly<Record<string, string>>> {
  /** e.g. `messages.send-status`: two words or more, with dots between them. */
  readonly id: string
  /** The open point, as a question. */
  readonly question: string
  /** What the service does under each assumption, by the name of the assumption; the first is the default. */
  readonly assumptions: Assumptions
  /** The assumption that is hardest on a client; the last by default. */
  readonly worst?: keyof Assumptions & string
  /** How a client can be correct under every assumption. */
  readonly advice?: string
  /** What is known about real services. */
  readonly evidence?: string
  /** The ids of the operations that it affects; by default all of the extension. */
  readonly concerns?: readonly string[]
}

/** Fields that an extension adds to a resource of the interface, as the extension declares them. */
export interface FieldsInput<Of extends ResourceName> {
  readonly of: Of
  /** The shape of the fields, for the OpenAPI document. */
  readonly schema: z.ZodObject
  /**
   * Returns the fields of a row, by name; called wherever responses and events contain the whole resource.
   */
  readonly add: (context: FieldsContext<ShownResources[Of]['row'], ShownResources[Of]['shown']>) => object
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
  gap<const Assumptions extends Readonly<Record<string, string>>>(
    input: GapInput<Assumptions>,
  ): ExtensionGap<keyof Assumptions & string>
  /** Declares fields that a documented resource has beyond the documented ones. @throws ExtensionError */
  fields<const Of extends ResourceName>(input: FieldsInput<Of>): ExtensionFields
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
  declare: (tools: ExtensionTools) => readonly (ExtensionOperation | ExtensionGap | ExtensionFields)[],
): Extension {
  const [gaps, fields, ids]: [ExtensionGap[], ExtensionFields[], string[]] = [[], [], []]
  const declared = declare({
    operation: createOperation as ExtensionTools['operation'],
    gap(input) {
      const gap = createGap(input, ids)
      gaps.push(gap)
      return gap
    },
    fields(input) {
      fields.push(input as ExtensionFields)
      return input as ExtensionFields
    },
    z,
  })
  const operations = declared.filter((one) => 'perform' in one)
  ids.push(...operations.map(({ id }) => id))
  return { kind: 'agent-mailbox-sim/extension', operations, gaps, fields }
}

const idPattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/

const pathPattern = /^\/(?!_sim(\/|$)|attachments(\/|$))([\w.~@:+-]+|\{\w+\})(\/([\w.~@:+-]+|\{\w+\}))*$/

/** @throws ExtensionError */
function createOperation(input: OperationInput): ExtensionOperation {
  const { id, path, params } = input
  if (!idPattern.test(id)) throw malformed('operation', id, 'expected an id such as "threads.get"')
  if (!pathPattern.test(path)) {
    const expected = 'expected a path such as /api/v1/mail/threads/{thread_id}, not below /_sim'
    throw malformed('operation', id, `"${path}": ${expected}`)
  }
  const names = Object.keys((params as z.ZodObject | undefined)?.shape ?? {})
  const stray = names.find((one) => !path.includes(`{${one}}`))
  if (stray !== undefined) {
    throw malformed('operation', id, `params has "${stray}", but there is no {${stray}} in the path`)
  }
  return {
    ...input,
    summary: input.summary ?? id,
    authentication: input.authentication ?? 'stated',
    replace: input.replace ?? false,
    perform: input.perform as ExtensionOperation['perform'],
  } as ExtensionOperation
}

/** @throws ExtensionError */
function createGap<Assumptions extends Readonly<Record<string, string>>>(
  { id, question, assumptions, worst, concerns, advice, evidence }: GapInput<Assumptions>,
  everyOperation: readonly string[],
): ExtensionGap<keyof Assumptions & string> {
  if (!idPattern.test(id)) throw malformed('gap', id, 'expected an id such as "messages.send-status"')
  if (Object.hasOwn(documentedGaps, id)) {
    throw malformed('gap', id, 'it is a gap of the interface; choose another id')
  }
  return {
    id,
    question,
    learnedBy: 'none',
    parts: [],
    concerns: concerns ?? everyOperation,
    assumptions,
    worst: worst ?? (Object.keys(assumptions).at(-1) as keyof Assumptions & string),
    advice: advice ?? 'Do not depend on it.',
    evidence: evidence ?? 'none',
  }
}

function malformed(what: 'operation' | 'gap', id: string, problem: string): ExtensionError {
  return new ExtensionError('malformed', `The ${what} ${JSON.stringify(id)} does not fit: ${problem}.`)
}
