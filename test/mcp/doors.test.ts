import { Client } from '@modelcontextprotocol/client'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { type RunningServer, startServer } from 'agent-mailbox-sim/server'
import { request } from 'undici'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { connected, type Generation, generations } from './clients.js'

const scenario = {
  scenario: 'desk',
  start: '2026-01-05T09:00:00Z',
  organization: { api_keys: ['desk-key'] },
  identities: [
    {
      handle: 'support',
      mailbox_address: 'support@agents.example',
      threads: [
        {
          key: 'refund',
          subject: 'Refund',
          messages: [
            {
              from: 'Ann <ann@example.com>',
              text: 'See the file.',
              attachments: [
                { filename: 'note.txt', content_type: 'text/plain', content: 'SGVsbG8=' },
                { filename: 'dot.png', content_type: 'image/png', content: 'iVBORw0=' },
              ],
            },
          ],
        },
      ],
    },
  ],
}

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(options: object = {}): Promise<RunningServer> {
  const server = await startServer({ scenario, port: 0, clock: 'frozen', ...options })
  closing.push(() => server.close())
  return server
}

async function overHttp(
  generation: Generation,
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = generation.create()
  await client.connect(generation.overHttp(url, { authorization: `Bearer ${key}`, ...headers }))
  closing.push(() => client.close())
  return client
}

const textsOf = ({ content }: Awaited<ReturnType<Client['callTool']>>) => {
  return content.flatMap((one) => (one.type === 'text' ? [one.text] : []))
}

/** The newest protocol and the oldest client; the others call the same tools. */
const farApart = [generations[0], generations.at(-1)]

