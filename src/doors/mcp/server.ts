import {
  type CallToolResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { version } from '../../base/package.js'
import { expectedOneOf, shorten } from '../../base/text.js'
import { bearerKey } from '../../service/operations/request.js'
import type { Caller, Tool } from './tool.js'
import type { Tools } from './tools.js'

/** Who calls the tools of a connection. Over HTTP, `base` is that of each request. */
export interface ConnectedCaller extends Pick<Caller, 'key'> {
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
    if (tool) return (await tool.call(input, callerIn(context, connected))) as CallToolResult
    const names = offered.map((one) => one.name)
    const message = `There is no tool "${shorten(name)}"${expectedOneOf(name, names, '.')}`
    tools.service.recordRefusedCall({ tool: name, input, status: 404, message, key: connected.key })
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
