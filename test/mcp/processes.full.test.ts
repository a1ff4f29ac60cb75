import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as StdioTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'
import { startProcess, startProgram } from '../cli/program.js'
import { folderOf } from '../support/temporary-folder.js'
import { generations } from './clients.js'

const program = built.main
const agent = fileURLToPath(new URL('agent.mjs', import.meta.url))

/** Returns whether a process exists. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each(generations)('mcp with $name', ({ name, create }) => {
  it('serves a client over stdio, also after a large argument, and ends with it', async () => {
    const args = [
      program,
      'mcp',
      'refund-request',
      '--extend',
      'common',
      '--clock',
      'frozen',
      '--api-key',
      'test-key',
    ]
    const Transport = name === 'sdk 1' ? StdioTransport1 : StdioClientTransport
    const transport = new Transport({ command: process.execPath, args, stderr: 'pipe' })
    const client = create()
    await client.connect(transport as StdioClientTransport)
    const { pid } = transport
    expect((await client.listTools()).tools.length).toBeGreaterThan(20)
    const description = 'x'.repeat(3_000_000)
    const large = await client.callTool({
      name: 'identities_update',
      arguments: { handle: 'support', description },
    })
    expect([large.isError, JSON.stringify(large.content)]).toEqual([true, expect.stringContaining('larger')])
    const listed = await client.callTool({ name: 'threads_list', arguments: { agent: 'support' } })
    expect(listed.structuredContent).toMatchObject({ total: expect.any(Number) })
    await client.close()
    await expect.poll(() => isRunning(pid as number)).toBe(false)
  })
})

describe('mcp', () => {
  it('ends when its client dies in the middle of a call', async () => {
    const child = spawn(process.execPath, [program, 'mcp', 'empty', '--json'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const [ready] = await once(child.stderr, 'data')
    const { control } = JSON.parse(String(ready))
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    await fetch(`${control}/faults`, { ...init, body: '{"delay":"1h"}' })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'threads_list', arguments: {} },
    }
    child.stdin.write(`${JSON.stringify(call)}\n{"jsonrpc":"2.0","id":2,"meth`)
    await expect.poll(async () => (await (await fetch(`${control}/faults`)).json()).faults[0].hit).toBe(1)
    child.stdin.destroy()
    child.stdout.destroy()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('says in one line that a line of its input is no message, and goes on', async () => {
    const child = spawn(process.execPath, [program, 'mcp', 'empty', '--json'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    await once(child.stderr, 'data')
    child.stdin.write('{"jsonrpc":"1.0","id":1}\n')
    const [told] = await once(child.stderr, 'data')
    expect(String(told)).toBe('error: A line of the input is not a message of JSON-RPC 2.0.\n')
    child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
    const [answer] = await once(child.stdout, 'data')
    expect(JSON.parse(String(answer))).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('keeps what a scenario in TypeScript and an extension log out of the protocol', async () => {
    const folder = await folderOf()
    const log = "console.log('loaded'); console.table([1]); "
    const story = join(folder, 'story.ts')
    writeFileSync(
      story,
      `${log} export default { scenario: 'logging', extend: './more.ts', identities: [{ handle: 'ada' }] }`,
    )
    const extension = `import { defineExtension } from 'agent-mailbox-sim'; ${log}
      export default defineExtension(({ operation }) => [operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', perform: () => { ${log} return {} } })])`
    writeFileSync(join(folder, 'more.ts'), extension)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', story],
      stderr: 'pipe',
    })
    const errors: Error[] = []
    const client = generations[1]?.create() as Client
    client.onerror = (error) => void errors.push(error)
    let logged = ''
    transport.stderr?.on('data', (text) => {
      logged += text
    })
    await client.connect(transport)
    expect((await client.callTool({ name: 'me_get', arguments: {} })).structuredContent).toEqual({})
    await client.close()
    expect([errors, logged.match(/loaded/g)?.length ?? 0]).toEqual([[], expect.any(Number)])
    expect(logged).toContain('loaded')
    const { stdout } = await startProgram(['openapi', '--extend', join(folder, 'more.ts')]).outcome
    expect(() => JSON.parse(stdout)).not.toThrow()
  })

  it('explains what it cannot start with', async () => {
    const { status, stdout, stderr } = await startProgram(['mcp', 'no-such-story']).outcome
    expect([status, stderr, stdout]).toEqual([2, expect.stringContaining('no-such-story'), ''])
  })
})

describe('a server', () => {
  it('loads the protocol with the first request that needs it', async () => {
    const script = `(async () => {
      const { startServer } = require(${JSON.stringify(fileURLToPath(new URL('../../dist/doors/server/entry.cjs', import.meta.url)))})
      const { readFileSync } = require('node:fs')
      const isLoaded = () => Object.keys(require.cache).some((file) => readFileSync(file, 'utf8').includes('subscriptions/listen'))
      const server = await startServer({ scenario: 'empty', port: 0 })
      await fetch(server.url + '/api/v1/webhooks')
      await fetch(server.controlUrl + '/world')
      const before = isLoaded()
      await fetch(server.mcpUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      console.log(before, isLoaded())
      await server.close()
    })()`
    expect(await startProcess([process.execPath, '-e', script]).outcome).toMatchObject({
      status: 0,
      stdout: 'false true\n',
    })
  })

  it('serves 200 clients simultaneously, and ends although some of them do not', async () => {
    const server = await startServer({ scenario: 'refund-request', port: 0, clock: 'frozen' })
    const headers = { authorization: 'Bearer test-key' }
    const clients = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { create, overHttp } = generations[index % 3] as (typeof generations)[number]
        const client = create()
        await client.connect(overHttp(server.mcpUrl, headers))
        return client
      }),
    )
    const results = await Promise.all(
      clients.map((client) => client.callTool({ name: 'threads_list', arguments: { limit: 1 } })),
    )
    expect(new Set(results.map(({ content }) => JSON.stringify(content))).size).toBe(1)
    expect(server.simulator.journal.exchanges()).toHaveLength(200)
    await Promise.all(clients.slice(50).map((client) => client.close()))
    const waiting = clients.slice(0, 50).map((client) => {
      return client.callTool({ name: 'threads_list', arguments: {} }).catch(() => 'broken off')
    })
    server.simulator.faults.add({ operation: 'threads.list', delay: '1h' })
    await server.close()
    expect((await Promise.all(waiting)).length).toBe(50)
    await Promise.all(clients.map((client) => client.close()))
  })
})

describe('replay', () => {
  it('judges an agent that only has tools', async () => {
    const story = join(await folderOf(), 'story.yaml')
    writeFileSync(
      story,
      `scenario: refund
extend: [common]
organization: { api_keys: [test-key] }
identities: [{ handle: support, mailbox_address: support@agents.example }]
timeline:
  - { after: 1s, receive: { to: support, from: Ann <ann@example.com>, subject: Refund, text: Where is my refund? } }
expect:
  - { request: threads.list, at_least: 1 }
  - { request: messages.reply, times: 1 }
  - { sent: { from: support, to: ann@example.com, text: /249/ }, times: 1 }
  - { invariant: acts-once }
`,
    )
    const words = ['replay', story, '--reporter', 'json', '--clock', '10x', '--', process.execPath, agent]
    const { status, stdout } = await startProgram(words).outcome
    expect(JSON.parse(stdout)).toMatchObject({ passed: true })
    expect(status).toBe(0)
  })
})
