import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { McpTransport } from '../../src/doors/mcp/in-process.js'

const info = { name: 'agent', version: '1.0.0' }

/** A client of the official SDK: version 2 in the stateless revision or with a handshake, or version 1. */
export interface Generation {
  readonly name: string
  create(): Client
  overHttp(url: string, headers: Readonly<Record<string, string>>): Parameters<Client['connect']>[0]
}

const version2 = (url: string, headers: Readonly<Record<string, string>>) => {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

export const generations: readonly Generation[] = [
  {
    name: 'client 2, revision 2026-07-28',
    create: () => new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    overHttp: version2,
  },
  { name: 'client 2, with a handshake', create: () => new Client(info), overHttp: version2 },
  {
    name: 'sdk 1',
    create: () => new Client1(info) as unknown as Client,
    overHttp: (url, headers) => {
      return new HttpTransport1(new URL(url), { requestInit: { headers } }) as unknown as ReturnType<
        typeof version2
      >
    },
  },
]

/** Connects a client to a mailbox in this process. */
export async function connected(generation: Generation, mailbox: { mcp(): McpTransport }): Promise<Client> {
  const client = generation.create()
  await client.connect(mailbox.mcp())
  return client
}
