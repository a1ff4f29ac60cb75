import { Client } from '@modelcontextprotocol/client'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { type RunningServer, startServer } from 'agent-mailbox-sim/server'
import { request } from 'undici'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { HttpEndpoint } from '../../src/doors/mcp/http.js'
import { createSurface } from '../../src/doors/mcp/surface.js'
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

/** Returns a mailbox, and the address of its tools if a client gets them from there. */
async function open(how: string): Promise<readonly [Simulator, string?]> {
  if (how !== 'intercepted') {
    const { simulator, mcpUrl } = await serve()
    return how === 'over HTTP' ? [simulator, mcpUrl] : [simulator]
  }
  const mailbox = await listen({ scenario })
  closing.push(async () => mailbox.close())
  return [mailbox, `${mailbox.baseUrl}/mcp`]
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
      expect(sim.journal.exchanges().map(({ query, status }) => [query, status])).toEqual([
        [{}, 404],
        [{}, 400],
        [{ limit: 'many', stray: '1' }, 400],
        [{}, 413],
        [{}, 414],
      ])
    },
  )

  it('reads mailboxes and attachments', async () => {
    const server = await serve({ mcp: { links: true } })
    const client = await overHttp(generation, server.mcpUrl, 'desk-key')
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri: 'mailbox:///support', mimeType: 'application/json' }])
    const mailbox = await client.readResource({ uri: 'mailbox:///support' })
    expect(JSON.parse((mailbox.contents[0] as { text: string }).text)).toMatchObject({ total: 1 })
    const { content } = await client.callTool({ name: 'messages_list', arguments: {} })
    const links = content.flatMap((one) => (one.type === 'resource_link' ? [one] : []))
    expect(links).toMatchObject([
      { name: 'note.txt', mimeType: 'text/plain', uri: expect.stringContaining(server.url) },
      { name: 'dot.png', mimeType: 'image/png' },
    ])
    const read = (attachment: unknown) => {
      return client.callTool({ name: 'attachments_read', arguments: { attachment } })
    }
    const shown = await Promise.all(links.map(({ uri }) => read(uri)))
    expect(shown.map((one) => one.content)).toEqual([
      [{ type: 'text', text: 'Hello' }],
      [{ type: 'image', data: 'iVBORw0=', mimeType: 'image/png' }],
    ])
    const byId = await read(/att_\w+/.exec(links[0]?.uri ?? '')?.[0])
    expect(byId.content).toEqual(shown[0]?.content)
    for (const wrong of ['att_0', `${server.url}/_sim/world`, 'note.txt', 7]) {
      expect(await read(wrong), String(wrong)).toMatchObject({ isError: true })
    }
    const files = await Promise.all(links.map(({ uri }) => client.readResource({ uri })))
    expect(files.flatMap(({ contents }) => contents)).toMatchObject([{ text: 'Hello' }, { blob: 'iVBORw0=' }])
    for (const uri of ['mailbox:///nobody', 'file:///etc/passwd', `${server.url}/_sim/world`, 'x']) {
      await expect(client.readResource({ uri })).rejects.toThrow()
    }
    expect(server.simulator.journal.exchanges().every(({ via }) => via === 'mcp')).toBe(true)
  })

  it.each(['in the process', 'over HTTP', 'intercepted'])(
    'learns of mail for a mailbox it subscribed to, %s',
    async (how) => {
      const [simulator, mcpUrl] = await open(how)
      const client = mcpUrl
        ? await overHttp(generation, mcpUrl, 'desk-key')
        : await connected(generation, simulator)
      const updated: string[] = []
      const note = (notification: { params: { uri: string } }) => void updated.push(notification.params.uri)
      const uri = 'mailbox:///support'
      if (generation.name === 'sdk 1') {
        const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
        client.setNotificationHandler(ResourceUpdatedNotificationSchema as never, note as never)
      } else client.setNotificationHandler('notifications/resources/updated', note)
      if (generation.name.endsWith('2026-07-28')) await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
      const other = simulator.fork()
      await other.mail.receive({ to: 'support', from: 'ann@example.com', text: 'Elsewhere' })
      expect(updated).toEqual([])
      await expect
        .poll(async () => {
          // A client opens its stream after the handshake, without saying when it is open.
          await simulator.mail.receive({ to: 'support', from: 'ann@example.com', text: 'News' })
          return updated[0]
        })
        .toBe(uri)
    },
  )

  it.runIf(farApart.includes(generation))(
    'learns nothing of mail for a mailbox that its key cannot read',
    async () => {
      const server = await serve({ assume: { 'auth.keys': 'listed-keys' } })
      const stranger = await overHttp(generation, server.mcpUrl, 'a-strangers-key')
      const owner = await overHttp(generation, server.mcpUrl, 'desk-key')
      const updated: string[] = []
      const uri = 'mailbox:///support'
      for (const [name, client] of Object.entries({ stranger, owner })) {
        const note = () => void updated.push(name)
        if (generation.name === 'sdk 1') {
          const { ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
          client.setNotificationHandler(ResourceUpdatedNotificationSchema as never, note as never)
        } else client.setNotificationHandler('notifications/resources/updated', note)
        const isListening = generation.name.endsWith('2026-07-28')
        const subscribing = isListening
          ? client.listen({ resourceSubscriptions: [uri] })
          : client.subscribeResource({ uri })
        if (name === 'stranger' && !isListening) await expect(subscribing).rejects.toThrow()
        else await subscribing
      }
      await expect
        .poll(async () => {
          await server.simulator.mail.receive({ to: 'support', from: 'ann@example.com', text: 'News' })
          return updated.filter((name) => name === 'owner').length
        })
        .toBeGreaterThan(1)
      expect(updated).not.toContain('stranger')
    },
  )

  it('is told when its world is gone', async () => {
    const server = await serve()
    const world = server.simulator.fork()
    const client = await overHttp(generation, server.mcpUrl, world.apiKey)
    expect((await client.callTool({ name: 'threads_list', arguments: {} })).isError).toBeUndefined()
    world.close()
    const gone = await client.callTool({ name: 'threads_list', arguments: {} })
    expect([gone.isError, textsOf(gone)[0]]).toEqual([true, expect.stringContaining('dropped')])
    expect((await client.listResources()).resources).toEqual([])
  })

  it.runIf(farApart.includes(generation))('controls the simulator at an address of its own', async () => {
    const server = await serve({ mcpControls: true })
    const client = await overHttp(generation, `${server.mcpUrl}/controls`, 'desk-key')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['sim_receive', 'sim_advance', 'sim_add_fault', 'sim_reset', 'sim_journal', 'sim_assumptions'],
    ])
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: input })
      return { ...JSON.parse(textsOf(result)[0] ?? ''), ...(result.isError && { isError: true }) }
    }
    const agent = await overHttp(generation, server.mcpUrl, 'desk-key')
    expect((await agent.listTools()).tools.some(({ name }) => name.startsWith('sim_'))).toBe(false)
    const { thread } = await call('sim_receive', { to: 'support', from: 'bob@example.com', text: 'Hi' })
    expect(server.simulator.mailbox.conversation(thread.id).messages).toHaveLength(1)
    expect(await call('sim_advance', { advance: '5m' })).toMatchObject({ now: '2026-01-05T09:05:00.000Z' })
    await call('sim_add_fault', { operation: 'threads.list', status: 500, times: 1 })
    expect((await agent.callTool({ name: 'threads_list', arguments: {} })).isError).toBe(true)
    await agent.callTool({ name: 'threads_list', arguments: {} })
    expect(await call('sim_journal', { since: 1 })).toMatchObject({ exchanges: [{ seq: 2, via: 'mcp' }] })
    expect((await call('sim_assumptions')).reliances).toEqual(server.simulator.reliances())
    expect(await call('sim_add_fault', { status: 'x' })).toMatchObject({
      isError: true,
      error: { code: 'invalid_body' },
    })
    const other = server.simulator.fork()
    await call('sim_receive', { world: other.id, to: 'support', from: 'bob@example.com', text: 'There' })
    expect(other.summary().messages).toBe(2)
    expect(await call('sim_reset', { world: 'world_9' })).toMatchObject({ isError: true })
    await call('sim_reset')
    expect(server.simulator.summary().messages).toBe(1)
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
    const { tools: full } = await open({ schemas: 'full' })
    const { tools: bare } = await open({ schemas: 'none' })
    for (const told of [instructions, JSON.stringify(full)]) {
      expect(told).not.toMatch(/simulat|\bgap\b|\bfault|messages\.outbound-direction|\/api\//i)
    }
    expect(tools.some((tool) => 'outputSchema' in tool)).toBe(false)
    expect(bare.find(({ name }) => name === 'threads_list')).toMatchObject({
      inputSchema: { type: 'object' },
      description: expect.stringContaining('agent?, mailbox?, limit?, offset?'),
    })
    const sizes = [tokens(bare), tokens(tools), tokens(full)].map((size) => Math.round(size / 100) * 100)
    // As docs/recipes/mcp.md says.
    expect(sizes).toEqual([1800, 4300, 11_200])
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

describe('/mcp', () => {
  const post = (url: string, headers: Record<string, string>, body: unknown = 'x') => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    return fetch(url, { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) })
  }
  const accept = { accept: 'application/json, text/event-stream' }

  it('refuses pages of other origins, and has controls only if they are wanted', async () => {
    const server = await serve()
    const foreign = await post(server.mcpUrl, { origin: 'https://evil.example' })
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { code: 'foreign_origin' } }])
    expect((await post(`${server.mcpUrl}/controls`, accept)).status).toBe(404)
    expect((await fetch(server.mcpUrl)).status).toBe(405)
  })

  it('asks for the token of the control API where that needs one', async () => {
    const server = await serve({ mcpControls: true, controlToken: 'hush' })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const status = async (url: string, key: string) => {
      return (await post(url, { ...accept, authorization: `Bearer ${key}` }, list)).status
    }
    expect(await status(`${server.mcpUrl}/controls`, 'desk-key')).toBe(403)
    expect(await status(`${server.mcpUrl}/controls`, 'hush')).toBe(200)
    expect(await status(server.mcpUrl, 'desk-key')).toBe(200)
  })

  it('explains messages that it cannot read', async () => {
    const { mcpUrl } = await serve()
    const unreadable = await post(mcpUrl, accept, '{"jsonrpc":')
    expect([unreadable.status, await unreadable.json()]).toMatchObject([400, { error: { code: -32_700 } }])
    const lost = await post(
      mcpUrl,
      { ...accept, 'mcp-session-id': 'gone' },
      { jsonrpc: '2.0', id: 1, method: 'ping' },
    )
    expect([lost.status, await lost.json()]).toMatchObject([404, { error: { code: -32_001 } }])
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
    ['a million keys', `{"params":{${'"a":1,'.repeat(1_000_000)}"b":1}}`, '1000 in one object'],
    ['ten million brackets', '['.repeat(10_000_000), 'more than 100 deep'],
    ['too many values', `[${'1,'.repeat(60_000)}1]`, '50000 values at most'],
  ])('of %s is refused before it is parsed', async (_, body, problem) => {
    const server = await serve()
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer desk-key',
    }
    const answer = await fetch(server.mcpUrl, { method: 'POST', headers, body })
    expect(answer.status).toBe(413)
    expect((await answer.json()).error.message).toContain(problem)
  })
})

describe('a session with an open stream', () => {
  it('is kept, however many others begin, for the key that opened it', async () => {
    const { service } = await createSimulator({ scenario })
    const endpoint = new HttpEndpoint(createSurface(service), 3)
    const ask = async (method: string, body?: object, session?: string | null, key = 'desk-key') => {
      const headers = new Headers({
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(session && { 'mcp-session-id': session }),
      })
      const request = new Request('http://127.0.0.1/mcp', {
        method,
        headers,
        signal: ending.signal,
        ...(body && { body: JSON.stringify(body) }),
      })
      return endpoint.answer(request, body)
    }
    const ending = new AbortController()
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const open = async () => (await ask('POST', initialize)).headers.get('mcp-session-id')
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const [first, second] = [await open(), await open()]
    expect((await ask('GET', undefined, first, 'a-strangers-key')).status).toBe(404)
    expect((await ask('GET', undefined, first)).status).toBe(200)
    await open()
    await open()
    const [kept, ended] = [await ask('POST', list, first), await ask('POST', list, second)]
    expect([kept.status, ended.status]).toEqual([200, 404])
    ending.abort()
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
