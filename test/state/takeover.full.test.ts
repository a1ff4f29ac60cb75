import { execFileSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, describe as suite } from 'vitest'
import { startReceiver } from '../deliveries/receiver.js'
import { ask } from '../server/control-client.js'
import { follow } from '../server/event-stream.js'
import { openSocket, readAnswers, requestText } from '../server/raw-request.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf } from './open-desk.js'
import {
  freePort,
  isInstalled,
  mustRun,
  patiently,
  type Started,
  startNode,
  startStore,
  storeProgram,
  whySkipped,
  writeScenario,
} from './programs.js'

let folder = ''

beforeEach(async () => {
  folder = await folderOf()
})

/** Starts a store and a number of servers. */
async function startAll(count: number): Promise<{ store: Started; nodes: readonly Started[] }> {
  const store = await startStore(folder, await freePort())
  const scenario = writeScenario(folder)
  const starting = Array.from({ length: count }, async () =>
    startNode(scenario, await freePort(), '--state', store.url),
  )
  return { store, nodes: await Promise.all(starting) }
}

/** The URL of the control API of a server. */
function controlOf({ url }: Started) {
  return { controlUrl: `${url}/_sim` }
}

/** The program that talks to the store. */
const client = storeProgram?.replace('server', 'cli') ?? ''

