import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const load = (file: string) => import(new URL(`../../bench/candidates/${file}.mjs`, import.meta.url).href)
const { bareNode } = await load('bare-node')
const { programOf } = await load('installed')
const { expectPage, pageOf } = await load('page')
const { start } = await load('started')

const page = { threads: [{ id: 'thrd_1' }], total: 1 }
let folder: string
let started: { stop(): Promise<void> }[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'))
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()))
  await rm(folder, { recursive: true })
})

async function startServer() {
  const server = await start(await bareNode(page, folder))
  started.push(server)
  return server
}

describe('a candidate', () => {
  it('is started, answers the page, and is gone once it was stopped', async () => {
    const server = await startServer()
    expect(await pageOf(server)).toEqual(page)
    await expectPage(server, page)
    await server.stop()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('that answers another page is not compared', async () => {
    const server = await startServer()
    const other = { threads: [{ id: 'thrd_2' }], total: 1 }
    await expect(expectPage(server, other)).rejects.toThrow(
      'bare node:http answers 1 threads that are not the 1',
    )
  })

  it('that ends before it answers is refused with what it said', async () => {
    const argumentsFor = () => ['-e', 'console.error("No such file."); process.exitCode = 1']
    await expect(start({ name: 'Nobody', path: '/', argumentsFor })).rejects.toThrow(
      /^Nobody ended before it answered, on port \d+\..*No such file\.$/s,
    )
  })

  it('that is not installed is refused with how to install it', () => {
    expect(() => programOf('no-such-package', 'main.js')).toThrow(
      /not installed.*Run "npm ci --ignore-scripts"/,
    )
  })
})
