import type { z } from '../base/schema.js'
import type { Gap } from './gaps/gap.js'
import { gaps as documentedGaps, type Gaps } from './gaps.js'
import { operations } from './operations.js'

/** The error of an extension that cannot be used; none of its operations is added. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError'
  readonly code: 'malformed' | 'conflict'

  constructor(code: ExtensionError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The methods that an operation of an extension may have. */
export const extensionMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A point that an extension leaves open, in the form of the documented gaps. */
export interface ExtensionGap<Name extends string = string> extends Gap<Name> {
  /** The id, e.g. `messages.send-status`. */
  readonly id: string
}

/** The resources of the interface, by their names in the OpenAPI document. */
const resourceNames = ['Identity', 'Thread', 'Message', 'Webhook'] as const

/** A resource of the interface, by its name in the OpenAPI document. */
export type ResourceName = (typeof resourceNames)[number]

/** An operation beyond the documented ones. */
export interface ExtensionOperation {
  /** The name that the journal, faults and expectations use, e.g. `threads.get`. */
  readonly id: string
  readonly method: string
  /** The path, with `{name}` for a path parameter. */
  readonly path: string
  /** What it does, in a few words. */
  readonly summary: string
  /** Evidence for its form, which the OpenAPI document quotes. */
  readonly evidence?: string | undefined
  /** The status of a response that is a plain value; by default 200, or 204 without a value. */
  readonly status?: number | undefined
  /** `none`: requests require no bearer key. */
  readonly authentication: 'stated' | 'none'
  /** Whether it replaces the documented operation with the same id, method and path. */
  readonly replace: boolean
  readonly params?: z.ZodObject | undefined
  readonly query?: z.ZodObject | undefined
  readonly body?: z.ZodType | undefined
  /** Settles whether a body with fields that its schema drops is refused; without it, they are ignored. */
  readonly unknownFields?: ExtensionGap<'ignored' | 'rejected'> | undefined
  /** The shape of a successful response. */
  readonly response?: z.ZodType | ResourceName | undefined
  /** Decides whether a request gets the response to an earlier one with the same `Idempotency-Key`. */
  readonly idempotency?: ((context: never, earlier: { readonly isSame: boolean }) => boolean) | undefined
  /** Responds to a request; only the handlers know the type of its context. */
  readonly perform: (context: never) => unknown
}

/**
 * Fields beyond the documented ones that an extension adds to a resource, wherever responses and events
 * contain all of it.
 */
export interface ExtensionFields {
  readonly of: ResourceName
  /** The shape of the fields, for the OpenAPI document. */
  readonly schema: z.ZodObject
  /** Returns the fields of a row; only the renderer knows the type of its context. */
  readonly add: (context: never) => object
}

/** The result of `defineExtension`. */
export interface Extension {
  readonly kind: 'agent-mailbox-sim/extension'
  readonly operations: readonly ExtensionOperation[]
  readonly gaps: readonly ExtensionGap[]
  readonly fields: readonly ExtensionFields[]
}

/** An extension, or a list of them. */
export type ExtensionInput = Extension | readonly ExtensionInput[]

/** What extensions add to the simulation. */
export interface Extensions {
  readonly operations: readonly ExtensionOperation[]
  readonly fields: readonly ExtensionFields[]
  /** By id. */
  readonly gaps: ReadonlyMap<string, ExtensionGap>
}

/** No extensions. */
export const noExtensions: Extensions = { operations: [], fields: [], gaps: new Map() }

/**
 * Combines extensions; refuses those that would replace an operation by accident.
 * @throws ExtensionError `malformed`, `conflict`
 */
export function combineExtensions(inputs: readonly ExtensionInput[]): Extensions {
  return joinExtensions(inputs.flatMap(flatten).map(withGapsById))
}

function withGapsById({ operations, fields, gaps }: Extension): Extensions {
  return { operations, fields, gaps: new Map(gaps.map((gap) => [gap.id, gap])) }
}