describe.each(generations)('$name', (generation) => {
  it.runIf(farApart.includes(generation))('lists and calls every tool', async () => {
    const { mcpUrl, simulator } = await serve({ extend: ['common'] })
    const { threads } = simulator.mailbox.threads()
    const { messages } = simulator.mailbox.conversation(String(threads[0]?.id))
    const { thread_id, id: message_id } = messages[0] as (typeof messages)[number]
    const input: Record<string, unknown> = {
      ...{
        handle: 'support',
        agent: 'support',
        agent_handle: 'support',
        mailbox_address: 'new@agents.example',
      },
      ...{
        thread_id,
        message_id,
        webhook_id: 'whk_missing',
        unread: true,
        text: 'Hello',
        display_name: 'Busy',
      },
      ...{ to: ['bob@example.com'], url: 'http://127.0.0.1:1/hook', events: ['message.received'] },
      attachment: messages[0]?.attachments[0]?.id,
    }
    const client = await overHttp(generation, mcpUrl, simulator.apiKey)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    // Deletions come last.
    const isDeletion = ({ name }: { name: string }) => Number(name.endsWith('delete'))
    for (const tool of tools.toSorted((a, b) => isDeletion(a) - isDeletion(b))) {
      const { name, inputSchema, annotations, title, description } = tool
      const named = Object.keys(inputSchema.properties ?? {}).filter((key) => key in input)
      const own = Object.fromEntries(named.map((key) => [key, input[key]]))
      if (name === 'identities_create') own['agent_handle'] = 'new'
      const result = await client.callTool({ name, arguments: own })
      const isMissing = /^webhooks_(get|update|delete)/.test(name)
      const found = textsOf(result)[0]?.includes('not_found') ?? false
      expect([name, result.isError ?? false, found]).toEqual([name, isMissing, isMissing])
      expect(annotations?.readOnlyHint).toBe(
        /_(list|get|raw|read|whoami)$/.test(name) && name !== 'threads_mark_read',
      )
      expect([title, description]).toEqual([expect.any(String), expect.stringMatching(/\.$/)])
    }
    const called = simulator.journal.exchanges().map(({ operation }) => operation ?? 'attachments.read')
    expect(called.map((name) => name.replaceAll(/[.-]/g, '_')).toSorted()).toEqual(
      tools.map(({ name }) => name).toSorted(),
    )
  })

  it('gets errors of faults as results, and a reset as an error of the protocol', async () => {
    const sim = await createSimulator({ scenario })
    const client = await connected(generation, sim)
    const call = () => client.callTool({ name: 'threads_list', arguments: {} })
    sim.faults.add({ operation: 'threads.list', status: 503, retry_after: 7, times: 1 })
    const failed = await call()
    expect([failed.isError, ...textsOf(failed)]).toEqual([
      true,
      expect.stringMatching(/^\{"error":\{.*Service Unavailable/),
      'Retry-After: 7',
    ])
    sim.faults.add({ operation: 'threads.list', truncate: 20, times: 1 })
    const cut = await call()
    expect([cut.isError, ...textsOf(cut)]).toEqual([true, '{"threads":[{"id":"t'])
    sim.faults.add({ operation: 'threads.list', reset: true, times: 1 })
    await expect(call()).rejects.toThrow(/ECONNRESET/)
    sim.faults.add({ operation: 'threads.list', delay: '10s', times: 1 })
    let isDone = false
    const slow = call().then(() => {
      isDone = true
    })
    await call().catch(() => undefined)
    expect(isDone).toBe(false)
    await sim.clock.advance('10s')
    await slow
    expect(sim.journal.exchanges().map(({ status, fault }) => [status, fault !== null])).toEqual([
      [503, true],
      [200, true],
      [200, true],
      [200, false],
      [200, true],
    ])
  })

  it.runIf(farApart.includes(generation))(
    'refuses a wrong call with a clear error, and leaves wrong arguments to the service',
    async () => {
      const sim = await createSimulator({ scenario })
      const client = await connected(generation, sim)
      await expect(client.callTool({ name: 'threads_burn', arguments: {} })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('There is no tool "threads_burn";'),
      })
      const missing = await client.callTool({ name: 'identities_get', arguments: {} })
      expect([missing.isError, textsOf(missing)]).toEqual([true, ['The argument "handle" is missing.']])
      const wrong = await client.callTool({ name: 'threads_list', arguments: { limit: 'many', stray: 1 } })
      expect([wrong.isError, textsOf(wrong)[0]]).toEqual([true, expect.stringContaining('limit must be')])
      const large = await client.callTool({
        name: 'identities_update',
        arguments: { handle: 'support', description: 'x'.repeat(1_100_000) },
      })
      expect([large.isError, textsOf(large)[0]]).toEqual([true, expect.stringContaining('larger')])
      const long = await client.callTool({ name: 'threads_list', arguments: { agent: 'x'.repeat(20_000) } })
      expect([long.isError, textsOf(long)[0]]).toEqual([true, expect.stringContaining('at most 16384 fit')])
      const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)
      const nested = client.callTool({ name: 'identities_get', arguments: { handle: deep } })
      await expect(nested).rejects.toThrow('The arguments nest lists and objects more than 100 deep.')
      expect(sim.journal.exchanges().map(({ query, status }) => [query, status])).toEqual([
        [{}, 404],
        [{}, 400],
        [{ limit: 'many', stray: '1' }, 400],
        [{}, 413],
        [{}, 414],
        [{}, 400],
      ])
    },
  )

  it('reads attachments', async () => {
    const server = await serve()
    const client = await overHttp(generation, server.mcpUrl, 'desk-key')
    const { structuredContent } = await client.callTool({ name: 'messages_list', arguments: {} })
    const { messages } = structuredContent as { messages: { attachments: { url: string }[] }[] }
    const files = messages[0]?.attachments ?? []
    const read = (attachment: unknown) => {
      return client.callTool({ name: 'attachments_read', arguments: { attachment } })
    }
    const shown = await Promise.all(files.map(({ url }) => read(url)))
    expect(shown.map((one) => one.content)).toEqual([
      [{ type: 'text', text: 'Hello' }],
      [{ type: 'image', data: 'iVBORw0=', mimeType: 'image/png' }],
    ])
    const byId = await read(/att_\w+/.exec(files[0]?.url ?? '')?.[0])
    expect(byId.content).toEqual(shown[0]?.content)
    for (const wrong of ['att_0', `${server.url}/_sim/world`, 'note.txt', 7]) {
      expect(await read(wrong), String(wrong)).toMatchObject({ isError: true })
    }
    expect(server.simulator.journal.exchanges().every(({ via }) => via === 'mcp')).toBe(true)
  })

  it('is told when its world is gone', async () => {
    const server = await serve()
    const world = server.simulator.fork()
    const client = await overHttp(generation, server.mcpUrl, world.apiKey)
    expect((await client.callTool({ name: 'threads_list', arguments: {} })).isError).toBeUndefined()
    world.close()
    const gone = await client.callTool({ name: 'threads_list', arguments: {} })
    expect([gone.isError, textsOf(gone)[0]]).toEqual([true, expect.stringContaining('dropped')])
  })
})

