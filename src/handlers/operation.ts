import {
  type AnyOperationName,
  type Operation as DocumentedOperation,
  type OperationName,
  operations,
} from '../contract/operations.js'
import type { MailboxStore, OrganizationRow } from '../model/index.js'
import type { Settle } from '../world/index.js'
import { authenticate, type RequiredKey } from './authentication.js'
import type { Reply } from './reply.js'
import type { RequestContext } from './request.js'
import { RequestError, reject } from './request-error.js'

/** The names of the parameters in a path such as `/api/v1/identities/{handle}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** What an operation knows of the request it answers: everything before it, and who asks. */
export interface OperationContext<Parameter extends string = string> extends RequestContext {
  /** What the caller's world holds. */
  readonly store: MailboxStore
  /** The caller's organization: nothing outside it is ever seen. */
  readonly organization: OrganizationRow
  /** The parameters of the path, decoded. */
  readonly params: { readonly [Name in Parameter]: string }
  readonly query: Query
}

/** How an operation of the contract is answered. */
export interface OperationDefinition<Name extends OperationName> {
  readonly id: Name
  /** The query parameters it knows under the readings in force; those of the contract when it is left out. */
  queryNames?(query: Query, settle: Settle): readonly string[]
  /** Reads the world, or applies one command, and replies. @throws RequestError */
  perform(
    context: OperationContext<PathParameters<(typeof operations)[Name]['path']>>,
  ): Reply | Promise<Reply>
}

/** An operation as the service answers it. */
export interface Operation extends Pick<DocumentedOperation, 'path'> {
  readonly id: AnyOperationName
  readonly method: string
  readonly authentication: RequiredKey
  queryNames(query: Query, settle: Settle): readonly string[]
  perform(context: OperationContext): Reply | Promise<Reply>
}

/**
 * Defines how an operation of the contract is answered; `routes.ts` lists them all.
 * @example export const getThread = defineOperation({ id: 'threads.get', perform: ({ params }) => … })
 */
export function defineOperation<Name extends OperationName>({
  id,
  perform,
  queryNames,
}: OperationDefinition<Name>): Operation {
  const { method, path, authentication, query }: DocumentedOperation = operations[id]
  const documented = Object.keys(query)
  return { id, method, path, authentication, queryNames: queryNames ?? (() => documented), perform }
}

/** The parameters that a path gives a pattern such as `/api/v1/identities/{handle}`; undefined where it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  if (!pattern.includes('{')) return path === pattern ? {} : undefined
  const segments = path.split('/')
  const wanted = pattern.split('/')
  if (segments.length !== wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, name] of wanted.entries()) {
    const segment = segments[place] as string
    if (!name.startsWith('{')) {
      if (segment !== name) return undefined
    } else if (segment === '') return undefined
    else params[name.slice(1, -1)] = segment
  }
  return params
}

/** Answers a request by an operation: who asks, how often, with which parameters. @throws RequestError */
export function performOperation(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  context: RequestContext,
): Reply | Promise<Reply> {
  context.operation = operation.id
  const { url, selected, settle } = context
  const organization = authenticate(operation, context)
  if (!context.rehearsal) countRequest(context)
  const query = new Query(url.search, settle)
  query.allow(operation.queryNames(query, settle))
  const { store } = selected.world
  return operation.perform(Object.assign(context, { store, organization, params: decodeAll(params), query }))
}

/** Counts a request against the limit per minute of its key. @throws RequestError */
function countRequest({ key = '', selected: { world }, settle }: RequestContext): void {
  const { count, retryAfter } = world.rate.count(key, world.clock.now())
  if (count <= 60) return
  const allowed = settle('limits.rate', { none: () => true, '60-per-minute': () => false }, 'shown')
  if (allowed) return
  world.rate.uncount(key)
  throw new RequestError('rate-limited', `More than 60 requests in a minute; try again in ${retryAfter} s.`, {
    headers: { 'retry-after': String(retryAfter) },
  })
}

function decodeAll(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, encoded]) => [name, decode(encoded)]))
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return reject(`"${encoded}" is not valid percent-encoding.`)
  }
}

/** What a number in the query must be, and what it is when it is not given. */
interface IntegerBounds {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
}

/** Settles a value that is no integer or out of bounds; `nearest` is the bound, or the default. */
type SettleOutside = (given: string, nearest: number) => number

/** The query of one request, read by the contract's parameter names. */
class Query {
  /** Undefined where there is none, as in most requests. */
  readonly #parameters: URLSearchParams | undefined
  readonly #settle: Settle

  constructor(search: string, settle: Settle) {
    this.#parameters = search === '' ? undefined : new URLSearchParams(search)
    this.#settle = settle
  }

  /** Whether no parameter was given. */
  get isEmpty(): boolean {
    return !this.#parameters || this.#parameters.size === 0
  }

  /** The names of the parameters that were given. */
  get names(): readonly string[] {
    return [...new Set(this.#parameters?.keys() ?? [])]
  }

  /** Whether a parameter was given. */
  has(name: string): boolean {
    return this.#parameters?.has(name) ?? false
  }

  /** The value of a parameter, or undefined. */
  text(name: string): string | undefined {
    if (!this.#parameters) return undefined
    const values = this.#parameters.getAll(name)
    if (values.length < 2) return values[0]
    return this.#settle('query.repeated-parameter', {
      first: () => values[0],
      last: () => values.at(-1),
      rejected: () => reject(`The query parameter "${name}" was given ${values.length} times; give it once.`),
    })
  }

  /** The value of a number; whatever it was given as, the result lies in its bounds. */
  integer(name: string, bounds: IntegerBounds, outside: SettleOutside): number {
    const given = this.text(name)
    if (given === undefined) return bounds.default
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= bounds.minimum && value <= bounds.maximum) return value + 0
    const nearest = Number.isNaN(value)
      ? bounds.default
      : Math.min(Math.max(value, bounds.minimum), bounds.maximum)
    return outside(given, nearest)
  }

  /** Settles what becomes of parameters that are not among the names. */
  allow(names: readonly string[]): void {
    for (const name of this.#parameters?.keys() ?? []) {
      if (names.includes(name)) continue
      this.#settle('query.unknown-parameters', {
        ignored: () => undefined,
        rejected: () =>
          reject(`There is no query parameter "${name}" here; there is ${names.join(', ') || 'none'}.`),
      })
    }
  }
}
