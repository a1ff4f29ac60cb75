import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, describe as suite } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { describe, descriptionOf } from './open-desk.js'
import {
  freePort,
  handles,
  hasProxy,
  mustRun,
  patiently,
  type Started,
  startNode,
  startProxy,
  startStore,
  storeProgram,
  whySkipped,
  writeScenario,
} from './programs.js'

/** The numbers of worlds and clients; 10,000 and 200 for `npm run check:state`. */
const [worlds, clients] = [
  Number(process.env['STATE_WORLDS'] ?? 60),
  Number(process.env['STATE_CLIENTS'] ?? 12),
]

/**
 * A world with the versions that its one client wrote into the description of an agent. Each attempt has a version of
 * its own: one whose answer was lost may be done at any time later, one that was acknowledged may not come back.
 */
interface Written {
  readonly key: string
  readonly acknowledged: number[]
  sent: number
}

/** Counts and stale values seen by clients. */
interface Findings {
  readonly stale: string[]
  writes: number
  reads: number
}

async function createWorlds(url: string): Promise<Written[]> {
  const make = async (): Promise<Written> => {
    const headers = { 'content-type': 'application/json' }
    const made = await patiently(() => fetch(`${url}/_sim/worlds`, { method: 'POST', headers, body: '{}' }))
    return { key: (await made.json()).api_key, acknowledged: [], sent: 0 }
  }
  const made: Written[] = []
  while (made.length < worlds) made.push(...(await Promise.all(Array.from({ length: 20 }, make))))
  return made
}

/** Writes and reads random worlds of a client until it should stop; retries refused requests. */
async function useWorlds(
  own: readonly Written[],
  url: string,
  isRunning: () => boolean,
  findings: Findings,
): Promise<void> {
  while (isRunning()) {
    const world = own[Math.floor(Math.random() * own.length)] as Written
    for (let done = false; !done && isRunning(); ) {
      done = Math.random() < 0.5 ? await write(world, url, findings) : await read(world, url, findings)
      if (!done) await sleep(50)
    }
  }
}

async function write(world: Written, url: string, findings: Findings): Promise<boolean> {
  const version = ++world.sent
  const status = await describe({ url }, `version ${version}`, world.key, handles[0]).catch(() => 0)
  if (status !== 200) return false
  world.acknowledged.push(version)
  findings.writes++
  return true
}

async function read(world: Written, url: string, findings: Findings): Promise<boolean> {
  const shown = await descriptionOf({ url }, world.key, handles[0]).catch(() => undefined)
  if (shown?.status !== 200) return false
  const version = versionIn(shown.description)
  if (isStale(version, world.acknowledged))
    findings.stale.push(`${world.key}: ${version} after ${world.acknowledged.join(', ')}`)
  findings.reads++
  return true
}

function versionIn(description: string | undefined): number {
  return Number(/^version (\d+)$/.exec(description ?? '')?.[1] ?? 0)
}

/** True for a version that was replaced by a later acknowledged one; 0 is the initial version. */
function isStale(version: number, acknowledged: readonly number[]): boolean {
  if (version === 0) return acknowledged.length > 0
  return acknowledged.includes(version) && version !== acknowledged.at(-1)
}

function report(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
}

suite('three servers with one state behind a proxy', () => {
  it.skipIf((storeProgram === undefined || !hasProxy) && !mustRun)(
    `lose nothing and show nothing stale after any failure (${storeProgram && hasProxy ? storeProgram : whySkipped})`,
    async () => {
      const folder = await folderOf()
      const scenario = writeScenario(folder)
      const storePort = await freePort()
      let store = await startStore(folder, storePort)
      const ports = [await freePort(), await freePort(), await freePort()]
      const start = (port: number) => startNode(scenario, port, '--state', store.url)
      const nodes = await Promise.all(ports.map(start))
      const proxy = await startProxy(ports, await freePort())
      const all = await createWorlds(proxy.url)
      const findings: Findings = { stale: [], writes: 0, reads: 0 }
      let isRunning = true
      const used = Array.from({ length: clients }, (_, index) => {
        const own = all.filter((_, place) => place % clients === index)
        return useWorlds(own, proxy.url, () => isRunning, findings)
      })
      // Reads directly from any server, without the proxy: each read takes the world over.
      const direct = readDirectly(all, ports, () => isRunning, findings)
      // Until each client has had some three answers, on average, with what has just been done to the servers.
      const nextPhase = async (phase: string): Promise<void> => {
        const enough = findings.writes + findings.reads + 3 * clients
        report(`${phase}: ${findings.writes} changes, ${findings.reads} reads so far`)
        while (findings.writes + findings.reads < enough) await sleep(20)
      }
      await nextPhase('all run')
      const [first, second] = nodes as [Started, Started]
      await first.kill()
      await nextPhase('one was killed')
      second.process.kill('SIGSTOP')
      // Long enough for the proxy to notice and for other servers to take over its worlds.
      await Promise.all([nextPhase('one is stopped'), sleep(3000)])
      second.process.kill('SIGCONT')
      await nextPhase('it was continued')
      await start(ports[0] as number)
      await nextPhase('one has joined')
      await store.kill()
      await sleep(1000)
      store = await startStore(folder, storePort)
      await nextPhase('the store is restarted')
      isRunning = false
      await Promise.all([...used, direct])

      const end: Findings = { stale: [], writes: 0, reads: 0 }
      const left = [...all]
      const readRest = async (): Promise<void> => {
        for (let world = left.pop(); world; world = left.pop()) {
          while (!(await read(world, proxy.url, end))) await sleep(50)
        }
      }
      await Promise.all(Array.from({ length: 50 }, readRest))
      expect(end.stale).toEqual([])
      expect(findings.stale).toEqual([])
      expect(findings.writes).toBeGreaterThan(clients)
      report(JSON.stringify({ worlds, clients, ...findings }))
    },
    3_600_000,
  )
})

async function readDirectly(
  all: readonly Written[],
  ports: readonly number[],
  isRunning: () => boolean,
  findings: Findings,
): Promise<void> {
  while (isRunning()) {
    const world = all[Math.floor(Math.random() * all.length)] as Written
    const port = ports[Math.floor(Math.random() * ports.length)]
    const before = [...world.acknowledged]
    const shown = await descriptionOf({ url: `http://127.0.0.1:${port}` }, world.key, handles[0]).catch(
      () => undefined,
    )
    // Values written during the read are in no list; those acknowledged before it and replaced are stale.
    const version = versionIn(shown?.description)
    if (shown?.status === 200 && isStale(version, before))
      findings.stale.push(`direct ${world.key}: ${version} after ${before.join(', ')}`)
    await sleep(500)
  }
}