/** Merges combined extensions. @throws ExtensionError `conflict` */
export function joinExtensions(extensions: readonly Extensions[]): Extensions {
  const fields = [...new Set(extensions.flatMap((extension) => extension.fields))]
  if (extensions.every(({ operations, gaps }) => operations.length + gaps.size + fields.length === 0)) {
    return noExtensions
  }
  const byId = new Map<string, ExtensionOperation>()
  const byRoute = new Map<string, ExtensionOperation>()
  for (const operation of extensions.flatMap((extension) => extension.operations)) {
    refuseDocumented(operation)
    const route = routeOf(operation)
    const other = byId.get(operation.id) ?? byRoute.get(route)
    // The same extension may be named twice, by a flag and by the scenario.
    if (other && other.perform !== operation.perform) {
      const both = `${describeOperation(other)} and ${describeOperation(operation)}`
      throw new ExtensionError(
        'conflict',
        `Two extensions define the same operation: ${both}; leave one of them out.`,
      )
    }
    byId.set(operation.id, operation)
    byRoute.set(route, operation)
  }
  const gaps = new Map<string, ExtensionGap>()
  for (const gap of extensions.flatMap((extension) => [...extension.gaps.values()])) {
    const other = gaps.get(gap.id)
    if (other && other !== gap) {
      throw new ExtensionError(
        'conflict',
        `Two extensions define the gap "${gap.id}"; rename it in one of them.`,
      )
    }
    gaps.set(gap.id, gap)
  }
  return { operations: [...byId.values()], fields, gaps }
}

/** Returns the names of all operations, documented or of extensions. */
export function everyOperationName({ operations: extensionOperations }: Extensions): string[] {
  return [...new Set([...Object.keys(operations), ...extensionOperations.map(({ id }) => id)])]
}

/**
 * Returns the names of everything that extensions add: operations, gaps, and fields such as `Message.label`.
 */
export function addedNames({ operations, fields, gaps }: Extensions): string[] {
  const fieldNames = fields.flatMap(({ of, schema }) =>
    Object.keys(schema.shape).map((key) => `${of}.${key}`),
  )
  return [...new Set([...operations.map(({ id }) => id), ...gaps.keys(), ...fieldNames])]
}

/** Returns a gap of the interface or of an extension. */
export function gapOf<Own = ExtensionGap>(
  id: string,
  extensionGaps: ReadonlyMap<string, Own>,
): Gap | Own | undefined {
  return Object.hasOwn(documentedGaps, id) ? documentedGaps[id as keyof Gaps] : extensionGaps.get(id)
}

/** Returns how a client can be correct under every assumption of a gap; `extensionGaps` has those of extensions. */
export function adviceOf(id: string, extensionGaps: ReadonlyMap<string, Pick<Gap, 'advice'>>): string {
  return gapOf(id, extensionGaps)?.advice ?? ''
}

function flatten(input: unknown): Extension[] {
  if (Array.isArray(input)) return input.flatMap(flatten)
  if (isExtension(input)) return [input]
  throw new ExtensionError('malformed', `${expected}; found ${describeValue(input)}.`)
}

const expected = 'An extension is the result of defineExtension, or a list of such results'

function isExtension(input: unknown): input is Extension {
  return Object(input).kind === 'agent-mailbox-sim/extension'
}

function refuseDocumented(operation: ExtensionOperation): void {
  const { id, replace } = operation
  const documented = Object.entries(operations).find(([name, other]) => {
    return name === id || routeOf(other) === routeOf(operation)
  })
  if (!documented) return
  const [name, { method, path }] = documented
  const what = `${describeOperation(operation)} replaces the documented operation ${name} (${method} ${path})`
  if (!replace) {
    throw new ExtensionError('conflict', `${what}; give it another id and path, or set replace: true.`)
  }
  if (name !== id || routeOf({ method, path }) !== routeOf(operation)) {
    throw new ExtensionError('conflict', `${what} only in part; it needs exactly that id, method and path.`)
  }
}

function describeOperation({ id, method, path }: ExtensionOperation): string {
  return `"${id}" (${method} ${path})`
}

/** Returns the route of an operation; operations with the same route match the same requests. */
function routeOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object'
    ? `an object of ${Object.keys(value).join(', ') || 'nothing'}`
    : `a ${typeof value}`
}
