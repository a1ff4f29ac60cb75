import { parseJson } from '../../base/json.js'
import { parseMailboxList } from '../../mail/address.js'
import { createSilentSettle } from '../assumptions/settle.js'
import { Query } from '../operations/operation.js'
import { decodePart, type ReceivedRequest } from '../operations/request.js'
import { RequestError } from '../operations/request-error.js'
import { addressesOf } from '../rendering/header-fields.js'
import type { World } from '../world/world.js'
import type { Route } from './routes.js'

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
export function agentNamedBy(received: RoutedRequest): string | undefined {
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
  const found = createSilentSettle(assumptions)('identities.handle-case', {
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
  const settle = createSilentSettle(selected.world.assumptions)
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
export function recipientsNamedBy(received: RoutedRequest): string[] {
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
