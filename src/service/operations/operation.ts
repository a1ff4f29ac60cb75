import { readMore } from '../../base/help.js'
import { isJsonObject, parseJson } from '../../base/json.js'
import { choicesOf } from '../../base/text.js'
import {
  type AnyOperationName,
  type DocumentedOperation,
  type OperationName,
  operations,
} from '../../contract/operations.js'
import type { Settle } from '../assumptions/settle.js'
import type { OrganizationRow } from '../model/rows.js'
import type { Reply } from './reply.js'
import { decodePart, decodeUtf8, ignoredHint, maximumBodySize, type RequestContext } from './request.js'
import { RequestError, reject } from './request-error.js'

/** The names of the parameters in a path such as `/api/v1/identities/{handle}`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** The context of a request to an operation, with the caller's organization and the parameters. */
export interface OperationContext<Parameter extends string = string> extends RequestContext {
  /** The caller's organization; the data of others stays hidden. */
  readonly organization: OrganizationRow
  /** The parameters of the path, decoded. */
  readonly params: { readonly [Name in Parameter]: string }
  readonly query: Query
}

/** What is needed to read and settle the parameters of a request. */
export type QueryContext = Pick<OperationContext, 'query' | 'settle'>

/** Defines how an operation of the contract is performed. */
interface OperationDefinition<Name extends OperationName> {
  readonly id: Name
  /** Returns the query parameters it accepts under the assumptions in force; by default those of the contract. */
  queryNames?(query: Query, settle: Settle): readonly string[]
  /** Reads the world, or applies one command, and returns the response. @throws RequestError */
  perform(
    context: OperationContext<PathParameters<(typeof operations)[Name]['path']>>,
  ): Reply | Promise<Reply>
}

/**
 * Whether requests require a key: the interface says so, does not document it, or an extension requires none.
 */
type RequiredKey = DocumentedOperation['authentication'] | 'none'

/** An operation as the service performs it. */
export interface Operation extends Pick<DocumentedOperation, 'path'> {
  readonly id: AnyOperationName
  readonly method: string
  readonly authentication: RequiredKey
  queryNames(query: Query, settle: Settle): readonly string[]
  perform(context: OperationContext): Reply | Promise<Reply>
}

/**
 * Defines how an operation of the contract is performed; `routes.ts` lists them all.
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

/** Matches a path against a pattern such as `/api/v1/identities/{handle}`; returns its parameters, or undefined. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  if (!pattern.includes('{')) return path === pattern ? {} : undefined
  const segments = path.split('/')
  const names = pattern.split('/')
  if (segments.length !== names.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, name] of names.entries()) {
    const segment = segments[place] as string
    if (!name.startsWith('{')) {
      if (segment !== name) return undefined
    } else if (segment === '') return undefined
    else params[name.slice(1, -1)] = segment
  }
  return params
}

/** Performs an operation after checking the key, the rate limit and the parameters. @throws RequestError */
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
  for (const hint of query.allow(operation.queryNames(query, settle))) context.hints.add(hint)
  if (context.key !== undefined && !selected.organization && operation.authentication !== 'none') {
    context.hints.add(/^(undefined|null|none|nan)$/i.test(context.key) ? unsetKeyHint : keyHint)
  }
  return operation.perform(Object.assign(context, { organization, params: decodeAll(params), query }))
}

const keyHint =
  'A key that the scenario does not list was accepted; --assume auth.keys=listed-keys refuses such keys.' +
  readMore('unknown-key')

const unsetKeyHint = `The key looks like the text of a variable that is not set where the client runs.${readMore('missing-key')}`

/** Returns the organization that a request may act for. @throws RequestError @see interface 5 */
export function authenticate(
  { authentication }: { readonly authentication: RequiredKey },
  context: Pick<RequestContext, 'request' | 'key' | 'selected' | 'settle'>,
): OrganizationRow {
  const { request, key, selected, settle } = context
  const { world, organization, gone } = selected
  // Refused under every assumption: a test that uses the key of an earlier test must notice.
  if (gone) unauthorized(world.closed ? closed : dropped)
  if (organization) return organization
  if (authentication === 'none') return world.store.firstOrganization()
  const first = world.store.firstOrganization()
  if (key !== undefined) {
    return settle('auth.keys', {
      'any-key': () => first,
      'listed-keys': () =>
        unauthorized(`The API key is not one this service knows.${readMore('401-in-a-test')}`),
    })
  }
  const missing = (): never => unauthorized(explainMissingKey(request.headers))
  if (authentication === 'stated') return missing()
  return settle('auth.webhooks', {
    required: missing,
    'not-required': () => first,
  })
}

/** Explains why a request has no key, without quoting what it has instead. */
function explainMissingKey(headers: RequestContext['request']['headers']): string {
  const sent = headers.get('authorization')
  return `${reason()}${readMore('missing-key')}`

  function reason(): string {
    if (sent === null) {
      const other = ['x-api-key', 'api-key', 'x-auth-token'].find((name) => headers.has(name))
      const instead = other === undefined ? '' : `, not ${other}`
      return `This needs the header Authorization: Bearer <key>${instead}.`
    }
    if (/^bearer$/i.test(sent.trim())) return 'The header Authorization has no key after "Bearer".'
    if (/^bearer /i.test(sent)) return 'The key in the header Authorization contains a space.'
    return '"Bearer " is missing in the header Authorization: Bearer <key>.'
  }
}

const closed = 'The simulator was closed.'

const dropped =
  'The world of this API key was dropped or belongs to another simulator; fork() and POST /_sim/worlds create one with ' +
  'its own key.'

