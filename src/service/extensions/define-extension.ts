import { explainValue } from '../../base/explain.js'
import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { expectedOneOf } from '../../base/text.js'
import {
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionOperation,
  extensionMethods,
  type ResourceName,
  resourceNames,
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
  if (typeof declare !== 'function') {
    throw malformed('The argument of defineExtension', 'must be a function that returns a list of operations')
  }
  const gaps: ExtensionGap[] = []
  const fields: ExtensionFields[] = []
  const ids: string[] = []
  const declared = declare({
    operation: createOperation,
    gap(input) {
      const gap = createGap(input, ids)
      gaps.push(gap)
      return gap
    },
    fields(input) {
      const added = checked('fields', input, fieldsSchema()) as ExtensionFields
      fields.push(added)
      return added
    },
    z,
  })
  if (!Array.isArray(declared)) {
    throw malformed('The function given to defineExtension', 'must return a list of operations')
  }
  const others: readonly unknown[] = [...gaps, ...fields]
  const foreign = declared.findIndex((one) => !isOperation(one) && !others.includes(one))
  if (foreign !== -1) {
    throw malformed(
      `Entry ${foreign + 1} of the list that the function given to defineExtension returns`,
      'is no result of operation(…), gap(…) or fields(…); pass handlers of MSW such as http.get(…) to extend itself',
    )
  }
  const operations = declared.filter(isOperation)
  ids.push(...operations.map(({ id }) => id))
  return { kind: 'agent-mailbox-sim/extension', operations, gaps, fields }
}

function isOperation(declared: object): declared is ExtensionOperation {
  return 'perform' in Object(declared)
}

/** The id of an operation or of a gap. */
const name = (example: string) =>
  z.string().regex(/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/, `expected an id such as "${example}"`)

const path = () =>
  z
    .string()
    .regex(
      /^\/(?!_sim(\/|$)|attachments(\/|$))([\w.~@:+-]+|\{\w+\})(\/([\w.~@:+-]+|\{\w+\}))*$/,
      'expected a path such as /api/v1/mail/threads/{thread_id}, not below /_sim',
    )

/** A schema that was made with the `z` of this package, and is valid as a whole. */
function schemaSuchAs(kind: typeof z.ZodObject | typeof z.ZodType, example: string): z.ZodType {
  return z.unknown().superRefine((schema, { addIssue }) => {
    if (!(schema instanceof kind)) {
      return addIssue(`expected a schema made with the z it was given, such as ${example}`)
    }
    try {
      // These throw errors that name the key without a valid schema, and they call none of the user's
      // functions.
      if (schema instanceof z.ZodObject) schema.safeParse(undefined)
      z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' })
    } catch (error) {
      addIssue(`expected a valid schema such as ${example} (${(error as Error).message})`)
    }
  })
}

const fieldsSchema = once(() =>
  z.strictObject({
    of: z.enum(resourceNames),
    schema: schemaSuchAs(z.ZodObject, 'z.object({ cc: z.array(z.string()).optional() })'),
    add: z.custom<() => object>(
      (value) => typeof value === 'function',
      'expected a function that returns fields',
    ),
  }),
)

const operationSchema = once(() => {
  const fields = () => schemaSuchAs(z.ZodObject, 'z.object({ limit: z.coerce.number() })').optional()
  const json = () => schemaSuchAs(z.ZodType, 'z.object({ text: z.string() })')
  return z
    .strictObject({
      id: name('threads.get'),
      method: z.enum(extensionMethods),
      path: path(),
      summary: z.string().optional(),
      evidence: z.string().optional(),
      status: z.int().min(200).max(399, 'expected one from 200 to 399; reply() can have others').optional(),
      authentication: z.literal('none').optional(),
      replace: z.boolean().optional(),
      params: fields(),
      query: fields(),
      body: json().optional(),
      unknownFields: z
        .custom<ExtensionGap>((value) => {
          return Object.keys(Object(Object(value).assumptions)).join() === 'ignored,rejected'
        }, 'expected a gap with the assumptions ignored and rejected')
        .optional(),
      response: z.union([z.enum(resourceNames), json()]).optional(),
      idempotency: z
        .custom<OperationInput['idempotency']>((value) => typeof value === 'function', 'expected a function')
        .optional(),
      perform: z.custom<OperationInput['perform']>(
        (value) => typeof value === 'function',
        'expected a function that returns the response',
      ),
    })
    .superRefine(({ params, path }, { addIssue }) => {
      const names = params instanceof z.ZodObject ? Object.keys(params.shape) : []
      const stray = names.find((one) => !path.includes(`{${one}}`))
      if (stray !== undefined)
        addIssue({
          code: 'custom',
          path: ['params'],
          message: `has "${stray}", but there is no {${stray}} in the path`,
        })
    })
})

