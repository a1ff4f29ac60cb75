import type { AnyOperationName } from '../../contract/operations.js'
import { statusTexts } from '../../contract/statuses.js'
import { delayOf, disturb, keepsAnswer, replacesAnswer } from '../faults/fault.js'
import type { FaultRule } from '../faults/fault-rules.js'
import type { Answer } from '../faults/kinds.js'
import type { Operation } from '../operations/operation.js'
import { cutError, type Reply } from '../operations/reply.js'
import { isRead, type RequestContext, type Resolver } from '../operations/request.js'
import { RequestError } from '../operations/request-error.js'
import type { Clock } from '../time/clock.js'
import { createRandom } from '../time/random.js'
import type { RecordedFault } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { agentNamedBy, type RoutedRequest, recipientsNamedBy } from './named-agent.js'
import { bytesBody, type NextBytes, streamBody } from './stream-body.js'

/** What carries responses: the `fetch` of this program, or a server, which can break a connection. */
export type Carrier = 'fetch' | 'server'

/** The header that tells the server how to end the connection of a response; it is not sent to clients. */
export const endingHeader = 'x-agent-mailbox-sim-ending'

/** A fault rule that hit a request, and the operation of the request. */
export interface Disturbance {
  readonly rule: FaultRule
  readonly operation: Operation | undefined
}

/** Finds the fault rule that hits a request. Rules count their hits, so this is called once per request. */
export function findDisturbance(received: RoutedRequest): Disturbance | undefined {
  const { request, url, route, selected } = received
  const { faults } = selected.world
  const operation = route?.operation
  const handle = selects('handle', faults) ? agentNamedBy(received) : undefined
  const recipients = selects('where', faults) ? recipientsNamedBy(received) : []
  const rule = faults.hit({
    operation: operation?.id ?? null,
    method: request.method,
    path: url.path,
    handle,
    recipients,
  })
  return rule && { rule, operation }
}

/** Returns whether any fault rule concerns only requests about an agent, or those to a recipient. */
function selects(by: 'handle' | 'where', { rules }: World['faults']): boolean {
  return [...rules.values()].some(({ fault }) => fault[by] !== undefined)
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