function unauthorized(message: string): never {
  throw new RequestError('unauthorized', message)
}

const minute = 60_000

/** Counts a request against the rate limit of its key; refused requests do not count. @throws RequestError */
function countRequest({ key = '', selected: { world }, settle }: RequestContext): void {
  const { recentRequests } = world
  const now = world.clock.now()
  const earlier = (recentRequests.get(key) ?? []).filter((at) => at > now - minute).slice(-60)
  if (earlier.length === 60) {
    const allowed = settle('limits.rate', { none: () => true, '60-per-minute': () => false }, 'certain')
    const retryAfter = Math.ceil(((earlier[0] as number) + minute - now) / 1000)
    const message = `More than 60 requests in a minute; try again in ${retryAfter} s.`
    const headers = { 'retry-after': String(retryAfter) }
    if (!allowed) throw new RequestError('rate-limited', message, { headers })
  }
  // The key is moved to the end, so the least recently used keys come first.
  recentRequests.delete(key)
  recentRequests.set(key, [...earlier, now])
  for (const [unused, times] of recentRequests) {
    if ((times.at(-1) ?? 0) > now - minute) break
    recentRequests.delete(unused)
  }
}

function decodeAll(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, encoded]) => [name, decode(encoded)]))
}

function decode(encoded: string): string {
  return decodePart(encoded) ?? reject(`"${encoded}" is not valid percent-encoding.`)
}

/** The bounds of an integer in the query, and its default. */
interface IntegerBounds {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
}

/** Settles a value that is not an integer or is out of bounds; `nearest` is the nearest bound, or the default. */
type SettleOutside = (value: string, nearest: number) => number

/** The query of a request. */
export class Query {
  /** Undefined if there is no query, as in most requests. */
  readonly #parameters: URLSearchParams | undefined
  readonly #settle: Settle

  constructor(search: string, settle: Settle) {
    this.#parameters = search === '' ? undefined : new URLSearchParams(search)
    this.#settle = settle
  }

  /** Whether the query has no parameters. */
  get isEmpty(): boolean {
    return !this.#parameters || this.#parameters.size === 0
  }

  /** The names of the parameters in the query. */
  get names(): readonly string[] {
    return [...new Set(this.#parameters?.keys() ?? [])]
  }

  /** Returns whether the query has a parameter. */
  has(name: string): boolean {
    return this.#parameters?.has(name) ?? false
  }

  /** Returns the value of a parameter, or undefined. */
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

  /** Returns the value of an integer parameter; `outside` replaces a value that is malformed or out of bounds. */
  integer(name: string, bounds: IntegerBounds, outside: SettleOutside): number {
    const text = this.text(name)
    if (text === undefined) return bounds.default
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= bounds.minimum && value <= bounds.maximum) return value + 0
    const nearest = Number.isNaN(value)
      ? bounds.default
      : Math.min(Math.max(value, bounds.minimum), bounds.maximum)
    return outside(text, nearest)
  }

  /**
   * Settles whether parameters other than the named ones are refused; returns hints about those that are
   * ignored.
   */
  allow(names: readonly string[]): string[] {
    const hints: string[] = []
    for (const name of this.#parameters?.keys() ?? []) {
      if (names.includes(name)) continue
      this.#settle('query.unknown-parameters', {
        ignored: () => undefined,
        rejected: () => reject(`There is no query parameter "${name}" here${choicesOf(names)}.`),
      })
      hints.push(ignoredHint('query parameter', name, names))
    }
    return hints
  }
}

/** The size of a body in bytes above which one assumption of `limits.body-size` refuses it. */
const smallerMaximum = 102_400

/** Reads the JSON object in a request's body; undefined when there is no body. @throws RequestError */
export async function readJsonBody(
  context: OperationContext,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await readBytes(context)
  if (bytes.length === 0) return undefined
  const mediaType = context.request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') settleContentType(context)
  return parseObject(decodeUtf8(bytes) ?? reject(whyUnreadable(context.request.headers)))
}

function whyUnreadable(headers: Pick<Headers, 'get'>): string {
  const encoding = headers.get('content-encoding')
  if (!encoding || encoding === 'identity') return 'The body is not valid UTF-8.'
  return `The body is compressed (Content-Encoding: ${encoding.slice(0, 20)}); send it without that.`
}

/** Reads the bytes of a request's body. @throws RequestError if there are too many */
export async function readBytes({ body, settle }: OperationContext): Promise<Uint8Array> {
  // A body whose declared length is too large is refused before any of it is read.
  const bytes = body.declaredLength > maximumBodySize ? undefined : await body.bytes()
  const length = bytes?.length ?? body.declaredLength
  const fits = settle(
    'limits.body-size',
    { '1mb': () => length <= maximumBodySize, '100kb': () => length <= smallerMaximum },
    'certain',
  )
  if (!bytes || !fits) {
    throw new RequestError('content-too-large', 'The body is larger than this service accepts.')
  }
  return bytes
}

/** Settles a body whose media type is not JSON. @throws RequestError */
function settleContentType({ settle }: Pick<OperationContext, 'settle'>): void {
  settle('identities.patch-content-type', {
    rejected: () => reject('The body needs the header Content-Type: application/json.'),
    'unsupported-media-type': () => {
      throw new RequestError('unsupported-media-type', 'Only Content-Type: application/json is accepted.')
    },
    parsed: () => undefined,
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (value === undefined) return reject('The body is not valid JSON.')
  if (isJsonObject(value)) return value
  return reject('The body must be a JSON object such as {"display_name": "Support"}.')
}