/** Checks a declaration, which may come from a file without type checking. @throws ExtensionError */
function createOperation(declared: object): ExtensionOperation {
  const input = checked('operation', declared as OperationInput, operationSchema())
  return {
    ...input,
    summary: input.summary ?? input.id,
    authentication: input.authentication ?? 'stated',
    replace: input.replace ?? false,
    perform: input.perform as ExtensionOperation['perform'],
  } as ExtensionOperation
}

const gapSchema = once(() =>
  z
    .strictObject({
      id: name('messages.send-status').refine((id) => !Object.hasOwn(documentedGaps, id), {
        error: 'it is a gap of the interface; choose another id',
      }),
      question: z.string(),
      assumptions: z
        .custom<GapInput<Readonly<Record<string, string>>>['assumptions']>(
          (value) => Object(value) === value,
          'expected assumptions by name',
        )
        .superRefine((assumptions, { addIssue }) => {
          const names = Object.keys(assumptions)
          const wrong = names.find((one) => !/^[a-z\d][\w.-]*$/i.test(one) || one in Object.prototype)
          if (wrong !== undefined)
            addIssue(`"${wrong}" is not a valid name of an assumption, such as "not-found"`)
          else if (names.length < 2 || names.length > 30) {
            addIssue(
              'expected two to thirty: { "created": "Responds with 201.", "accepted": "Responds with 202." }',
            )
          }
        }),
      worst: z.string().optional(),
      concerns: z.array(z.string()).optional(),
      advice: z.string().optional(),
      evidence: z.string().optional(),
    })
    .superRefine(({ assumptions, worst }, { addIssue }) => {
      const names = Object.keys(assumptions)
      if (worst === undefined || names.includes(worst)) return
      addIssue({
        code: 'custom',
        path: ['worst'],
        message: `there is no assumption "${worst}"${expectedOneOf(worst, names)}`,
      })
    }),
)

function createGap<Assumptions extends Readonly<Record<string, string>>>(
  declared: GapInput<Assumptions>,
  everyOperation: readonly string[],
): ExtensionGap<keyof Assumptions & string> {
  type Name = keyof Assumptions & string
  const { id, question, assumptions, worst, concerns, advice, evidence } = checked(
    'gap',
    declared,
    gapSchema(),
  )
  return {
    id,
    question,
    learnedBy: 'none',
    parts: [],
    concerns: concerns ?? everyOperation,
    assumptions,
    worst: worst ?? (Object.keys(assumptions).at(-1) as Name),
    advice: advice ?? 'Do not depend on it.',
    evidence: evidence ?? 'none',
  }
}

/** Returns a valid declaration, unchanged. @throws ExtensionError that names every problem */
function checked<Input extends object>(what: string, declared: Input, schema: z.ZodType): Input {
  if (schema.safeParse(declared).success) return declared
  const { id, of = id } = Object(declared)
  throw malformed(`The ${what} ${JSON.stringify(of)} does not fit:`, explainValue(schema, declared))
}

function malformed(what: string, problem: string): ExtensionError {
  return new ExtensionError('malformed', `${what} ${problem}${problem.endsWith('?') ? '' : '.'}`)
}
