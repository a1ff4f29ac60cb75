import { once } from '../../base/once.js'
import { checkNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { parseClockMode } from '../../service/time/time.js'
import type { WorldView } from './world-view.js'

/** The methods of the control API. */
export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Whose world a control acts on: a simulator. */
export interface Controlled {
  readonly view: WorldView
}

/**
 * What a request gives a control: the parameters of the path and of the query, and the fields of the body, with names as the
 * library has them: `agent_handle` is `agentHandle`.
 */
// biome-ignore lint/suspicious/noExplicitAny: the schemas of a control check them before it gets them.
export type RequestInput = Readonly<Record<string, any>>

/** A client that reads a response in pieces. */
export interface Reader {
  /** The `seq` of the last event that it got, when it connects again. */
  readonly lastEventId: string | undefined
  /** Aborted when it has left. */
  readonly signal: AbortSignal
}

/** What a control takes and answers over HTTP. */
export interface ControlRoute<Of extends Controlled = Controlled, Answer = unknown> {
  /** The method and the path below `/_sim`, with `{name}` for a parameter: `GET /threads/{id}`. */
  readonly route: `${ControlMethod} /${string}`
  /** One sentence for the description of the control API. */
  readonly summary: string
  /** Whether an agent that is judged may use it, by default or with an input like this; otherwise it may not. */
  readonly agents?: true | ((input: RequestInput) => boolean)
  /** The parameters of the query. */
  readonly query?: () => z.ZodObject
  /** The JSON that it takes. */
  readonly body?: () => z.ZodType
  /** Whether the body may be left out. */
  readonly bodyOptional?: true
  /** The most bytes of a body: 64 KiB by default. */
  readonly limit?: number
  /** The field of its input that is the whole body; by default, the fields of the body are fields of its input. */
  readonly whole?: string
  /** Whether it takes RFC 5322 mail as well, as bytes in the field `eml`. */
  readonly takesMail?: true
  /** Whether it is about the server instead of a world. */
  readonly ofServer?: true
  /** 200 by default. */
  readonly status?: 201 | 204
  /** The JSON of the response, if it says more than that it is an object. */
  readonly answer?: () => z.ZodType
  /** The type of a response other than JSON. */
  readonly contentType?: string
  /**
   * Returns the arguments of the control from the input of a request; by default, the parameters of the path, and then what the
   * query or the body gives.
   */
  given?(input: RequestInput): readonly unknown[]
  /** Returns what the control API answers; by default what the control returns. */
  show?(result: Awaited<Answer>, on: Of, input: RequestInput): unknown
  /** Returns what the control API answers, instead of performing the control. @throws as `perform` */
  respond?(on: Of, input: RequestInput): unknown
  /** Returns a response that goes on, in pieces, instead of performing the control. @throws as `perform` */
  stream?(on: Of, input: RequestInput, reader: Reader): AsyncIterable<string>
}

/**
 * Something that a tester can do to a world: a method of the library, under its name in its family, and a route of the control
 * API if it has one.
 */
export interface Control<
  Of extends Controlled = Controlled,
  // biome-ignore lint/suspicious/noExplicitAny: each control takes other arguments.
  Arguments extends readonly any[] = any,
  Answer = unknown,
> extends Partial<ControlRoute<Of, Answer>> {
  /** The names of the options that the library takes in an object; by default those of the query or of the body. */
  readonly options?: readonly string[]
  /** Performs it, with the arguments that the library takes. @throws errors of the families in `errors.ts` */
  perform(on: Of, ...given: Arguments): Answer
}

/** Defines a control. */
export function control<Of extends Controlled, Arguments extends readonly unknown[], Answer>(
  one: Control<Of, Arguments, Answer>,
): Control<Of, Arguments, Answer> {
  const { query, body, answer } = one
  return {
    ...one,
    // Most programs never need the schemas.
    ...(query && { query: once(query) }),
    ...(body && { body: once(body) }),
    ...(answer && { answer: once(answer) }),
  }
}

/** A property of a family in the library. */
export interface Reading<Value> {
  read(on: Controlled): Value
}

/** Defines a property of a family. */
export function reading<Value>(read: (on: Controlled) => Value): Reading<Value> {
  return { read }
}

/** What a family of controls is in the library: an object with a method for each control. */
export type Methods<Family> = {
  readonly [Name in keyof Family]: Family[Name] extends Reading<infer Value>
    ? Value
    : // biome-ignore lint/suspicious/noExplicitAny: each control acts on other parts.
      Family[Name] extends Control<any, infer Arguments, infer Answer>
      ? (...given: Arguments) => Answer
      : never
}

/** Creates the methods of a family, such as `mail`, for the world of a simulator. */
export function methodsOf<Family extends object>(
  name: string,
  family: Family,
  on: Controlled,
): Methods<Family> {
  const methods = {}
  for (const [key, one] of Object.entries<Control | Reading<unknown>>(family as never)) {
    const call = `${name}.${key}`
    const property =
      'read' in one
        ? { get: () => one.read(on) }
        : {
            value: (...given: readonly unknown[]) => one.perform(on, ...checked(call, one, given)),
            writable: true,
          }
    Object.defineProperty(methods, key, { ...property, enumerable: true, configurable: true })
  }
  return methods as Methods<Family>
}

/** Returns the arguments of a method, whose options have no names but those that the control takes. @throws TypeError */
function checked(call: string, one: Control, given: readonly unknown[]): readonly unknown[] {
  const { options = one.given || one.whole || namesInPath(one).length > 0 ? undefined : namesIn(one) } = one
  const isOmitted = given[0] === undefined && one.perform.length < 2
  if (options && !isOmitted) checkNames(call, given[0], options)
  return given
}

/** Returns the method of a route and its path below `/_sim`. */
export function placeOf({ route }: Pick<ControlRoute<never>, 'route'>): [method: string, path: string] {
  return route.split(' ') as [string, string]
}

/** Returns the names of the parameters in the path of a route. */
export function namesInPath({ route = '' }: { readonly route?: string }): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** Returns the arguments that a request gives a control. */
export function argumentsOf(one: Control<never>, input: RequestInput): readonly unknown[] {
  if (one.given) return one.given(input)
  const { query, body, whole } = one
  const rest = query || body ? [whole === undefined ? input : input[whole]] : []
  return [...namesInPath(one).map((name) => input[name]), ...rest]
}

/** Returns the names in the query or in the body of a control, as the library has them. */
function namesIn({ query, body }: Control): string[] | undefined {
  const { shape } = ((query ?? body)?.() as z.ZodObject | undefined) ?? {}
  return shape && Object.keys(shape).map(camelCase)
}

/** Returns a name as the library has it: `agent_handle` → `agentHandle`. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** A clock mode in a request; converts it to a `ClockMode`. */
export const clockMode = () =>
  z
    .string()
    .transform((text) => parseClockMode(text))
    .describe('`real`, `frozen` or a speed such as `10x`.')

/** Returns the schema of a whole number in a query, where all values are strings. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .refine((number) => number >= minimum, `expected ${minimum} or more`)
    .refine((number) => number <= maximum, `expected ${maximum} or less`)
    .meta({ type: 'integer', minimum })
}

/** Shows the items of a list of perhaps thousands, each when its turn in the response comes. */
export function* shownInTurn<Item>(items: readonly Item[], show: (item: Item) => unknown): Generator {
  for (const item of items) yield show(item)
}

/** Query parameters that select a part of a list in the order of the log. */
export const part = () => ({
  since: wholeNumber(0).optional().describe('Only entries after the one with this `seq`.'),
  limit: wholeNumber(1)
    .optional()
    .describe('The maximum number of entries, oldest first; unlimited by default.'),
})

/** Query parameters that select a page of a list of mail. */
export const page = (limit: string) => ({
  offset: wholeNumber(0).optional().describe('The number of entries to skip; 0 by default.'),
  limit: wholeNumber(1, 1000)
    .optional()
    .describe(`The maximum number of entries, at most 1000; ${limit} by default.`),
})

/** Returns the schema of an object that the manual describes. */
export const someObject = () => z.object({}).loose()

/** Returns the schema of a list of such objects, by its name. */
export const listNamed = (name: string) => () => z.object({ [name]: z.array(someObject()) }).loose()
