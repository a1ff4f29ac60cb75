import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FakePlay, fakePlay, type RunningAgent } from './fake-play.js'
import { heldServer } from './held-server.js'

const second = 1_000
const minute = 60 * second

/** The interpreters of this machine, one of each version. */
const pythons = interpreters()

describe.each(pythons)('Python %s', (_, python) => {
  /** Runs a program that knows the addresses of a model and of the service. */
  const run = (play: FakePlay, program: string, env: Readonly<Record<string, string>> = {}): RunningAgent =>
    play.run([python, '-c', program], { PYTHONDONTWRITEBYTECODE: '1', ...env })

  it('waits until story time is there', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import time
start = time.monotonic()
time.sleep(60)
time.sleep(0.0005)
print(round(time.monotonic() - start, 3), round(time.perf_counter()) > 0, time.ctime())
time.sleep(30)`,
      { TZ: 'UTC' },
    )
    expect(await play.rest()).toMatchObject([{ works: null, waits: [[minute, minute]] }])
    expect(await play.fire(minute - 1)).toBe(0)
    expect(await play.fire(minute)).toBe(1)
    expect(await play.rest()).toMatchObject([{ waits: [[1.5 * minute, 0.5 * minute]] }])
    await play.fire(1.5 * minute)
    expect(await agent.output()).toBe('60.0 True Mon Jan  5 09:01:00 2026\n')
    expect(play.notes).toEqual([])
  })

  it('works while a response is not complete', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `import urllib.request; print(urllib.request.urlopen("${model.url}/v1?key=1").read())`,
    )
    const { response } = await model.next()
    const asks = [{ what: `GET ${model.url}/v1`, to: model.host }]
    expect(await play.probe()).toMatchObject([{ asks }])
    response.write('first')
    expect(await play.probe()).toMatchObject([{ asks }])
    response.end(' last')
    expect(await agent.output()).toBe("b'first last'\n")
    expect(play.asked).toEqual([`GET ${model.url}/v1`])
  })

  it('ends a request to the service by story time', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    const agent = run(
      play,
      `
import os, urllib.request
try:
    urllib.request.urlopen(os.environ["MAILBOX_BASE_URL"], timeout=10)
except TimeoutError as error:
    print(error)
except OSError as error:
    print(error)`,
      { MAILBOX_BASE_URL: service.url },
    )
    await service.next()
    await play.until(() => play.threads.size > 0)
    await waiting(play, 10 * second)
    expect(await play.probe()).toMatchObject([{ works: null, asks: [], own: 1 }])
    await play.fire(10 * second)
    expect(await agent.output()).toBe('timed out\n')
  })

  it('sees that threads wait for each other', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import queue, threading, time
from concurrent.futures import ThreadPoolExecutor
tasks = queue.Queue()
def work():
    while (seconds := tasks.get()):
        time.sleep(seconds)
worker = threading.Thread(target=work)
worker.start()
tasks.put(10)
tasks.put(0)
worker.join()
with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(lambda seconds: time.sleep(seconds) or seconds, [20, 30])))
print(threading.Event().wait(40))`,
    )
    for (const [now, waits] of [
      [10, [[10, 10]]],
      [
        30,
        [
          [30, 20],
          [40, 30],
        ],
      ],
      [40, [[40, 30]]],
      [80, [[80, 40]]],
    ] as const) {
      const inMilliseconds = waits.map((wait) => wait.map((seconds) => seconds * second))
      expect(await play.rest()).toMatchObject([{ works: null, waits: inMilliseconds }])
      await play.fire(now * second)
    }
    expect(await agent.output()).toBe('[20, 30]\nFalse\n')
  })

  it('lets asyncio wait', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import asyncio
async def main():
    await asyncio.gather(asyncio.sleep(10), asyncio.sleep(20))
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 30)
    except asyncio.TimeoutError:
        print("late")
asyncio.run(main())`,
    )
    const inOrder = [
      [10, 10],
      [20, 20],
    ].map((wait) => wait.map((seconds) => seconds * second))
    expect(await play.rest()).toMatchObject([{ works: null, waits: inOrder }])
    expect(await play.fire(20 * second)).toBe(2)
    expect(await play.rest()).toMatchObject([{ works: null, waits: [[50 * second, 30 * second]] }])
    await play.fire(50 * second)
    expect(await agent.output()).toBe('late\n')
  })

  it('runs as it would without the observer', async () => {
    const play = await fakePlay()
    const agent = run(play, 'import sys; sys.exit(3)')
    expect(await agent.end()).toEqual({ status: 3, signal: null, stdout: '', stderr: '' })
  })
})

/** Resolves once the agent waits until a story time. */
async function waiting(play: FakePlay, due: number): Promise<void> {
  while (!(await play.probe()).some(({ waits }) => waits.some(([end]) => end === due)));
}

/** Returns versions and paths of the interpreters on the path and of pyenv that are new enough. */
function interpreters(): [version: string, path: string][] {
  const versions = join(homedir(), '.pyenv/versions')
  const installed = existsSync(versions) ? readdirSync(versions) : []
  const candidates = [
    'python3',
    '/usr/bin/python3',
    ...installed.map((name) => join(versions, name, 'bin/python')),
  ]
  const found = new Map<string, string>()
  for (const path of candidates) {
    if (path.startsWith('/') && !existsSync(path)) continue
    const { stdout } = spawnSync(path, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])
    const version = String(stdout ?? '').trim()
    if (/^3\.(9|\d\d)$/.test(version) && !found.has(version)) found.set(version, path)
  }
  return [...found]
}
