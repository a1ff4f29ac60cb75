import {
  type CallToolResult,
  createMcpHandler,
  InMemoryTransport,
  isLegacyRequest,
  type Tool as ListedTool,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { isTooDeep, maxDepth } from '../../base/json.js'
import { version } from '../../base/package.js'
import { expectedOneOf, shorten } from '../../base/text.js'
import { bearerKey } from '../../service/operations/request.js'
import type { Caller, Tool } from './tool.js'
import type { Tools } from './tools.js'

/** What is told of a connection over stdio. */
interface StdioListener {
  /** Called when the connection has ended. */
  readonly onClose: () => void
  /** Called with what is wrong with a message or with the connection. */
  readonly onError: (error: Error) => void
}

const noMessage = 'A line of the input is not a message of JSON-RPC 2.0.'

/** Serves tools over the input and output of this process until the input ends. */
export function serveOverStdio(
  tools: Tools,
  caller: ConnectedCaller,
  { onClose, onError }: StdioListener,
): StdioServerHandle {
  const transport = new StdioServerTransport()
  // The reason why a line is no message is a page of alternatives.
  const onerror = (error: Error): void => onError('issues' in error ? new Error(noMessage) : error)
  const connection = serveStdio(() => createServer(tools, caller), { transport, onerror })
  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    onClose()
  }
  return connection
}

/** Serves tools to a client in this process; returns the client's transport. */
export function serveInProcess(tools: Tools, caller: ConnectedCaller): Transport {
  const [client, transport] = InMemoryTransport.createLinkedPair()
  serveStdio(() => createServer(tools, caller), { transport })
  return client
}

/** The bounds of a message. The service itself refuses less, with the error that its assumptions say. */
const bounds = { maxRequestBodySize: 4_194_304 }

/** Returns a function that responds to HTTP requests: to each by itself, in the revision of the protocol that it speaks. */
export function createHttpAnswer(tools: Tools): (request: Request) => Promise<Response> {
  const create = ({ requestInfo }: McpRequestContext) => {
    return createServer(tools, { key: requestInfo && bearerKey(requestInfo) })
  }
  const handler = createMcpHandler(create, bounds)
  return async (received) => {
    const request = withTypes(received)
    const isLegacy = request.method === 'POST' && (await isLegacyRequest(request, undefined, bounds))
    if (!isLegacy) return handler.fetch(request)
    // The handler would respond with a stream, of which nobody sees whether the call is still in progress.
    const transport = new WebStandardStreamableHTTPServerTransport({ ...bounds, enableJsonResponse: true })
    const server = await createServer(tools, { key: bearerKey(request) })
    await server.connect(transport)
    return transport.handleRequest(request)
  }
}

/** Returns a request that names the types of the protocol, also if its client accepts anything. */
function withTypes(request: Request): Request {
  const accept = request.headers.get('accept')
  if (accept && !accept.includes('*/*')) return request
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(request, { headers })
}

/** Who calls the tools of a connection. Over HTTP, `base` is that of each request. */
interface ConnectedCaller extends Pick<Caller, 'key'> {
  readonly base?: string
}

/** Creates the server of one connection, or of one HTTP request. */
export async function createServer(tools: Tools, connected: ConnectedCaller): Promise<Server> {
  const instructions = await tools.instructions(connected.key)
  const server = new Server(
    { name: 'agent-mailbox', title: 'Agent mailbox', version },
    {
      capabilities: { tools: {} },
      jsonSchemaValidator: noValidator,
      ...(instructions !== undefined && { instructions }),
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: tools.of(connected.key).map(listed) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params
    const offered = tools.of(connected.key)
    const tool = offered.find((one) => one.name === name)
    const isTooMuch = isTooDeep(input)
    if (tool && !isTooMuch) return (await tool.call(input, callerIn(context, connected))) as CallToolResult
    const names = offered.map((one) => one.name)
    const message = tool
      ? `The arguments nest lists and objects more than ${maxDepth} deep.`
      : `There is no tool "${shorten(name)}"${expectedOneOf(name, names, '.')}`
    const known = { tool: name, input: isTooMuch ? {} : input, status: tool ? 400 : 404, message }
    tools.service.recordRefusedCall({ ...known, key: connected.key })
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  })
  return server
}

/** This server asks clients for nothing, so there is nothing to check. */
const noValidator = {
  getValidator(): never {
    throw new TypeError('Nothing is validated here.')
  },
}

function listed({ name, title, description, inputSchema, annotations }: Tool): ListedTool {
  return { name, title, description, inputSchema, annotations } as unknown as ListedTool
}

function callerIn({ http, mcpReq }: ServerContext, { key, base = '' }: ConnectedCaller): Caller {
  const { req } = http ?? {}
  if (!req) return { key, base, signal: mcpReq.signal }
  const { origin, pathname } = new URL(req.url)
  return {
    key: bearerKey(req),
    // In the process, the service may be below a path.
    base: origin + pathname.slice(0, pathname.lastIndexOf('/mcp')),
    signal: AbortSignal.any([mcpReq.signal, req.signal]),
  }
}
