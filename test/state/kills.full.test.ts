import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { afterEach, expect, it, describe as suite } from 'vitest'
import { describe, descriptionOf } from './open-desk.js'
import {
  freePort,
  handles,
  mustRun,
  type Started,
  startNode,
  startStore,
  storeProgram,
  temporaryFolder,
  whySkipped,
  writeScenario,
} from './programs.js'

/** How often a process is killed; `npm run check:state` does so a thousand times. */
const kills = process.env['STATE_KILLS'] === undefined ? undefined : Number(process.env['STATE_KILLS'])

const running: Started[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.kill()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

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

async function madeClients(url: string): Promise<Client[]> {
  const clients: Client[] = []
  for (let count = 0; count < 10; count++) {
    const made = await fetch(`${url}/_sim/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const { id, api_key: key } = (await made.json()) as { id: string; api_key: string }
    clients.push(...handles.map((handle) => ({ world: id, key, handle, acknowledged: 0, sent: 0 })))
  }
  return clients
}

/** Writes one version after another until the server is gone. */
async function writeOn(client: Client, url: string): Promise<void> {
  for (;;) {
    client.sent = client.acknowledged + 1
    const status = await describe({ url }, `version ${client.sent}`, client.key, client.handle).catch(() => 0)
    if (status === 0) return
    if (status === 200) client.acknowledged = client.sent
  }
}

/** Applies the versions that a world has now to its mirror, by the same requests, and compares both as wholes. */
async function compare(
  clients: readonly Client[],
  url: string,
  mirrors: Map<string, Simulator>,
): Promise<void> {
  const shownNow = await Promise.all(clients.map(({ key, handle }) => descriptionOf({ url }, key, handle)))
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
  for (const [world, mirror] of mirrors) {
    const answer = await fetch(`${url}/_sim/world?digest=true`, { headers: { 'x-sim-world': world } })
    expect([world, ((await answer.json()) as { digest: string }).digest]).toEqual([world, mirror.digest()])
  }
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

async function killAgainAndAgain(rounds: number, ...state: string[]): Promise<void> {
  const folder = temporaryFolder()
  folders.push(folder)
  const scenario = writeScenario(folder)
  const port = await freePort()
  const flags = state.map((flag) => flag.replace('FOLDER', folder))
  const simulator = await createSimulator({ scenario })
  const mirrors = new Map<string, Simulator>()
  let clients: Client[] | undefined
  for (let round = 0; round <= rounds; round++) {
    const node = await startNode(scenario, port, ...flags)
    running.push(node)
    clients ??= await madeClients(node.url)
    for (const { world } of clients) if (!mirrors.has(world)) mirrors.set(world, simulator.fork())
    await compare(clients, node.url, mirrors)
    if (round === rounds) break
    const before = acknowledgedBy(clients)
    const writing = clients.map((client) => writeOn(client, node.url))
    // Any instant: before the first answer, in the middle of a write, of a sync.
    const isEarly = Math.random() < 0.2
    while (!isEarly && acknowledgedBy(clients) === before) await sleep(1)
    await sleep(Math.random() * 150)
    await node.kill()
    running.pop()
    await Promise.all(writing)
  }
  expect(acknowledgedBy(clients ?? [])).toBeGreaterThan(rounds)
}

suite('a server that is killed', () => {
  it('has lost nothing that it acknowledged, with --state-dir', async () => {
    await killAgainAndAgain(kills ?? 24, '--state-dir', 'FOLDER/state')
  }, 7_200_000)

  it.skipIf(storeProgram === undefined && !mustRun)(
    `has lost nothing that it acknowledged, with --state redis:// (${storeProgram ?? whySkipped})`,
    async () => {
      const folder = temporaryFolder()
      folders.push(folder)
      const store = await startStore(folder, await freePort())
      running.push(store)
      await killAgainAndAgain(kills ?? 8, '--state', store.url)
    },
    7_200_000,
  )
})
