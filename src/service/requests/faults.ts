import { parseJson } from '../../base/json.js'
import type { AnyOperationName } from '../../contract/operations.js'
import { statusTexts } from '../../contract/statuses.js'
import { parseMailboxList } from '../../mail/address.js'
import { createSettle } from '../assumptions/settle.js'
import { type Answer, delayOf, disturb, keepsAnswer, replacesAnswer } from '../faults/fault.js'
import type { FaultRule } from '../faults/fault-rules.js'
import { Query } from '../operations/operation.js'
import { bytesBody, cutError, type NextBytes, type Reply, streamBody } from '../operations/reply.js'
import {
  decodePart,
  isRead,
  type ReceivedRequest,
  type RequestContext,
  type Resolver,
} from '../operations/request.js'
import { RequestError } from '../operations/request-error.js'
import { addressesOf } from '../rendering/header-fields.js'
import type { Clock } from '../time/clock.js'
import { createRandom } from '../time/random.js'
import type { RecordedFault } from '../world/exchange.js'
import type { World } from '../world/world.js'
import type { Route } from './routes.js'

/** What carries responses: the `fetch` of this program, or a server, which can break a connection. */
export type Carrier = 'fetch' | 'server'

/** The header that tells the server how to end the connection of a response; it is not sent to clients. */
export const endingHeader = 'x-agent-mailbox-sim-ending'

/** Finds the fault rule that hits a request. Rules count their hits, so this is called once per request. */
export function findDisturbance(received: RoutedRequest): FaultRule | undefined {
  const { request, url, route, selected } = received
  const { faults } = selected.world
  const handle = selects('handle', faults) ? agentNamedBy(received) : undefined
  const recipients = selects('where', faults) ? recipientsNamedBy(received) : []
  return faults.hit({
    operation: route?.operation.id ?? null,
    method: request.method,
    path: url.path,
    handle,
    recipients,
  })
}

/** Returns whether any fault rule concerns only requests about an agent, or those to a recipient. */
function selects(by: 'handle' | 'where', { state }: World['faults']): boolean {
  return state.rules.some(({ fault }) => fault[by] !== undefined)
}

/**
 * Reads the body of a request in which the agent or the recipient of a fault rule may be named; undefined if it need not be
 * read.
 */
export function readNamedParties({ request, body, selected }: RoutedRequest): Promise<unknown> | undefined {
  const { faults } = selected.world
  const isRead =
    !['GET', 'HEAD'].includes(request.method) && (selects('handle', faults) || selects('where', faults))
  // A body that cannot be read is refused later, by the operation.
  return isRead ? body.bytes().catch(() => undefined) : undefined
}

/**
 * Returns the resolver that handles a request under a fault: the fault's own if it sets the status or the
 * body.
 */
export function resolverUnder(
  fault: RecordedFault,
  operation: AnyOperationName | null,
  resolver: Resolver,
): Resolver {
  return replacesAnswer(fault) ? faultResolver(fault, operation) : resolver
}

/** Creates the resolver that replaces the operation when a fault sets the status or the body. */
function faultResolver({ status = 200, body }: RecordedFault, operation: AnyOperationName | null): Resolver {
  return (context: RequestContext): Reply => {
    context.operation = operation
    if (status >= 400) {
      // An agent that reads this must not learn that it is a test; the journal names the fault.
      throw new RequestError('disturbed', `The request failed: ${statusTexts[status] ?? status}.`, { status })
    }
    const isJson = body !== undefined && typeof body !== 'string'
    return { status, headers: isJson ? { 'content-type': 'application/json' } : {}, body: null }
  }
}

/** Applies a fault to a response; returns the response for the client, and what is recorded of it. */
export function disturbReply(fault: RecordedFault, { status, headers, body }: Reply): [Answer, Reply] {
  const answer = disturb(fault, { status, headers, bytes: body?.bytes() ?? null, ending: 'whole', drip: 0 })
  const { bytes } = answer
  const recorded = keepsAnswer(fault) ? body : bytes && { bytes: () => bytes, size: bytes.length }
  return [answer, { ...answer, body: recorded }]
}

/** Waits for the delay of a fault, to its end also if the client leaves: what then happens must not depend on that. */
export async function waitForDelay({ id, fault, hit }: FaultRule, received: RoutedRequest): Promise<void> {
  const { request, body, selected } = received
  const { clock, initialState } = selected.world
  const delay = delayOf(fault, createRandom(initialState.seed, `faults/${id}/${hit}/delay`))
  if (delay === 0) return
  // The body of a client that has left could not be read any more. One that cannot be read is refused by the operation.
  if (!isRead(request)) await body.bytes().catch(() => undefined)
  await clock.wait(delay, request.signal, 'goes on')
}

/** How a disturbed response reaches its client. */
interface Transfer {
  readonly clock: Clock
  readonly carrier: Carrier
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal
}

/** Statuses of responses that have no body. */
const bodiless = [204, 205, 304]

/** Creates the `Response` for a disturbed response. */
export function disturbedResponse(answer: Answer, transfer: Transfer): Response {
  const { carrier } = transfer
  const { status, ending, bytes } = answer
  if (ending === 'reset' && carrier === 'fetch') return Response.error()
  const body = ending === 'reset' || bodiless.includes(status) ? null : bodyOf(answer, transfer)
  const length: Record<string, string> = bytes === null ? {} : { 'content-length': String(bytes.length) }
  const marks = ending !== 'whole' && carrier === 'server' ? { [endingHeader]: ending } : {}
  return new Response(body, { status, headers: { ...length, ...answer.headers, ...marks } })
}

