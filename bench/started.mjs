import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { CannotMeasure, headers } from './shared.mjs'

const patience = 60_000

/**
 * Starts a candidate in a process of its own and waits for its first 200. Gives its `url`, how many milliseconds
 * that `took` from the moment it was spawned, and `stop(signal)`, at once where none is named.
 */
export async function start({ name, path, argumentsFor }) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}${path}`
  const before = performance.now()
  const child = spawn(process.execPath, argumentsFor(port), { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = listenTo(child)
  const closed = once(child, 'close')
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const stop = async (signal = 'SIGKILL') => {
    process.off('exit', kill)
    child.kill(signal)
    await closed
  }
  while ((await statusOf(url)) !== 200) {
    if (running(child) && performance.now() - before < patience) {
      await wait(2)
      continue
    }
    const state = running(child)
      ? `did not answer 200 within ${patience / 1000} s`
      : 'ended before it answered'
    await stop()
    throw new CannotMeasure(`${name} ${state}, on port ${port}. ${remedy(said())}`)
  }
  return { name, url, took: performance.now() - before, stop }
}

/** A port nobody uses at present. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function running({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null
}

/** What a process says on its error stream, the end of it. */
function listenTo(child) {
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (part) => {
    text = (text + part).slice(-2_000)
  })
  return () => text.trim()
}

function remedy(said) {
  const port = 'If another program took the port meanwhile, try again.'
  return said ? `${port} It said:\n${said}` : port
}

/** The status of the answer to one request, on a connection of its own; undefined where nobody answers. */
function statusOf(url) {
  return new Promise((resolve) => {
    request(url, { headers, agent: false, signal: AbortSignal.timeout(patience) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}

/** The page of threads that a started candidate answers. */
export async function pageOf({ name, url }) {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200)
    throw new CannotMeasure(`${name} answered ${answer.status} to GET ${url}, not 200.`)
  return answer.json()
}

/** Refuses a candidate that does not answer the same page, up to how the JSON is laid out. */
export async function expectPage(started, page) {
  const answered = await pageOf(started)
  if (isDeepStrictEqual(answered, page)) return
  const count = answered?.threads?.length ?? 'no'
  throw new CannotMeasure(
    `${started.name} answers ${count} threads that are not the ${page.threads.length} of this simulator. ` +
      `Its figures would not compare; look at what bench/candidates/ gives it.`,
  )
}

/** A folder for the files of candidates, which goes with the process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-mailbox-sim-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
