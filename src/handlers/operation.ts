import {
  type AnyOperationName,
  type Operation as DocumentedOperation,
  type OperationName,
  operations,
} from '../contract/operations.js'
import type { MailboxStore, OrganizationRow } from '../model/index.js'
import type { Settle } from '../world/index.js'
import { authenticate, type RequiredKey } from './authentication.js'
import type { RequestContext } from './evaluate.js'
import { Query } from './query.js'
import type { Reply } from './reply.js'
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
 * Defines how an operation of the contract is answered; `operations.ts` lists them all.
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
