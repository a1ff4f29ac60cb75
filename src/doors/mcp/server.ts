import {
  type CallToolResult,
  type Tool as ListedTool,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { version } from '../../base/package.js'
import { expectedOneOf, shorten } from '../../base/text.js'
import { bearerKey } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import { serviceRequest } from './calls.js'
import {
  followMailboxes,
  listMailboxes,
  mailboxTemplate,
  type OwnMailboxes,
  readResource,
} from './resources.js'
import type { Surface } from './surface.js'
import type { Caller, Tool } from './tool.js'

/** The caller of everything on one connection that is not HTTP. */
export type ConnectedCaller = Pick<Caller, 'key' | 'base'>

/** The kind of protocol revision: with a handshake, or stateless since 2026-07-28. */
type Era = McpRequestContext['era']

/**
 * Creates the server of one connection, one session or one request; `caller` is undefined over HTTP, where `key` is that of
 * the request.
 */
export function createServer(
  surface: Surface,
  era: Era,
  caller?: ConnectedCaller,
  key: string | undefined = caller?.key,
): Server {
  const { name, title, service } = surface
  const capabilities = { tools: {}, ...(service && { resources: { subscribe: true } }) }
  const instructions = surface.instructions?.(key)
  const server = new Server(
    { name, title, version },
    { capabilities, jsonSchemaValidator: noValidator, ...(instructions !== undefined && { instructions }) },
  )
  const callerOf = (context: ServerContext) => readCaller(context, caller)
  server.setRequestHandler('tools/list', (_request, context) => {
    return { tools: surface.tools(callerOf(context)).map(listed) }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const from = callerOf(context)
    const tools = surface.tools(from)
    const tool = tools.find((one) => one.name === params.name)
    const { name, arguments: input = {} } = params
    if (tool) return (await tool.call(input, from)) as CallToolResult
    const names = tools.map((one) => one.name)
    const message = `There is no tool "${shorten(name)}"${expectedOneOf(name, names, '.')}`
    service?.recordRefusedCall({ tool: name, input, status: 404, message, key: from.key })
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  })
  if (service) addResources(server, service, callerOf, era === 'modern' ? caller : undefined)
  return server
}

/** This server asks clients for nothing, so there is nothing to check. */
const noValidator = {
  getValidator(): never {
    throw new TypeError('Nothing is validated here.')
  },
}

function listed({ call, ...tool }: Tool): ListedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const described = {
    name,
    title,
    description,
    inputSchema,
    annotations,
    ...(outputSchema && { outputSchema }),
  }
  return described as unknown as ListedTool
}

function readCaller({ http, mcpReq }: ServerContext, connected: ConnectedCaller | undefined): Caller {
  const { req } = http ?? {}
  if (!req) return { key: undefined, base: '', ...connected, signal: mcpReq.signal, header: () => null }
  const { origin, pathname } = new URL(req.url)
  return {
    key: bearerKey(req),
    // In the process, the service may be below a path.
    base: origin + pathname.slice(0, pathname.lastIndexOf('/mcp')),
    signal: AbortSignal.any([mcpReq.signal, req.signal]),
    header: (name) => req.headers.get(name),
  }
}

/** Adds the mailboxes and the stored files, and updates of mailboxes for those who subscribed to them. */
function addResources(
  server: Server,
  service: Service,
  callerOf: (context: ServerContext) => Caller,
  connected: ConnectedCaller | undefined,
): void {
  server.setRequestHandler('resources/list', async (_request, context) => {
    return { resources: await listMailboxes(service, callerOf(context)) }
  })
  server.setRequestHandler('resources/templates/list', () => {
    const mimeType = 'application/json'
    return { resourceTemplates: [{ uriTemplate: mailboxTemplate, name: 'mailbox', mimeType }] }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const contents = await readResource(uri, service, callerOf(context))
    if (!contents) throw new ResourceNotFoundError(uri)
    return { contents: [contents] }
  })
  /** What was subscribed to with each key, and what ends following it. */
  const followed = new Map<string | undefined, { readonly uris: Set<string>; readonly stop: () => void }>()
  const follow = (mailboxes: OwnMailboxes, isWanted: (uri: string) => boolean): (() => void) => {
    return followMailboxes(mailboxes, (uri) => {
      if (isWanted(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined)
    })
  }
  server.onclose = () => {
    for (const { stop } of followed.values()) stop()
  }
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    const from = callerOf(context)
    const known = await listMailboxes(service, from)
    const mailboxes = service.presentOrganizationFor(serviceRequest('GET', from.base, from))
    if (!mailboxes || !known.some((one) => one.uri === uri)) throw new ResourceNotFoundError(uri)
    const { uris } = followed.get(from.key) ?? { uris: new Set<string>() }
    uris.add(uri)
    if (!followed.has(from.key)) {
      followed.set(from.key, { uris, stop: follow(mailboxes, (one) => uris.has(one)) })
    }
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }, context) => {
    followed.get(callerOf(context).key)?.uris.delete(uri)
    return {}
  })
  // Since revision 2026-07-28, the connection itself knows what was subscribed to.
  if (!connected) return
  const caller = { ...connected, signal: new AbortController().signal, header: () => null }
  const mailboxes = service.presentOrganizationFor(serviceRequest('GET', caller.base, caller))
  if (mailboxes) followed.set(undefined, { uris: new Set(), stop: follow(mailboxes, () => true) })
}