/** Sends a command to the store and returns the answer. */
function command({ url }: Started, ...words: string[]): string {
  return execFileSync(client, ['-u', url, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

const needsStore = it.skipIf(storeProgram === undefined && !mustRun)
const suffix = `(${storeProgram ?? whySkipped})`

/** Returns the description on a server; retries while another one claims the world. */
async function shownBy(server: Started): Promise<string | undefined> {
  return (await patiently(() => descriptionOf(server, 'desk-key', 'ann'))).description
}

suite('a world taken over by another server', () => {
  needsStore(
    `continues its deliveries without losses, repeating only those in flight ${suffix}`,
    async () => {
      const { nodes } = await startAll(2)
      const [first, second] = nodes as [Started, Started]
      const received: { id: string; refused: boolean }[] = []
      const held: ServerResponse[] = []
      const { origin } = await startReceiver({
        '/hook': (response, { body }) => {
          const refused = received.length < 5
          received.push({ id: JSON.parse(body).id, refused })
          if (received.length === 6) held.push(response)
          else response.writeHead(refused ? 500 : 200).end()
        },
      })
      // The receiver may be slow on a busy machine.
      const patient = { 'events.timeout': '30s' }
      expect((await ask(controlOf(first), 'PATCH', '/assumptions', { body: patient })).status).toBe(200)
      const subscription = { url: `${origin}/hook`, events: ['message.received'] }
      expect((await ask(controlOf(first), 'POST', '/webhooks', { body: subscription })).status).toBe(201)
      for (let count = 1; count <= 6; count++) {
        const body = { to: 'ann', from: 'Ann <ann@example.com>', subject: `Mail ${count}`, text: 'Hello' }
        expect((await ask(controlOf(first), 'POST', '/messages', { body })).status).toBe(201)
        // One after another, so that only the last one is in flight.
        while (received.length < count) await sleep(5)
      }
      await first.kill()
      const clock = await ask(controlOf(second), 'POST', '/clock', { body: { advance: '2d' } })
      expect(clock.status).toBe(200)
      const { body } = await ask(controlOf(second), 'GET', '/deliveries')
      expect(body.deliveries.map(({ status }: { status: string }) => status)).toEqual(
        Array(6).fill('succeeded'),
      )
      const times = new Map<string, boolean[]>()
      for (const { id, refused } of received) times.set(id, [...(times.get(id) ?? []), refused])
      expect([...times.values()]).toEqual([...Array(5).fill([true, false]), [false, false]])
      expect(held).toHaveLength(1)
    },
  )

  needsStore(`ends the streams of its events, and tells that some may be missing ${suffix}`, async () => {
    const { nodes } = await startAll(2)
    const [first, second] = nodes as [Started, Started]
    const { body: fork } = await ask(controlOf(first), 'POST', '/worlds', { body: {} })
    for (const { id, key } of [
      { id: 'world_1', key: 'desk-key' },
      { id: fork.id, key: fork.api_key },
    ]) {
      const follower = await follow(controlOf(first).controlUrl, `?world=${id}`)
      const read = (server: Started) => patiently(() => descriptionOf(server, key, 'ann'))
      await read(first)
      const [seen] = await follower.have(1)
      for (let count = 0; count < 3; count++) await read(second)
      await follower.ended
      const query = `?world=${id}&types=exchange`
      const back = await follow(controlOf(second).controlUrl, query, { 'last-event-id': seen?.id ?? '' })
      const [gap, ...exchanges] = await back.have(4)
      expect(gap).toMatchObject({ event: 'gap', data: { missed: null } })
      expect(exchanges).toHaveLength(3)
      const path = `/journal?since=${seen?.data.data.seq}`
      expect((await ask(controlOf(second), 'GET', path, { world: id })).body.missed).toBe(null)
      // The former owner continues with greater numbers.
      await read(first)
      const last = exchanges.at(-1)
      const home = await follow(controlOf(first).controlUrl, query, { 'last-event-id': last?.id ?? '' })
      expect(await home.have(2)).toMatchObject([
        { event: 'gap', data: { missed: null } },
        { event: 'exchange' },
      ])
    }
  })

  needsStore(`is not taken back for abandoned requests ${suffix}`, async () => {
    const { store, nodes } = await startAll(2)
    const [stopped, other] = nodes as [Started, Started]
    expect(await describe(stopped, 'one', 'desk-key', 'ann')).toBe(200)
    stopped.process.kill('SIGSTOP')
    const body = JSON.stringify({ description: 'late' })
    const headers = { authorization: 'Bearer desk-key', 'content-type': 'application/json' }
    const late = [
      requestText('PATCH /api/v1/identities/ann', { ...headers, 'content-length': `${body.length}` }, body),
      requestText('GET /api/v1/identities/ann', headers),
      requestText('GET /_sim/world', headers),
    ]
    const answers = late.map(async (text) => {
      const socket = await openSocket(stopped.url)
      const read = readAnswers(socket)
      socket.end(text)
      return (await read).map(({ status }) => status)
    })
    while ((await describe(other, 'two', 'desk-key', 'ann')) === 503) await sleep(50)
    stopped.process.kill('SIGCONT')
    // Answered after all earlier requests; 503 until it is connected to the store again.
    await patiently(() => fetch(`${stopped.url}/_sim/health`))
    expect(await Promise.all(answers)).toEqual([[503], [503], [503]])
    expect(await shownBy(other)).toBe('two')
    const log = () => command(store, 'XRANGE', 'agent-mailbox-sim:{world_1}:log', '-', '+').split('\n')
    // One for each server: none for a request that nobody waits for.
    const epochs = log().flatMap((line) => /^(\d+)-\d+$/.exec(line)?.[1] ?? [])
    expect(new Set(epochs).size).toBe(2)
    expect(await shownBy(stopped)).toBe('two')
    expect(log().join()).not.toContain('late')
    // The only server that is left cannot know that it is.
    await Promise.all([stopped.kill(), other.kill()])
    const again = await startNode(writeScenario(folder), await freePort(), '--state', store.url)
    const socket = await openSocket(again.url)
    const read = readAnswers(socket)
    socket.end(requestText('GET /api/v1/identities/ann', headers))
    const [answer] = await read
    expect(answer?.body).toMatch(/Another server may own the world/)
    expect(await shownBy(again)).toBe('two')
  })
})

/** Errors of a store, with the commands that cause and end them. */
const illnesses: Record<string, readonly [ill: readonly string[], well: readonly string[]]> = {
  OOM: [
    ['config', 'set', 'maxmemory', '1'],
    ['config', 'set', 'maxmemory', '0'],
  ],
  READONLY: [
    ['replicaof', '127.0.0.1', '1'],
    ['replicaof', 'no', 'one'],
  ],
  NOREPLICAS: [
    ['config', 'set', 'min-replicas-to-write', '1'],
    ['config', 'set', 'min-replicas-to-write', '0'],
  ],
  NOAUTH: [
    ['acl', 'setuser', 'default', 'resetkeys'],
    ['acl', 'setuser', 'default', 'allkeys'],
  ],
}

suite('a store that does not do what it is told', () => {
  needsStore(`answers changes with 503 and its error, without losses ${suffix}`, async () => {
    const { store, nodes } = await startAll(1)
    const [node] = nodes as [Started]
    let kept = 'at first'
    expect(await describe(node, kept, 'desk-key', 'ann')).toBe(200)
    for (const [name, [ill, well]] of Object.entries(illnesses)) {
      command(store, ...ill)
      const answer = await fetch(`${node.url}/api/v1/identities/ann`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
        body: JSON.stringify({ description: `lost to ${name}` }),
      })
      expect([name, answer.status, answer.headers.get('retry-after')]).toEqual([name, 503, '1'])
      expect(await answer.text()).toContain(name === 'NOAUTH' ? 'NOPERM' : name)
      expect([name, (await fetch(`${node.url}/_sim/health`)).status]).toEqual([name, 503])
      command(store, ...well)
      await patiently(() => fetch(`${node.url}/_sim/health`))
      expect(await descriptionOf(node, 'desk-key', 'ann')).toMatchObject({ description: kept })
      kept = `after ${name}`
      expect(await describe(node, kept, 'desk-key', 'ann')).toBe(200)
    }
    command(store, 'flushall')
    while ((await describe(node, 'anew', 'desk-key', 'ann')) !== 200) await sleep(20)
    expect(node.errors()).toContain('the log of "world_1" is missing')
  })

  needsStore(`is refused by a server with other options than the first one's ${suffix}`, async () => {
    const store = await startStore(folder, await freePort())
    const scenario = writeScenario(folder)
    const start = async (...flags: string[]) =>
      startNode(scenario, await freePort(), '--state', store.url, ...flags)
    await start('--extend', 'common')
    expect(await start().catch(String)).toMatch(
      /serve ended with 2: .*messages\.send.*, but this start lacks them/,
    )
    const assumptions = ['--extend', 'common', '--assume', 'worst-case']
    expect(await start(...assumptions).catch(String)).toMatch(
      /serve ended with 2: .*--assume [\w.]+ as [\w-]+, but this start has/,
    )
  })

  needsStore(`numbers worlds that are made at once by several servers ${suffix}`, async () => {
    const { nodes } = await startAll(2)
    const creating = [...nodes, ...nodes, ...nodes].map((node) =>
      ask(controlOf(node), 'POST', '/worlds', { body: {} }),
    )
    const ids = (await Promise.all(creating)).map(({ body }) => body.id as string)
    expect(ids.toSorted()).toEqual(ids.map((_, index) => `world_${index + 2}`))
  })

  needsStore(`reports damaged entries and serves the other worlds ${suffix}`, async () => {
    const { store, nodes } = await startAll(1)
    const [node] = nodes as [Started]
    const made = async (): Promise<{ id: string; api_key: string }> => {
      const { body } = await ask(controlOf(node), 'POST', '/worlds', { body: {} })
      for (const text of ['one', 'two', 'three'])
        await patiently(async () => ({ status: await describe(node, text, body.api_key, 'ann') }))
      return body
    }
    const [garbled, changed, record, fine] = [await made(), await made(), await made(), await made()]
    const logOf = ({ id }: { id: string }): string => `agent-mailbox-sim:{${id}}:log`
    const append = (world: { id: string }, line: string): void => {
      const last = command(store, 'XREVRANGE', logOf(world), '+', '-', 'COUNT', '1')
      const [epoch, sequence] = (/^\d+-\d+$/m.exec(last)?.[0] ?? '').split('-')
      command(store, 'XADD', logOf(world), `${epoch}-${Number(sequence) + 1}`, 'line', line)
    }
    append(garbled, '[{"type":"comm')
    append(changed, '[{"type":"none"}]')
    command(store, 'HSET', 'agent-mailbox-sim:worlds', record.api_key, '{"id":')
    await node.kill()
    const scenario = writeScenario(folder)
    const next = await startNode(scenario, await freePort(), '--state', store.url)
    const shown = (world: { api_key: string }) => patiently(() => descriptionOf(next, world.api_key, 'ann'))
    expect(await shown(fine)).toMatchObject({ status: 200, description: 'three' })
    const reasons = [
      /entry \d+-\d+ of .* is damaged: it is no list of entries/,
      /entry \d+-\d+ of .* is damaged: type/,
      /agent-mailbox-sim:worlds is damaged/,
    ]
    for (const [index, world] of [garbled, changed, record].entries()) {
      const { status, error } = await shown(world)
      expect([status, error?.code, error?.message]).toEqual([
        500,
        'state_damaged',
        expect.stringMatching(reasons[index] as RegExp),
      ])
    }
    expect(next.errors()).toMatch(/warning: .*entry .* is damaged/)
  })

  needsStore(
    `is named with the error but without its password if a server cannot start ${suffix}`,
    async () => {
      const store = await startStore(folder, await freePort())
      const start = async (url: string) =>
        startNode(writeScenario(folder), await freePort(), '--state', url).catch(String)
      expect(await start(`${store.url}/99`)).toMatch(/DB index .*Check the URL of --state/)
      command(store, 'lpush', 'agent-mailbox-sim:worlds', 'other')
      expect(await start(store.url)).toMatch(/WRONGTYPE .*Check the URL/)
      command(store, 'config', 'set', 'requirepass', 'right-one')
      const failure = await start(store.url.replace('//', '//:wrong-one@'))
      expect(failure).toMatch(
        /serve ended with 1: error: redis:\/\/:\*\*\*@127\.0\.0\.1:\d+ .*WRONGPASS.*MAILBOX_SIM_STATE_PASSWORD/,
      )
      expect(failure).not.toContain('wrong-one')
    },
  )

  it.skipIf((storeProgram === undefined || !isInstalled('openssl')) && !mustRun)(
    `is reached by TLS with a checked certificate ${suffix}`,
    async () => {
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
      const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ')
      const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
      const [plain, port] = [await freePort(), await freePort()]
      const tls = ['--tls-port', `${port}`, '--tls-cert-file', certificate, '--tls-key-file', key]
      await startStore(folder, plain, ...tls, '--tls-auth-clients', 'no')
      const start = async () =>
        startNode(writeScenario(folder), await freePort(), '--state', `rediss://127.0.0.1:${port}`)
      expect(await start().catch(String)).toMatch(/rediss:.*self-signed certificate/)
      process.env['NODE_EXTRA_CA_CERTS'] = certificate
      try {
        expect(await describe(await start(), 'by TLS', 'desk-key', 'ann')).toBe(200)
      } finally {
        delete process.env['NODE_EXTRA_CA_CERTS']
      }
    },
  )
})
