import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** The number of kills of a process; a thousand for `npm run check:state`. */
const kills = process.env['STATE_KILLS'] === undefined ? undefined : Number(process.env['STATE_KILLS'])

const { running, temporaryFolder } = cleanedUp()

/** A client, the only writer of one agent. */
interface Client {
  readonly key: string
  readonly handle: string
  /** The last acknowledged version and the last sent one. */
  acknowledged: number
  sent: number
}

function acknowledgedBy(clients: readonly Client[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
}

async function createClients(url: string, worlds = 10): Promise<Client[]> {
  const clients: Client[] = []
  for (let count = 0; count < worlds; count++) {
    const headers = { 'content-type': 'application/json' }
    const made = await patiently(() => fetch(`${url}/_sim/worlds`, { method: 'POST', headers, body: '{}' }))
    const { api_key: key } = (await made.json()) as { api_key: string }
    clients.push(...handles.map((handle) => ({ key, handle, acknowledged: 0, sent: 0 })))
  }
  return clients
}

/** Writes versions until the server is gone. */
async function writeUntilGone(client: Client, url: string): Promise<void> {
  while ((await writeOnce(client, url)) !== 0);
}

/** Writes the next version; returns the status of the answer, or 0 without an answer. */
async function writeOnce(client: Client, url: string): Promise<number> {
  client.sent = client.acknowledged + 1
  const status = await describe({ url }, `version ${client.sent}`, client.key, client.handle).catch(() => 0)
  if (status === 200) client.acknowledged = client.sent
  return status
}

/** Asserts that each agent shows the last acknowledged version or a later one that was sent. */
async function compare(clients: readonly Client[], url: string): Promise<void> {
  const shown = await Promise.all(
    clients.map(({ key, handle }) => patiently(() => descriptionOf({ url }, key, handle))),
  )
  for (const [index, client] of clients.entries()) {
    const { status, description = 'version 0' } = shown[index] as (typeof shown)[number]
    expect(status).toBe(200)
    const version = Number(/\d+/.exec(description)?.[0] ?? 0)
    const { acknowledged, sent, key, handle } = client
    const found = `${key} ${handle}: ${version} of ${acknowledged} acknowledged, ${sent} sent`
    expect(version >= acknowledged && version <= sent, found).toBe(true)
    client.acknowledged = version
  }
}

/** A series of servers to kill. */
interface Series {
  readonly name: string
  readonly rounds: number
  /** True if the next server runs already before the kill. */
  readonly standby: boolean
  readonly flags: readonly string[]
}

/** Kills one server after another during writes; the next one must show all acknowledged changes. */
async function killRepeatedly({ name, rounds, standby, flags }: Series): Promise<void> {
  const folder = temporaryFolder()
  const scenario = writeScenario(folder)
  const places = flags.map((flag) => flag.replace('FOLDER', folder))
  const next = async (): Promise<Started> => {
    const node = await startNode(scenario, await freePort(), ...places)
    running.push(node)
    return node
  }
  let longest = 0
  let node = await next()
  const clients = await createClients(node.url)
  for (let round = 1; round <= rounds; round++) {
    const waiting = standby ? await next() : undefined
    const before = acknowledgedBy(clients)
    const { url } = node
    const writing = clients.map((client) => writeUntilGone(client, url))
    // At any instant: during a write or a sync; from the second round on also before the first answer.
    const isEarly = round > 1 && Math.random() < 0.2
    while (!isEarly && acknowledgedBy(clients) === before) await sleep(1)
    await sleep(Math.random() * 150)
    await node.kill()
    running.splice(running.indexOf(node), 1)
    await Promise.all(writing)
    const killed = performance.now()
    node = waiting ?? (await next())
    await compare(clients, node.url)
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

/** Runs several series at once, since most of the time is waiting for starts. */
function killSeveral(count: number, series: (index: number) => Series): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, index) => killRepeatedly(series(index))))
}

suite('a killed server', () => {
  it('loses no acknowledged change with --state-dir', async () => {
    const rounds = Math.ceil((kills ?? 6) / 3)
    const syncs = ['always', 'always', 'second']
    await killSeveral(3, (index) => ({
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
      await killSeveral(count, (index) => ({
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
      const flags = ['--state-dir', join(folder, 'state')]
      const node = await startNode(scenario, await freePort(), ...flags)
      running.push(node)
      const clients = await createClients(node.url)
      // The largest size of a file: the write that exceeds it is torn. With 0, nothing can be written.
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
      await compare(clients, node.url)
      await node.kill()
      const again = await startNode(scenario, await freePort(), ...flags)
      running.push(again)
      await compare(clients, again.url)
      expect(acknowledgedBy(clients)).toBeGreaterThan(clients.length)
    },
  )
})
