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

const timeoutMs = 60_000

/**
 * Starts a candidate in its own process and waits for its first 200. Returns its `url`, the milliseconds that it `took`
 * from the moment it was spawned, and `stop(signal)`, which kills it at once by default.
 */
export async function start({ name, path, argumentsFor }) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}${path}`
  const before = performance.now()
  const child = spawn(process.execPath, argumentsFor(port), { stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = collectErrors(child)
  const closed = once(child, 'close')
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const stop = async (signal = 'SIGKILL') => {
    process.off('exit', kill)
    child.kill(signal)
    await closed
  }
  while ((await statusOf(url)) !== 200) {
    if (running(child) && performance.now() - before < timeoutMs) {
      await wait(2)
      continue
    }
    const state = running(child)
      ? `did not answer 200 within ${timeoutMs / 1000} s`
      : 'ended before it answered'
    await stop()
    throw new CannotMeasure(`${name} ${state}, on port ${port}. ${remedy(errors())}`)
  }
  return { name, url, took: performance.now() - before, stop }
}

/** Returns a free port. */
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

/** Collects the error stream of a process; returns a function that returns its last part. */
function collectErrors(child) {
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (part) => {
    text = (text + part).slice(-2_000)
  })
  return () => text.trim()
}

function remedy(errors) {
  const port = 'If another program took the port meanwhile, try again.'
  return errors ? `${port} Its error output:\n${errors}` : port
}

/** Sends a request on a new connection; resolves to the status of the answer, or undefined if there is none. */
function statusOf(url) {
  return new Promise((resolve) => {
    request(url, { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}

/** Requests the page of threads from a started candidate. */
export async function pageOf({ name, url }) {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200)
    throw new CannotMeasure(`${name} answered ${answer.status} to GET ${url}, not 200.`)
  return answer.json()
}

/** Checks that a candidate answers with the same page; the formatting of the JSON may differ. */
export async function expectPage(started, page) {
  const answered = await pageOf(started)
  if (isDeepStrictEqual(answered, page)) return
  const count = answered?.threads?.length ?? 'no'
  throw new CannotMeasure(
    `${started.name} answers ${count} threads that are not the ${page.threads.length} of this simulator. ` +
      `Its figures could not be compared; see what bench/candidates.mjs gives it.`,
  )
}

/** Creates a folder for the files of candidates; it is deleted when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-mailbox-sim-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