function bodyOf(answer: Answer, transfer: Transfer): ReadableStream | null {
  const { bytes, ending, drip } = answer
  const cut = ending === 'cut' && transfer.carrier === 'fetch'
  if (bytes === null) return null
  if (drip === 0 && !cut) return bytesBody(bytes)
  const pieces = piecesOf(bytes, drip > 0 ? 10 : 1)
  return streamBody(() => connectionOf(pieces, { ...transfer, drip, cut }))
}

/** Sends a body in pieces, like a connection. It fails if the body is cut off or the client aborts. */
function connectionOf(
  pieces: readonly Uint8Array[],
  { clock, signal, drip, cut }: Transfer & { readonly drip: number; readonly cut: boolean },
): NextBytes {
  const rest = pieces.values()
  let over: AbortSignal | undefined
  return async (cancelled) => {
    over ??= firstOf(signal, cancelled)
    const { value: piece } = rest.next()
    if (!piece && cut) throw cutError()
    if (piece && drip > 0) await clock.wait(drip / pieces.length, over)
    // MSW forwards the signal, but does not stop the body of its response.
    if (piece && signal.aborted) throw signal.reason
    return piece
  }
}

/** Returns a signal that aborts with the first of some: `AbortSignal.any` accepts only those of its own realm. */
function firstOf(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true })
  }
  return first.signal
}

/** Splits a body into `count` pieces of about equal length; into fewer if it has fewer bytes. */
function piecesOf(bytes: Uint8Array, count: number): Uint8Array[] {
  const length = Math.max(1, Math.ceil(bytes.length / count))
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length))
  return pieces
}

/** A received request and the operation that it is for. */
export interface RoutedRequest extends ReceivedRequest {
  readonly route: Route | undefined
}

type Parameters = ReadonlyMap<string, string>

/** Returns the handle of the agent that the value of a parameter names. */
type NamesAgent = (value: string, world: World, organizationId: string) => string | undefined

/** The parameters that say which agent a request is about, wherever they are in it; the first one decides. */
const parametersOfAgents: Readonly<Record<string, NamesAgent>> = {
  handle: storedHandle,
  agent: storedHandle,
  agent_handle: storedHandle,
  mailbox: (address, { store }) => store.identityBy('mailboxAnywhere', address)?.agent_handle,
  thread_id: (id, world) => ownerOf(world, world.store.get('thread', id)),
  message_id: (id, world) => ownerOf(world, world.store.get('message', id)),
  webhook_id: (id, { store }) => store.get('webhook', id)?.agent_handle ?? undefined,
}

/**
 * Returns the handle of the agent that a request is about: it may be named in the path, in a parameter of the query that
 * the operation accepts under the assumptions in force, or in a JSON body that was read.
 */
function agentNamedBy(received: RoutedRequest): string | undefined {
  const { selected } = received
  const { world, organization = world.store.firstOrganization() } = selected
  const given = [inPath(received), inQuery(received), inBody(received)]
  for (const parameters of given) {
    for (const [name, handleOf] of Object.entries(parametersOfAgents)) {
      const value = parameters.get(name)
      const handle = value === undefined ? undefined : handleOf(value, world, organization.id)
      if (handle !== undefined) return handle
    }
  }
  return undefined
}

/** Returns the handle of the agent that a text names, as it is stored; the text itself if there is no such agent. */
function storedHandle(text: string, { store, assumptions }: World, organizationId: string): string {
  const handle = text.replace(/^@/, '')
  const exact = store.identityBy('handle', organizationId, handle)
  const found = createSettle(assumptions)('identities.handle-case', {
    exact: () => exact,
    insensitive: () => exact ?? store.identityBy('foldedHandle', organizationId, handle),
  })
  return found?.agent_handle ?? handle
}

function ownerOf({ store }: World, row: { readonly identity_id: string } | undefined): string | undefined {
  return row && store.get('identity', row.identity_id)?.agent_handle
}

function inPath({ route }: RoutedRequest): Parameters {
  const decoded = Object.entries(route?.params ?? {}).map(([name, text]) => [name, decodePart(text)] as const)
  return new Map(decoded.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function inQuery({ route, url, selected }: RoutedRequest): Parameters {
  const settle = createSettle(selected.world.assumptions)
  const query = new Query(url.search, settle)
  if (query.isEmpty) return new Map()
  const names = route?.operation.queryNames(query, settle) ?? query.names
  try {
    return new Map(names.flatMap((name) => (query.has(name) ? [[name, query.text(name) ?? '']] : [])))
  } catch (error) {
    // A parameter that is given twice is refused.
    if (error instanceof RequestError) return new Map()
    throw error
  }
}

function inBody(received: RoutedRequest): Parameters {
  const fields = Object.entries(jsonBody(received))
  return new Map(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function jsonBody({ body }: RoutedRequest): Readonly<Record<string, unknown>> {
  return Object(parseJson(body.text ?? ''))
}

/**
 * Returns the bare addresses, in lower case, to which a request sends mail: those in its JSON body or, if it names none in `to`,
 * those to which a reply to the message in its path goes.
 */
function recipientsNamedBy(received: RoutedRequest): string[] {
  const { store } = received.selected.world
  const { to, cc, bcc } = jsonBody(received)
  const message = store.get('message', inPath(received).get('message_id') ?? '')
  const answered = message && addressesOf(message)
  const replied = answered && (answered.reply_to.length > 0 ? answered.reply_to : answered.from)
  const implied = message?.direction === 'outbound' ? answered?.to : replied
  const texts = [to ?? implied ?? [], cc ?? [], bcc ?? []].flat().filter((one) => typeof one === 'string')
  return texts.flatMap((one) => parseMailboxList(one).map(({ address }) => address.toLowerCase()))
}

/** Returns whether a request is for an operation that requires no key. */
export function needsNoKey({ route }: RoutedRequest): boolean {
  return route?.operation.authentication === 'none'
}
