import { execFileSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, describe as suite } from 'vitest'
import { answering, startReceiver } from '../deliveries/receiver.js'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf } from './open-desk.js'
import {
  freePort,
  handles,
  isInstalled,
  mustRun,
  patiently,
  startNode,
  startStore,
  storeProgram,
  whySkipped,
  writeScenario,
} from './programs.js'

/** The number of kills with each kind of state; a thousand for `npm run check:state`. */
const kills = Number(process.env['STATE_KILLS'] ?? 4)

/** The number of clients; fifty for `npm run check:state`. */
const clientCount = Math.min(50, Number(process.env['STATE_CLIENTS'] ?? 10))

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** A client with its own world, on the killed server and on one without state. */
interface Client {
  readonly id: string
  readonly key: string
  /** The world that gets the same changes at a server that is not killed; a store numbers worlds in its own way. */
  readonly mirrored: { readonly id: string; readonly key: string }
  /** The change that was sent but not acknowledged before the kill. */
  open: Sent | undefined
  sent: number
  acknowledged: number
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: any answer.
  readonly body: any
}

/** Asks until the store has answered. */
function read(url: string, client: Pick<Client, 'id' | 'key'>, path: string): Promise<Answer> {
  return patiently(() => send(url, client, { method: 'GET', path }))
}

async function send(url: string, { id, key }: Pick<Client, 'id' | 'key'>, sent: Sent): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'x-sim-world': id, 'content-type': 'application/json' }
  const body = sent.body === undefined ? null : JSON.stringify(sent.body)
  const answer = await fetch(url + sent.path, { method: sent.method, headers, body })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** The kinds of changes. */
const changes: readonly ((number: number, receiver: string) => Sent)[] = [
  (number) => ({
    method: 'PATCH',
    path: '/api/v1/identities/ann',
    body: { description: `version ${number}` },
  }),
  (number) => ({
    method: 'POST',
    path: '/_sim/messages',
    body: { to: 'ann', from: 'Ben <ben@example.com>', subject: `Mail ${number}`, text: 'Hello' },
  }),
  () => ({ method: 'POST', path: '/_sim/clock', body: { advance: '7m' } }),
  () => ({ method: 'POST', path: '/_sim/faults', body: { operation: 'threads.list', status: 503 } }),
  () => ({ method: 'DELETE', path: '/_sim/faults' }),
  (number) => ({
    method: 'PATCH',
    path: '/_sim/assumptions',
    body: { 'threads.total': number % 2 === 0 ? 'page-size' : 'all-matches' },
  }),
  (number) => ({ method: 'POST', path: '/_sim/identities', body: { handle: `agent-${number}` } }),
  (_, receiver) => ({
    method: 'POST',
    path: '/_sim/webhooks',
    body: { url: receiver, events: ['message.received'] },
  }),
  () => ({ method: 'POST', path: '/_sim/reset' }),
]

/** A random change, sometimes a restore of the whole world. */
async function nextChange(client: Client, url: string, receiver: string): Promise<Sent> {
  const chosen = Math.floor(Math.random() * 30)
  if (chosen === 29) {
    const { body } = await read(url, client, '/_sim/snapshot')
    return { method: 'PUT', path: '/_sim/snapshot', body }
  }
  return (changes[chosen % changes.length] as (typeof changes)[number])(++client.sent, receiver)
}

