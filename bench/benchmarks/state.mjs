import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { CannotMeasure, headers, mailboxOf } from '../shared.mjs'
import { freePort, start, temporaryFolder } from '../started.mjs'
import { table } from '../table.mjs'

const program = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))
const path = '/api/v1/identities/agent'
const connections = 16

/** Measures the cost of making every change durable before it is answered: on disk, and in Valkey on this machine. */
export async function state({ quick, progress }) {
  const folder = temporaryFolder()
  const scenario = join(folder, 'mailbox.json')
  writeFileSync(scenario, JSON.stringify({ ...mailboxOf(1000), seed: 1 }))
  const store = await startStore(folder)
  const places = {
    'in memory': [],
    '--state FOLDER': ['--state', join(folder, 'state')],
    ...(store && { '--state redis://': ['--state', store.url] }),
  }
  const servers = []
  for (const [name, flags] of Object.entries(places)) {
    progress(`starting a server: ${name}`)
    servers.push(await start(candidate(name, scenario, flags, path)))
  }
  const generator = startGenerator()
  const options = { rounds: quick ? 1 : 7, warmUp: quick ? 0 : 1, progress }
  const load = (request) =>
    inTurns(
      Object.fromEntries(
        servers.map(({ name, url }) => [
          name,
          () => generator.load({ ...request, url, seconds: quick ? 1 : 4 }),
        ]),
      ),
      options,
    )
  const body = JSON.stringify({ description: 'Answers customers.' })
  const type = { 'content-type': 'application/json' }
  const writes = await load({ method: 'PATCH', headers: { ...headers, ...type }, body, connections })
  const reads = await load({ headers, connections })
  generator.end()
  await Promise.all(servers.map(({ stop }) => stop()))
  store?.stop()
  progress('restarting with many worlds')
  const restart = await restartWithWorlds(scenario, folder, quick ? 100 : 10_000, quick ? 1 : 3)
  const row = (name) => [
    name,
    figureOf(writes[name], 'a second'),
    ratioOf(writes[name], writes['in memory']),
    figureOf(reads[name], 'a second'),
    ratioOf(reads[name], reads['in memory']),
  ]
  const figures = { 'state.restart': restart }
  figures['state.disk.writes'] = ratioOf(writes['--state FOLDER'], writes['in memory'])
  figures['state.disk.reads'] = ratioOf(reads['--state FOLDER'], reads['in memory'])
  return {
    tables: [
      table(
        [`${connections} connections to one world`, 'PATCH', 'against memory', 'GET', 'against memory'],
        Object.keys(places).map(row),
      ),
      table(
        ['restart with --state FOLDER', 'to the first response'],
        [[`${quick ? '100' : '10,000'} worlds, each with a change`, restart]],
      ),
    ],
    figures,
  }
}

/** Returns a server with a scenario and flags as a candidate; it is ready when it answers at `path`. */
export function candidate(name, scenario, flags, path) {
  const argumentsFor = (port) => [program, 'serve', scenario, '--clock', 'frozen', '--port', port, ...flags]
  return { name, path, argumentsFor }
}

/** Starts Valkey, or else Redis; returns undefined if neither is installed. */
export async function startStore(folder) {
  const installed = ['valkey-server', 'redis-server'].find((name) => {
    try {
      execFileSync('sh', ['-c', `command -v ${name}`])
      return true
    } catch {
      return false
    }
  })
  if (!installed) return undefined
  const port = await freePort()
  const flags = [
    '--port',
    port,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ]
  const child = spawn(installed, flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const stop = () => process.off('exit', kill) && child.kill()
  for await (const text of child.stdout) if (/ready to accept/i.test(String(text))) break
  const client = installed.replace('server', 'cli')
  return { url: `redis://127.0.0.1:${port}`, port, client, stop }
}

function startGenerator() {
  const child = fork(fileURLToPath(new URL('../programs/load-generator.mjs', import.meta.url)), {
    execArgv: [],
  })
  return {
    async load(request) {
      child.send(request)
      const [{ perSecond, failed }] = await once(child, 'message')
      if (failed === 0) return perSecond
      throw new CannotMeasure(`${failed} requests failed under load; try again on a quieter machine.`)
    },
    end: () => child.kill(),
  }
}

/** Measures the milliseconds from spawning a server to its first response, with many worlds in its state. */
async function restartWithWorlds(scenario, folder, worlds, rounds) {
  const flags = ['--state', join(folder, 'many')]
  const first = await start(candidate('many worlds', scenario, flags, path))
  const { origin } = new URL(first.url)
  const type = { 'content-type': 'application/json' }
  const makeOne = async () => {
    const made = await fetch(`${origin}/_sim/worlds`, { method: 'POST', headers: type, body: '{}' })
    const { api_key: key } = await made.json()
    const authorized = { ...type, authorization: `Bearer ${key}` }
    const body = JSON.stringify({ description: 'Answers customers.' })
    const changed = await fetch(origin + path, { method: 'PATCH', headers: authorized, body })
    if (changed.status !== 200) throw new CannotMeasure(`A new world answered ${changed.status} to PATCH.`)
  }
  for (let made = 0; made < worlds; made += 20) await Promise.all(Array.from({ length: 20 }, makeOne))
  await first.stop()
  const took = []
  for (let round = 0; round < rounds; round++) {
    const again = await start(candidate('many worlds', scenario, flags, path))
    took.push(again.took)
    await again.stop()
  }
  return figureOf(took, 'ms')
}
