import {
  createMcpHandler,
  InMemoryTransport,
  isLegacyRequest,
  type McpRequestContext,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { bearerKey } from '../../service/operations/request.js'
import { type ConnectedCaller, createServer } from './server.js'
import type { Tools } from './tools.js'

/** A connection to a client. */
export interface Connection {
  close(): Promise<void>
}

/** What is told of a connection over stdio. */
export interface StdioListener {
  /** Called when the connection has ended. */
  readonly onClose: () => void
  /** Called with what is wrong with a message or with the connection. */
  readonly onError: (error: Error) => void
}

/** Serves tools over the input and output of this process until the input ends. */
export function serveOverStdio(
  tools: Tools,
  caller: ConnectedCaller,
  { onClose, onError }: StdioListener,
): Connection {
  const transport = new StdioServerTransport()
  const connection = serveStdio(() => createServer(tools, caller), { transport, onerror: onError })
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
