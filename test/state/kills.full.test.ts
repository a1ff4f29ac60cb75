import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { expect, it, describe as suite } from 'vitest'
import { describe, descriptionOf } from './open-desk.js'
import {
  cleanedUp,
  freePort,
  handles,
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

/** How often a process is killed; `npm run check:state` does so a thousand times. */
const kills = process.env['STATE_KILLS'] === undefined ? undefined : Number(process.env['STATE_KILLS'])

const { running, temporaryFolder } = cleanedUp()

/** One client, which alone writes to one agent of one world. */
interface Client {
  readonly world: string
  readonly key: string
  readonly handle: string
  /** The last version that was acknowledged, and the last that was sent. */
  acknowledged: number
  sent: number
}

function acknowledgedBy(clients: readonly Client[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
}

async function madeClients(url: string, worlds = 10): Promise<Client[]> {
  const clients: Client[] = []
  for (let count = 0; count < worlds; count++) {
    const headers = { 'content-type': 'application/json' }
    const made = await patiently(() => fetch(`${url}/_sim/worlds`, { method: 'POST', headers, body: '{}' }))
    const { id, api_key: key } = (await made.json()) as { id: string; api_key: string }
    clients.push(...handles.map((handle) => ({ world: id, key, handle, acknowledged: 0, sent: 0 })))
  }
  return clients
}

/** Writes one version after another until the server is gone. */
async function writeOn(client: Client, url: string): Promise<void> {
  while ((await writeOnce(client, url)) !== 0);
}

/** Writes the next version; gives the status of the answer, 0 where there is none. */
async function writeOnce(client: Client, url: string): Promise<number> {
  client.sent = client.acknowledged + 1
  const status = await describe({ url }, `version ${client.sent}`, client.key, client.handle).catch(() => 0)
  if (status === 200) client.acknowledged = client.sent
  return status
}

/** Applies the versions that a world has now to its mirror, by the same requests, and compares both as wholes. */
async function compare(
  clients: readonly Client[],
  url: string,
  mirrors: Map<string, Simulator>,
): Promise<void> {
  const shownNow = await Promise.all(
    clients.map(({ key, handle }) => patiently(() => descriptionOf({ url }, key, handle))),
  )
  for (const [index, client] of clients.entries()) {
    const { status, description = 'version 0' } = shownNow[index] as (typeof shownNow)[number]
    expect(status).toBe(200)
    const version = Number(/\d+/.exec(description)?.[0] ?? 0)
    const shown = `${client.world} ${client.handle}: ${version} of ${client.acknowledged} acknowledged, ${client.sent} sent`
    expect(version >= client.acknowledged && version <= client.sent, shown).toBe(true)
    const mirror = mirrors.get(client.world) as Simulator
    const identity = mirror.identities.get(client.handle)
    const mirrored = Number(/\d+/.exec(identity.description ?? '')?.[0] ?? 0)
    for (let next = mirrored + 1; next <= version; next++) {
      await patch(mirror, client.handle, `version ${next}`)
    }
    client.acknowledged = version
  }
  const compared = [...mirrors].map(async ([world, mirror]) => {
    const headers = { 'x-sim-world': world }
    const answer = await patiently(() => fetch(`${url}/_sim/world?digest=true`, { headers }))
    expect([world, ((await answer.json()) as { digest: string }).digest]).toEqual([world, mirror.digest()])
  })
  await Promise.all(compared)
}

async function patch(mirror: Simulator, handle: string, description: string): Promise<void> {
  const { getResponse } = await import('msw')
  const request = new Request(`http://mailbox.test/api/v1/identities/${handle}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mirror.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  })
  expect((await getResponse(mirror.handlers, request))?.status).toBe(200)
}

/** What is killed, and how often; `next` starts the server that goes on. */
interface Ring {
  readonly name: string
  readonly rounds: number
  /** Whether the next server runs already when this one is killed. */
  readonly standby: boolean
  readonly flags: readonly string[]
}

/** Kills one server after another while clients write; the next one must show all that was acknowledged. */
async function killAgainAndAgain({ name, rounds, standby, flags }: Ring): Promise<void> {
  const folder = temporaryFolder()
  const scenario = writeScenario(folder)
  const simulator = await createSimulator({ scenario })
  const mirrors = new Map<string, Simulator>()
  const places = flags.map((flag) => flag.replace('FOLDER', folder))
  const next = async (): Promise<Started> => {
    const node = await startNode(scenario, await freePort(), ...places)
    running.push(node)
    return node
  }
  const clients: Client[] = []
  let longest = 0
  let node = await next()
  clients.push(...(await madeClients(node.url)))
  for (const { world } of clients) if (!mirrors.has(world)) mirrors.set(world, simulator.fork())
  for (let round = 1; round <= rounds; round++) {
    const waiting = standby ? await next() : undefined
    const before = acknowledgedBy(clients)
    const { url } = node
    const writing = clients.map((client) => writeOn(client, url))
    // Any instant: in the middle of a write, of a sync; from the second round on also before the first answer.
    const isEarly = round > 1 && Math.random() < 0.2
    while (!isEarly && acknowledgedBy(clients) === before) await sleep(1)
    await sleep(Math.random() * 150)
    await node.kill()
    running.splice(running.indexOf(node), 1)
    await Promise.all(writing)
    const killed = performance.now()
    node = waiting ?? (await next())
    await compare(clients, node.url, mirrors)
    longest = Math.max(longest, performance.now() - killed)
    if (round % 50 === 0)
      progress(`${name}: ${round} of ${rounds} kills, ${acknowledgedBy(clients)} acknowledged`)
  }
  expect(acknowledgedBy(clients)).toBeGreaterThan(0)
  const all = `the longest time until all worlds answered again was ${Math.round(longest)} ms`
  progress(`${name}: ${rounds} kills, ${acknowledgedBy(clients)} acknowledged changes, none lost; ${all}`)
}

function progress(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
}

/** Several at once: a start is mostly waiting. */
function several(count: number, ring: (index: number) => Ring): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, index) => killAgainAndAgain(ring(index))))
}

suite('a killed server', () => {
  it('loses no acknowledged change with --state-dir', async () => {
    const rounds = Math.ceil((kills ?? 6) / 3)
    const syncs = ['always', 'always', 'second']
    await several(3, (index) => ({
      name: `--state-sync ${syncs[index]} (${index + 1})`,
      rounds,
      standby: false,
      flags: ['--state-dir', 'FOLDER/state', '--state-sync', syncs[index] as string],
    }))
  }, 7_200_000)

  it.skipIf(storeProgram === undefined && !mustRun)(
    `loses no acknowledged change with --state redis:// (${storeProgram ?? whySkipped})`,
    async () => {
      const folder = temporaryFolder()
      const store = await startStore(folder, await freePort())
      running.push(store)
      const count = kills === undefined ? 2 : 4
      const rounds = Math.ceil((kills ?? 4) / count)
      await several(count, (index) => ({
        name: `redis (${index + 1})`,
        rounds,
        standby: true,
        flags: ['--state', `${store.url}/${index}`],
      }))
    },
    7_200_000,
  )

  it.skipIf(!isInstalled('prlimit') && !mustRun)(
    'loses nothing on a temporarily full disk (prlimit)',
    async () => {
      const folder = temporaryFolder()
      const scenario = writeScenario(folder)
      const mirrors = new Map<string, Simulator>()
      const flags = ['--state-dir', join(folder, 'state')]
      const node = await startNode(scenario, await freePort(), ...flags)
      running.push(node)
      const clients = await madeClients(node.url)
      const simulator = await createSimulator({ scenario })
      for (const { world } of clients) if (!mirrors.has(world)) mirrors.set(world, simulator.fork())
      // Files may have so many bytes and no more: the write that goes beyond is torn. With 0, nothing can be written.
      for (const bytes of [30_000, 0, 'unlimited']) {
        execFileSync('prlimit', ['--pid', String(node.process.pid), `--fsize=${bytes}:`])
        const health = async () => (await fetch(`${node.url}/_sim/health`)).status
        for (let refused = 0, times = 0; times < 20 && refused < clients.length; times++) {
          const statuses = await Promise.all(clients.map((client) => writeOnce(client, node.url)))
          expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
          if (bytes === 0) expect(statuses).not.toContain(200)
          if (bytes === 'unlimited' && statuses.every((status) => status === 200)) break
          refused += statuses.filter((status) => status === 503).length
        }
        if (bytes === 0) expect(await health()).toBe(503)
      }
      await compare(clients, node.url, mirrors)
      await node.kill()
      const again = await startNode(scenario, await freePort(), ...flags)
      running.push(again)
      await compare(clients, again.url, mirrors)
      expect(acknowledgedBy(clients)).toBeGreaterThan(clients.length)
    },
  )
})