/** Changes its world until the server is gone; repeats acknowledged changes at the mirror. */
async function changeUntilGone(client: Client, url: string, mirror: string, receiver: string): Promise<void> {
  for (;;) {
    client.open = undefined
    try {
      client.open = await nextChange(client, url, receiver)
      const { status, body } = await send(url, client, client.open)
      if (status === 503) {
        // It may have been done.
        await compare(client, url, mirror)
        continue
      }
      expect([client.open, status < 300, body]).toEqual([client.open, true, body])
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
    client.acknowledged++
    await send(mirror, client.mirrored, client.open)
  }
}

/** Creates worlds and deletes about half of them until the server is gone; returns both lists. */
async function createUntilGone(
  url: string,
): Promise<Record<'made' | 'deleted', Pick<Client, 'id' | 'key'>[]>> {
  const worlds = { made: [], deleted: [] } as Awaited<ReturnType<typeof createUntilGone>>
  const first = { id: 'world_1', key: 'desk-key' }
  try {
    for (;;) {
      const { status, body } = await send(url, first, { method: 'POST', path: '/_sim/worlds', body: {} })
      if (status !== 201) continue
      const world = { id: body.id as string, key: body.api_key as string }
      if ((await send(url, world, changes[0]?.(1, '') as Sent)).status !== 200) continue
      if (Math.random() < 0.5) worlds.made.push(world)
      else {
        const deletion = { method: 'DELETE', path: `/_sim/worlds/${world.id}` }
        if ((await send(url, first, deletion)).status === 204) worlds.deleted.push(world)
      }
    }
  } catch {
    return worlds
  }
}

async function stateOf(url: string, client: Pick<Client, 'id' | 'key'>) {
  const { body } = await read(url, client, '/_sim/world?digest=true')
  // With their number so far, which a reset that was not acknowledged also changes.
  const { faults } = (await read(url, client, '/_sim/snapshot')).body
  return { now: body.now as string, digest: body.digest, counts: body.counts, faults }
}

/** Asserts that both are equal, with or without the unacknowledged change. */
async function compare(client: Client, url: string, mirror: string): Promise<void> {
  const shown = await stateOf(url, client)
  const without = await stateOf(mirror, client.mirrored)
  if (JSON.stringify(shown) === JSON.stringify(without)) return
  if (client.open === undefined) expect([client.id, shown]).toEqual([client.id, without])
  // An interrupted advance may have moved the clock a part of the way.
  const isClock = client.open?.path === '/_sim/clock'
  await send(mirror, client.mirrored, {
    ...(client.open as Sent),
    ...(isClock && { body: { to: shown.now } }),
  })
  expect([client.open?.path, shown]).toEqual([client.open?.path, await stateOf(mirror, client.mirrored)])
}

/** A series of servers to kill. */
interface Series {
  readonly flags: readonly string[]
  readonly rounds: number
  /** Whether the next server runs already before the kill. */
  readonly standby: boolean
}

/** Kills one server after another during changes; the next one must show all acknowledged ones. */
async function killRepeatedly({ flags, rounds, standby }: Series): Promise<void> {
  const hook = `${(await startReceiver({ '/hook': answering(500) })).origin}/hook`
  const scenario = writeScenario(await folderOf())
  const start = async (...more: readonly string[]) => startNode(scenario, await freePort(), ...more)
  const { url: mirror } = await start()
  let node = await start(...flags)
  const clients: Client[] = []
  for (let count = 0; count < clientCount; count++) {
    const made = { method: 'POST', path: '/_sim/worlds', body: {} }
    const first = { id: 'world_1', key: 'desk-key' }
    const [{ body }, other] = [await send(node.url, first, made), await send(mirror, first, made)]
    const mirrored = { id: other.body.id as string, key: other.body.api_key as string }
    clients.push({ id: body.id, key: body.api_key, mirrored, open: undefined, sent: 0, acknowledged: 0 })
  }
  const acknowledged = (): number => clients.reduce((sum, client) => sum + client.acknowledged, 0)
  for (let round = 0; round < rounds; round++) {
    const waiting = standby ? await start(...flags) : undefined
    const { url } = node
    const changing = clients.map((client) => changeUntilGone(client, url, mirror, hook))
    const making = createUntilGone(url)
    // Sometimes before the first answer.
    const enough = acknowledged() + Math.max(0, Math.random() * 120 - 20)
    while (acknowledged() < enough) await sleep(1)
    await node.kill()
    await Promise.all(changing)
    const { made, deleted } = await making
    node = waiting ?? (await start(...flags))
    const next = node.url
    await Promise.all(clients.map((client) => compare(client, next, mirror)))
    const shown = (world: Pick<Client, 'id' | 'key'>) => read(next, world, '/api/v1/identities/ann')
    for (const { body } of await Promise.all(made.map(shown))) expect(body.description).toBe('version 1')
    for (const { status } of await Promise.all(deleted.map(shown))) expect(status).toBe(401)
  }
  process.stdout.write(
    `${flags.join(' ')}: ${rounds} kills, ${acknowledged()} acknowledged changes, none lost\n`,
  )
}

suite('a killed server', () => {
  it('loses no acknowledged change of any kind with --state FOLDER', async () => {
    const flags = ['--state', `${await folderOf()}/state`]
    await killRepeatedly({ flags, rounds: kills, standby: false })
  }, 7_200_000)

  it.skipIf(storeProgram === undefined && !mustRun)(
    `loses no acknowledged change of any kind with --state redis:// (${storeProgram ?? whySkipped})`,
    async () => {
      const store = await startStore(await folderOf(), await freePort())
      const databases = kills < 100 ? [0, 1] : [0, 1, 2, 3]
      const rounds = Math.ceil(kills / databases.length)
      const series = databases.map((database) => {
        return killRepeatedly({ flags: ['--state', `${store.url}/${database}`], rounds, standby: true })
      })
      await Promise.all(series)
    },
    7_200_000,
  )
})

it('a killed server repeats the attempt that was in flight, even if the first attempt is the last', async () => {
  const folder = await folderOf()
  const flags = ['--state', `${folder}/state`, '--clock', 'real', '--assume', 'worst-case']
  const start = async () => startNode(writeScenario(folder), await freePort(), ...flags)
  const world = { id: 'world_1', key: 'desk-key' }
  let isBack = false
  const answer = (response: ServerResponse) => isBack && response.end()
  const receiver = await startReceiver({ '/hook': (response) => void answer(response) })
  const { url, kill } = await start()
  const body = { url: `${receiver.origin}/hook`, events: ['message.received'] }
  await send(url, world, { method: 'POST', path: '/_sim/webhooks', body })
  const mail = [1, 2, 3].map((number) => send(url, world, changes[1]?.(number, '') as Sent))
  expect((await Promise.all(mail)).map(({ status }) => status)).toEqual([201, 201, 201])
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  await kill()
  isBack = true
  const { url: next } = await start()
  const statuses = async () => {
    const { deliveries } = (await read(next, world, '/_sim/deliveries')).body
    return deliveries.map(({ status }: { status: string }) => status)
  }
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(['succeeded', 'succeeded', 'succeeded'])
})

it('a server that is killed while it restores a large world has the old world or the new one', async () => {
  const folder = await folderOf()
  const start = async () => startNode(writeScenario(folder), await freePort(), '--state', `${folder}/state`)
  const world = { id: 'world_1', key: 'desk-key' }
  let node = await start()
  const mail = { to: 'ann', from: 'Ben <ben@example.com>', text: 'x'.repeat(900_000) }
  for (let count = 0; count < 6; count++) {
    const body = { ...mail, attachments: [{ filename: 'a.txt', content: 'A'.repeat(900_000) }] }
    await send(node.url, world, { method: 'POST', path: '/_sim/messages', body })
  }
  const snapshot = (await read(node.url, world, '/_sim/snapshot')).body
  const restored = await stateOf(node.url, world)
  for (const changesBefore of [4, 32]) {
    await send(node.url, world, { method: 'POST', path: '/_sim/reset' })
    const { url } = node
    const count = { sent: 0, acknowledged: 0, restored: 0 }
    const restoring = send(url, world, { method: 'PUT', path: '/_sim/snapshot', body: snapshot }).then(
      () => ++count.restored,
      () => 0,
    )
    const isChanged = async () => (await describe(node, `version ${++count.sent}`, 'desk-key', 'ann')) === 200
    while (count.acknowledged < changesBefore && (await isChanged())) count.acknowledged++
    await node.kill()
    await restoring
    node = await start()
    const { digest, counts } = await stateOf(node.url, world)
    const { description } = await descriptionOf(node, 'desk-key', 'ann')
    const isOld = counts.messages !== restored.counts.messages
    expect(isOld && count.restored > 0).toBe(false)
    const version = Number(/\d+/.exec(description ?? '')?.[0] ?? 0)
    if (isOld) expect(version).toBeGreaterThanOrEqual(count.acknowledged)
    else if (version === 0) expect(digest).toBe(restored.digest)
  }
})

it.skipIf(!isInstalled('prlimit') && !mustRun)(
  'a server loses nothing on a temporarily full disk (prlimit)',
  async () => {
    const folder = await folderOf()
    const flags = ['--state', `${folder}/state`]
    const start = async () => startNode(writeScenario(folder), await freePort(), ...flags)
    const node = await start()
    const agents = handles.map((handle) => ({ handle, acknowledged: 0, sent: 0 }))
    const write = async (agent: (typeof agents)[number]): Promise<number> => {
      const status = await describe(node, `version ${++agent.sent}`, 'desk-key', agent.handle)
      if (status === 200) agent.acknowledged = agent.sent
      return status
    }
    const limit = (bytes: number | 'unlimited'): void => {
      execFileSync('prlimit', ['--pid', String(node.process.pid), `--fsize=${bytes}:`])
    }
    const writeAll = () => Promise.all(agents.map(write))
    // The largest size of a file: the write that exceeds it is torn.
    limit(30_000)
    while (!(await writeAll()).includes(503));
    expect(agents[0]?.acknowledged).toBeGreaterThan(0)
    limit(0)
    expect(new Set(await writeAll())).toEqual(new Set([503]))
    expect((await fetch(`${node.url}/_sim/health`)).status).toBe(503)
    limit('unlimited')
    while ((await writeAll()).includes(503));
    await node.kill()
    const again = await start()
    for (const { handle, acknowledged, sent } of agents) {
      const { description } = await descriptionOf(again, 'desk-key', handle)
      const version = Number(/\d+/.exec(description ?? '')?.[0])
      expect(version >= acknowledged && version <= sent, `${handle}: ${description}`).toBe(true)
    }
  },
)