describe('what a model is told', () => {
  const tokens = (value: unknown) => Math.round(JSON.stringify(value).length / 3.8)
  const open = async (...options: Parameters<Simulator['mcp']>) => {
    const sim = await createSimulator({ scenario: 'refund-conversation', extend: ['common'] })
    const client = new Client({ name: 'agent', version: '1.0.0' })
    await client.connect(sim.mcp(...options))
    return { sim, client, tools: (await client.listTools()).tools }
  }

  it('says whose mailbox it is and describes every argument, in few words and without how it is tested', async () => {
    const { sim, client, tools } = await open()
    const [mailbox] = sim.identities.list()
    const instructions = client.getInstructions() ?? ''
    for (const part of [
      mailbox?.mailbox_address,
      mailbox?.agent_handle,
      'offset',
      'messages_reply',
      'attachments_read',
    ])
      expect(instructions).toContain(part)
    const undescribed = tools.flatMap(({ name, inputSchema }) => {
      return Object.entries(inputSchema.properties ?? {}).flatMap(([key, schema]) => {
        const { description = '' } = schema as { description?: string }
        return /\S \S|^Subject$/.test(description) ? [] : [`${name}.${key}: ${description}`]
      })
    })
    expect(undescribed).toEqual([])
    for (const told of [instructions, JSON.stringify(tools)]) {
      expect(told).not.toMatch(/simulat|\bgap\b|\bfault|messages\.outbound-direction|\/api\//i)
    }
    expect(tools.some((tool) => 'outputSchema' in tool)).toBe(false)
    // As docs/recipes/mcp.md says.
    expect(Math.round(tokens(tools) / 100) * 100).toBe(4200)
  })

  it('offers only the tools that were chosen', async () => {
    const { client, tools } = await open({ tools: ['threads_*', 'messages_*', '!messages_forward'] })
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['threads_list', 'messages_reply_all']))
    expect(names.filter((name) => !/^(threads|messages)_/.test(name) || name === 'messages_forward')).toEqual(
      [],
    )
    expect(client.getInstructions()).not.toContain('attachments_read')
    await expect(client.callTool({ name: 'messages_forward', arguments: {} })).rejects.toThrow('no tool')
    const { tools: others } = await open({ tools: ['!identities_*'] })
    expect(others.some(({ name }) => name.startsWith('identities_'))).toBe(false)
    expect(others.length).toBeGreaterThan(10)
    await expect(serve({ mcp: { tools: ['thread_list'] } })).rejects.toThrow('did you mean "threads_list"?')
  })
})

const accept = { accept: 'application/json, text/event-stream' }

describe('/mcp', () => {
  const post = (url: string, headers: Record<string, string>, body: unknown = 'x') => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    return fetch(url, { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) })
  }
  it('refuses pages of other origins, and has nothing beside it', async () => {
    const server = await serve()
    const foreign = await post(server.mcpUrl, { origin: 'https://evil.example' })
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { code: 'foreign_origin' } }])
    expect((await post(`${server.mcpUrl}/controls`, accept)).status).toBe(404)
    expect((await fetch(server.mcpUrl)).status).toBe(405)
  })

  it('explains messages that it cannot read', async () => {
    const { mcpUrl } = await serve()
    const unreadable = await post(mcpUrl, accept, '{"jsonrpc":')
    expect([unreadable.status, await unreadable.json()]).toMatchObject([400, { error: { code: -32_700 } }])
  })

  it('is served with a slash at the end, to a client that accepts anything', async () => {
    const { mcpUrl } = await serve()
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const headers = { accept: '*/*', authorization: 'Bearer desk-key' }
    const answer = await post(`${mcpUrl}/`, headers, initialize)
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { result: { instructions: expect.stringContaining('support@agents.example') } },
    ])
  })

  it('needs a key as the service does', async () => {
    const { mcpUrl } = await serve()
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'threads_list', arguments: {} },
    }
    const text = await (await post(mcpUrl, accept, call)).text()
    expect(text).toContain('This needs the header Authorization')
  })
})

describe('a message', () => {
  it.each([
    ['many keys', `{"params":{${'"a":1,'.repeat(1_000_000)}"b":1}}`, 413],
    ['ten million brackets', '['.repeat(10_000_000), 413],
    ['half a million brackets', '['.repeat(500_000) + ']'.repeat(500_000), 400],
  ])('of %s is refused, and the next one is answered', async (_, body, status) => {
    const { mcpUrl } = await serve()
    const headers = { 'content-type': 'application/json', ...accept }
    const answer = await fetch(mcpUrl, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([
      status,
      expect.objectContaining({ jsonrpc: '2.0' }),
    ])
    const next = await fetch(mcpUrl, {
      method: 'POST',
      headers,
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    expect((await next.json()).result.tools.length).toBeGreaterThan(4)
  })
})

describe.each(generations)('$name, intercepted', ({ create, overHttp: transportTo }) => {
  it('reaches the tools of each world at the base URL, without a socket', async () => {
    const mailbox = await listen({ scenario, baseUrl: 'https://mail.test/base' })
    onTestFinished(() => mailbox.close())
    const { baseUrl } = mailbox
    const other = mailbox.fork()
    const client = create()
    await client.connect(transportTo(`${baseUrl}/mcp`, { authorization: `Bearer ${other.apiKey}` }))
    onTestFinished(() => client.close())
    await other.mail.receive({ to: 'support', subject: 'New', text: 'Hello' })
    const { structuredContent } = await client.callTool({
      name: 'threads_list',
      arguments: { agent: 'support' },
    })
    expect(structuredContent).toMatchObject({ total: 2 })
    expect([mailbox, other].map(({ journal }) => journal.exchanges().length)).toEqual([0, 1])
    const answer = await fetch(`${baseUrl}/mcp/`, { method: 'PUT' })
    expect([answer.status, await answer.json()]).toEqual([405, expect.objectContaining({ jsonrpc: '2.0' })])
    const viaUndici = await request(`${baseUrl}/mcp`, { method: 'PUT' })
    expect(viaUndici.statusCode).toBe(405)
    await viaUndici.body.dump()
  })
})
