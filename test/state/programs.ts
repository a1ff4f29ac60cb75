import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { built } from '../cli/built-program.js'
import { findLine, nextLine, type RunningProgram, startProcess, startProgram } from '../cli/program.js'

/** Tells whether a program is installed. */
export function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`])
    return true
  } catch {
    return false
  }
}

/** The server of Valkey, or of Redis without Valkey; undefined without both. */
export const storeProgram = ['valkey-server', 'redis-server'].find(isInstalled)

/** True if HAProxy is installed. */
export const hasProxy = isInstalled('haproxy')

/** CI has the programs, so no test is skipped there. */
export const mustRun = process.env['CI'] === 'true'

/** Explains tests skipped on a machine without the programs. */
export const whySkipped =
  'needs valkey-server or redis-server, and haproxy: test/state/install.sh installs them'

/** Returns an unused port below 32,768, where systems assign ports to clients. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Repeats a request until its status is not 503: a store may be slow on a busy machine. */
export async function patiently<Shown extends { readonly status: number }>(
  ask: () => Promise<Shown>,
): Promise<Shown> {
  for (;;) {
    const shown = await ask()
    if (shown.status !== 503) return shown
    await sleep(50)
  }
}

/** A process that a test started; it is killed after the test at the latest. */
export interface Started {
  readonly process: ChildProcess
  readonly url: string
  /** Returns its error stream. */
  readonly errors: () => string
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>
}

function started(program: RunningProgram, url: string): Started {
  const { process: child, written, outcome } = program
  const kill = async () => {
    child.kill('SIGKILL')
    await outcome
  }
  onTestFinished(kill)
  return { process: child, url, errors: () => written.stderr, kill }
}

/** Starts `serve` of the built program and waits until it is ready. @throws Error with its error stream if it ends before */
export async function startNode(scenario: string, port: number, ...flags: string[]): Promise<Started> {
  const words = ['serve', scenario, '--clock', 'frozen', '--port', `${port}`, '--json', ...flags]
  const program = startProgram(words)
  const node = started(program, `http://127.0.0.1:${port}`)
  await nextLine(program).catch(async () => {
    throw new Error(`serve ended with ${(await program.outcome).status}: ${node.errors()}`)
  })
  return node
}

/** Starts Valkey or Redis in a folder, with every change synced to its file before it answers. */
export async function startStore(folder: string, port: number, ...further: string[]): Promise<Started> {
  const durable = '--appendonly yes --appendfsync always'.split(' ')
  const flags = ['--port', String(port), '--dir', folder, '--save', '', ...durable, ...further]
  const program = startProcess([storeProgram as string, ...flags])
  const store = started(program, `redis://127.0.0.1:${port}`)
  await findLine(program, /ready to accept connections/i)
  return store
}

/** Starts HAProxy with the configuration of examples/cluster, in front of nodes at ports. */
export async function startProxy(ports: readonly number[], port: number): Promise<Started> {
  const nodes = ports.map((each, index) => [`NODE${index + 1}`, `127.0.0.1:${each}`])
  const env = {
    ...Object.fromEntries(nodes),
    BIND: `127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    CONTROL_TOKEN: '',
  }
  const file = join(built.folder, 'examples/cluster/haproxy.cfg')
  const proxy = started(startProcess(['haproxy', '-f', file, '-db'], { env }), `http://127.0.0.1:${port}`)
  while (proxy.process.exitCode === null) {
    const answer = await fetch(`${proxy.url}/_sim/health`).catch(() => undefined)
    if (answer?.ok) return proxy
    await sleep(100)
  }
  throw new Error(`haproxy did not come up: ${proxy.errors()}`)
}

/** Handles of the agents in the scenario that the programs serve. */
export const handles = ['ann', 'ben', 'cleo', 'dan', 'eve']

/** Writes the scenario that the programs serve: five agents with a little mail. */
export function writeScenario(folder: string): string {
  const path = join(folder, 'desk.json')
  const identities = handles.map((handle) => ({
    handle,
    threads: [{ subject: 'Hello', messages: [{ at: '-1h' }] }],
  }))
  const organization = { api_keys: ['desk-key'] }
  writeFileSync(
    path,
    JSON.stringify({ scenario: 'desk', seed: 4, start: '2026-01-05T09:00:00Z', organization, identities }),
  )
  return path
}
