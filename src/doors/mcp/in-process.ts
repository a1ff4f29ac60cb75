import type { Transport } from '@modelcontextprotocol/server'
import { defaultBaseUrl } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import type { ToolOptions } from './tool.js'
import { Tools } from './tools.js'

/** A transport of a client of the Model Context Protocol, for the official SDK, version 1 or 2. */
export interface McpTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  start(): Promise<void>
  send(message: unknown): Promise<void>
  close(): Promise<void>
}

/** Connects a client in this process to a service, without sockets; loads the protocol when the client starts. */
export class InProcessTransport implements McpTransport {
  onmessage: McpTransport['onmessage']
  onclose: McpTransport['onclose']
  onerror: McpTransport['onerror']
  readonly #link: () => Promise<Transport>
  #linked: Transport | undefined

  /** `key` selects the world. */
  constructor(service: Service, key: string, options: ToolOptions) {
    this.#link = async () => {
      const { origin, pattern } = service.baseUrl
      const caller = { key, base: origin === undefined ? defaultBaseUrl : pattern }
      const { serveInProcess } = await import('./connection.js')
      return serveInProcess(new Tools(service, options), caller)
    }
  }

  async start(): Promise<void> {
    if (this.#linked) throw new Error('This transport is in use already; mcp() creates another.')
    const linked = await this.#link()
    this.#linked = linked
    linked.onmessage = (message) => this.onmessage?.(copyOf(message))
    linked.onclose = () => this.onclose?.()
    linked.onerror = (error) => this.onerror?.(error)
    await linked.start()
  }

  async send(message: unknown): Promise<void> {
    if (!this.#linked) throw new Error('This transport has not been started.')
    await this.#linked.send(copyOf(message) as never)
  }

  async close(): Promise<void> {
    await this.#linked?.close()
  }
}

/** Copies a message as a wire would, so that neither side can change what the other has. */
function copyOf(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message))
}
