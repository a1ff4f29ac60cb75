import { spawnSync } from 'node:child_process'
import { on } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { observerEnvironment } from '../../src/runs/agent/observers/environment.js'
import { folderOf } from '../support/temporary-folder.js'
import { type FakePlay, fakePlay, type ObservedState, type RunningAgent } from './fake-play.js'
import { type HeldRequest, heldServer } from './held-server.js'

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
    await probed(play, (state) => state.works === null && state.waits.length > 0)
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

  it.each([
    [
      'threads',
      `
import queue, threading, time
from concurrent.futures import ThreadPoolExecutor, TimeoutError
lock, recursive, simple = threading.Lock(), threading.RLock(), queue.SimpleQueue()
lock.acquire()
threading.Thread(target=recursive.acquire).start()
print(lock.acquire(timeout=1), recursive.acquire(timeout=2))
threading.Timer(3, simple.put, ["late"]).start()
print(simple.get(timeout=60))
try:
    simple.get(timeout=4)
except queue.Empty:
    print("empty")
sleeper = threading.Thread(target=time.sleep, args=(9,))
sleeper.start()
sleeper.join(5)
print(sleeper.is_alive())
sleeper.join()
with ThreadPoolExecutor(1) as pool:
    task = pool.submit(time.sleep, 8)
    try:
        task.result(timeout=7)
    except TimeoutError:
        print("not yet")
print(time.monotonic() % 1 < 0.001)`,
      [1, 3, 6, 10, 15, 19, 26, 27],
      'False False\nlate\nempty\nTrue\nnot yet\nTrue\n',
    ],
    [
      'files',
      `
import select, selectors, socket
one, other = socket.socketpair()
print(select.select([one], [], [], 1))
poll = select.poll()
poll.register(one, select.POLLIN)
print(poll.poll(2000))
with selectors.DefaultSelector() as selector:
    selector.register(one, selectors.EVENT_READ)
    print(selector.select(3))
    other.send(b"x")
    print(len(selector.select(4)), len(poll.poll(5000)), len(select.select([one], [], [], 6)[0]))`,
      [1, 3, 6],
      '([], [], [])\n[]\n[]\n1 1 1\n',
    ],
    [
      'processes',
      `
import multiprocessing, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9)"])
try:
    child.wait(1)
except subprocess.TimeoutExpired as error:
    print(error.timeout)
print(child.wait(60))
def put(results, seconds):
    time.sleep(seconds)
    results.put(seconds)
fork = multiprocessing.get_context("fork")
results = fork.Queue()
children = [fork.Process(target=put, args=(results, seconds)) for seconds in (2, 3)]
for child in children:
    child.start()
print([results.get(timeout=60) for _ in children])
for child in children:
    child.join(60)
print([child.exitcode for child in children])`,
      [1, 9, 11, 12],
      '1\n0\n[2, 3]\n[0, 0]\n',
    ],
    [
      'event loops',
      `
import asyncio, time
async def main():
    loop = asyncio.get_running_loop()
    start = loop.time()
    await asyncio.sleep(0.0005)
    await asyncio.gather(asyncio.sleep(1), asyncio.sleep(2), asyncio.to_thread(time.sleep, 3) if hasattr(asyncio, "to_thread") else asyncio.sleep(3))
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 4)
    except asyncio.TimeoutError:
        print("late")
    process = await asyncio.create_subprocess_exec("sleep", "0")
    print(await process.wait(), loop.time() - start)
asyncio.run(main())`,
      [1, 2, 3, 7],
      'late\n0 7.0\n',
    ],
    [
      'timers between two milliseconds',
      `
import asyncio
async def main():
    await asyncio.gather(asyncio.sleep(1), asyncio.sleep(1.0004))
    await asyncio.sleep(2.000005)
    print("done")
asyncio.run(main())`,
      [1, 3],
      'done\n',
    ],
  ])('lets %s wait for story time', async (_kind, program, moments, output) => {
    const play = await fakePlay()
    const agent = run(play, program)
    expect(await liveThrough(play, agent)).toEqual(moments.map((seconds) => seconds * second))
    expect(await agent.output()).toBe(output)
    expect(play.notes).toEqual([])
  })

  it('follows several responses on one connection', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `
import http.client
connection = http.client.HTTPConnection("${model.host}")
for method, path in (("HEAD", "/1"), ("POST", "/2"), ("GET", "/3")):
    connection.request(method, path, body=b"{}" if method == "POST" else None)
    print(connection.getresponse().read())`,
    )
    for (const [what, respond] of [
      ['HEAD', (response) => response.writeHead(200, { 'content-length': 9 }).end()],
      ['POST', (response) => response.end('chunked')],
      ['GET', (response) => response.writeHead(204).end()],
    ] as const satisfies [string, (response: HeldRequest['response']) => void][]) {
      const { request, response } = await model.next()
      const asks = [{ what: `${what} ${model.url}${request.url}`, to: model.host }]
      expect(await play.probe()).toMatchObject([{ asks }])
      respond(response)
    }
    expect(await agent.output()).toBe("b''\nb'chunked'\nb''\n")
  })

  it('takes a stream of events for work only if it answers something', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    run(
      play,
      `
import threading, urllib.request
def read(body):
    urllib.request.urlopen("${model.url}/", data=body).read()
threading.Thread(target=read, args=(b"{}",)).start()
read(None)`,
    )
    const all = [await model.next(), await model.next()]
    for (const { response } of all) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    }
    const asks = [{ what: `POST ${model.url}/`, to: model.host }]
    await probed(play, (state) => state.works === null && state.asks.length === 1)
    expect(await play.probe()).toMatchObject([{ works: null, asks }])
    all.find(({ request }) => request.method === 'POST')?.response.end()
    expect(await play.rest()).toMatchObject([{ asks: [] }])
  })

  it('lets a wait after a refusal pass in real time', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `
import time, urllib.error, urllib.request
try:
    urllib.request.urlopen("${model.url}/")
except urllib.error.HTTPError as error:
    before = time.monotonic()
    time.sleep(0.25)
    print(error.code, round(time.monotonic() - before, 2))
    time.sleep(60)`,
    )
    const { response } = await model.next()
    response.writeHead(429).end('later')
    await probed(play, (state) => state.works === `waits 0.25 s after 429 of GET ${model.url}/`)
    expect(await play.rest()).toMatchObject([{ works: null, asks: [], waits: [[minute, minute]] }])
    await play.fire(minute)
    expect(await agent.output()).toBe('429 0.25\n')
  })

  it('ends a time-out of a request to somebody else in real time', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `
import asyncio
async def ask():
    reader, writer = await asyncio.open_connection(*"${model.host}".split(":"))
    writer.write(b"GET /v1 HTTP/1.1\\r\\nHost: ${model.host}\\r\\n\\r\\n")
    await reader.read()
async def main():
    try:
        await asyncio.wait_for(ask(), 0.3)
    except asyncio.TimeoutError:
        print("late")
asyncio.run(main())`,
    )
    await model.next()
    expect(await agent.output()).toBe('late\n')
    expect(play.asked).toEqual([`GET ${model.url}/v1`])
  })

  it.for([
    ['requests', 'import requests as library\nask = lambda url: library.get(url, timeout=5)'],
    ['httpx', 'import httpx as library\nask = lambda url: library.get(url, timeout=5)'],
    [
      'httpx with asyncio',
      `
import asyncio, httpx
async def get(url):
    async with httpx.AsyncClient(timeout=5) as client:
        await client.get(url)
ask = lambda url: asyncio.run(get(url))`,
    ],
    [
      'aiohttp',
      `
import aiohttp, asyncio
async def get(url):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
        async with session.get(url) as response:
            await response.read()
ask = lambda url: asyncio.run(get(url))`,
    ],
  ] as const)('sees the requests of %s, whose time-out is story time', async ([, program], { skip }) => {
    const libraries = spawnSync(python, ['-c', program], { encoding: 'utf8' })
    skip(libraries.status !== 0, 'it is not installed')
    const play = await fakePlay()
    const [model, service] = [await heldServer(), await heldServer()]
    const agent = run(
      play,
      `${program}
ask("${model.url}/v1?key=1")
try:
    ask("${service.url}/v0")
except Exception as error:
    print("late")`,
      { MAILBOX_BASE_URL: service.url },
    )
    const { response } = await model.next()
    const asks = [{ what: `GET ${model.url}/v1`, to: model.host }]
    expect(await play.probe()).toMatchObject([{ asks }])
    response.write('first')
    await probed(play, (state) => state.works === null && state.asks.length === 1)
    response.end(' last')
    await service.next()
    await probed(play, (state) => state.works === null && state.own === 1)
    expect(await play.probe()).toMatchObject([{ asks: [], waits: [[5 * second, 5 * second]] }])
    await play.fire(5 * second)
    expect(await agent.output()).toBe('late\n')
  })

  it('may be at work while what it sent has no answer', async () => {
    const play = await fakePlay()
    const server = await rawServer()
    run(
      play,
      `
import socket
connection = socket.create_connection(("127.0.0.1", ${server.port}))
connection.sendall(b"what\\n")
connection.recv(9)
connection.recv(9)`,
    )
    const socket = await server.next()
    const question = { works: null, maybe: `connection to 127.0.0.1:${server.port}`, asks: [] }
    await probed(play, (state) => state.maybe === question.maybe)
    expect(await play.probe()).toMatchObject([question])
    socket.write('that')
    expect(await play.rest()).toMatchObject([{ maybe: null }])
  })

  it('counts streams of HTTP/2', async () => {
    const play = await fakePlay()
    const server = await rawServer()
    run(
      play,
      `
import socket
connection = socket.create_connection(("127.0.0.1", ${server.port}))
def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
connection.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n" + frame(4, 0, 0) + frame(1, 5, 1, b"\\x82"))
connection.sendall(frame(1, 5, 3, b"\\x82"))
while connection.recv(999):
    pass`,
    )
    const socket = await server.next()
    const asks = { what: `HTTP/2 request to 127.0.0.1:${server.port}`, to: `127.0.0.1:${server.port}` }
    await probed(play, (state) => state.works === null && state.asks.length === 2)
    expect(await play.probe()).toMatchObject([{ asks: [asks, asks] }])
    // Settings, then headers and the last data of stream 1, in two pieces.
    const bytes = Buffer.from(
      '000000040000000000' + '000001010400000001' + '88' + '000002000100000001' + '6f6b',
      'hex',
    )
    socket.write(bytes.subarray(0, 14))
    socket.write(bytes.subarray(14))
    await probed(play, (state) => state.works === null && state.asks.length === 1)
    socket.write(Buffer.from('000004030000000003' + '00000000', 'hex'))
    expect(await play.rest()).toMatchObject([{ asks: [] }])
  })

  it('runs while a thread computes', async () => {
    const play = await fakePlay()
    run(play, 'import threading\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()')
    await play.connected()
    for (let times = 0; times < 20; times += 1) {
      expect(await play.probe()).toMatchObject([{ works: expect.stringMatching(/runs|reads files/) }])
    }
  })

  it('rests while a receiver of webhooks waits, and works later in a thread', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import http.server, threading, time, sys
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.end_headers()
        threading.Thread(target=work).start()
    def log_message(self, *_):
        pass
def work():
    time.sleep(20)
    server.shutdown()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()`,
    )
    const [{ listens } = { listens: [] }] = await play.rest()
    expect(listens).toHaveLength(1)
    const { status } = await fetch(`http://127.0.0.1:${listens[0]}`, { method: 'POST', body: '{}' })
    expect(status).toBe(200)
    expect(await liveThrough(play, agent)).toEqual([20 * second])
    expect(await agent.output()).toBe(`${listens[0]}\n`)
  })

  it('shows the story as date, which nobody notices otherwise', async () => {
    const play = await fakePlay({ agentTime: 'story', date: Date.parse('2031-05-05T12:00:00Z') })
    const agent = run(
      play,
      `
import copy, datetime, pickle, time
from datetime import date, datetime as kind, timezone
now = kind.now(timezone.utc)
print(now.isoformat(timespec="seconds"), kind.utcnow().year, kind.today().year, date.today(), time.strftime("%Y"))
print(type(now) is kind, isinstance(now, date), pickle.loads(pickle.dumps(now)) == now == copy.copy(now), kind)
print(abs(now.timestamp() - time.time()) < 1, time.gmtime().tm_year, time.localtime(0).tm_year)
class Mine(kind):
    pass
print(type(Mine.now()).__name__, callable(pickle.loads(pickle.dumps(time.sleep))))
class Holder:
    clock = time.time
print(Holder().clock() > 0)`,
      { TZ: 'UTC', PYTHONWARNINGS: 'ignore' },
    )
    expect((await agent.output()).split('\n')).toEqual([
      '2031-05-05T12:00:00+00:00 2031 2031 2031-05-05 2031',
      "True True True <class 'datetime.datetime'>",
      'True 2031 1970',
      'Mine True',
      'True',
      '',
    ])
  })

  it('leaves time alone if that is asked for', async () => {
    const play = await fakePlay({ agentTime: 'wall' })
    const agent = run(play, 'import time; time.sleep(0.5); print(time.time() > 1.7e9, time.monotonic)')
    await probed(play, (state) => state.waits[0]?.[1] === 500)
    expect(await play.probe()).toMatchObject([{ works: null, waits: [[null, 500]] }])
    expect(await agent.output()).toBe('True <built-in function monotonic>\n')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('hands on %s at once', async (signal) => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import signal, sys, threading, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
try:
    threading.Event().wait(60) if "${signal}" == "SIGTERM" else time.sleep(60)
except KeyboardInterrupt:
    sys.exit(7)`,
    )
    await play.rest()
    agent.process.kill(signal)
    expect(await agent.end()).toEqual({ status: 7, signal: null, stdout: '', stderr: '' })
  })

  it('runs another sitecustomize, and leaves nothing behind', async () => {
    const play = await fakePlay()
    const folder = await folderOf({ 'sitecustomize.py': 'import sys; sys.flags_of_mine = 1' })
    const look = `
import sys
print(sys.flags_of_mine, sys.modules["sitecustomize"].__file__, [name for name in sys.modules if "mailbox" in name])`
    const agent = run(play, look, { PYTHONPATH: folder })
    expect(await agent.output()).toBe(`1 ${folder}/sitecustomize.py []\n`)
  })

  it('ends waits when play is gone', async () => {
    const play = await fakePlay()
    const agent = run(play, 'import time; time.sleep(60); time.sleep(0.01); print("over")')
    await play.rest()
    play.hangUp()
    expect(await agent.output()).toBe('over\n')
  })

  it.each([
    ['import sys; sys.exit(3)', { status: 3, signal: null, stdout: '', stderr: '' }],
    ['import os; os._exit(4)', { status: 4, signal: null, stdout: '', stderr: '' }],
    [
      'import threading, time; threading.Thread(target=time.sleep, args=(9,), daemon=True).start()',
      { status: 0 },
    ],
    ['import os; os.fork() or os._exit(0); os.wait()', { status: 0, stderr: '' }],
    [
      'raise SystemError("mine")',
      { status: 1, stderr: expect.stringMatching(/^(?![\s\S]*observer)[\s\S]*SystemError: mine\n$/) },
    ],
  ])('ends as it would without the observer: %s', async (program, end) => {
    const play = await fakePlay()
    expect(await run(play, program).end()).toMatchObject(end)
    expect(play.notes).toEqual([])
  })

  it('does nothing if nobody listens', async () => {
    const program = 'import time; time.sleep(0.01); print(time.sleep)'
    const observed = observerEnvironment({ socket: '/nowhere', agentTime: 'skip', env: {} })
    const { stdout, stderr } = spawnSync(python, ['-c', program], {
      env: { ...process.env, ...observed },
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: '<built-in function sleep>\n', stderr: '' })
  })
})

/** Lets time pass for an agent until it ends: whenever it rests, what is due next ends. Returns the moments. */
async function liveThrough(play: FakePlay, agent: RunningAgent): Promise<number[]> {
  const moments: number[] = []
  const end = agent.end()
  for (;;) {
    const states = await Promise.race([restOfGroup(play, agent), end])
    if (!Array.isArray(states)) return moments
    const next = Math.min(...states.flatMap(({ waits }) => waits.map(([due]) => due ?? Infinity)))
    if (next === Infinity) continue
    moments.push(next)
    await play.fire(next)
  }
}

/** Resolves when the agent rests, and none of its processes is about to connect. */
async function restOfGroup(play: FakePlay, agent: RunningAgent): Promise<ObservedState[]> {
  for (;;) {
    await play.connected()
    const known = new Set([...play.threads].map(({ hello }) => hello.pid))
    const states = await play.rest()
    if (processesOf(agent.process.pid as number).every((id) => known.has(id))) return states
  }
}

/** Returns the living processes of a group. */
function processesOf(group: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => {
      try {
        const [state, , itsGroup] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        return Number(itsGroup) === group && state !== 'Z' && state !== 'X'
      } catch {
        return false
      }
    })
}

/** Probes until the only thread's state is as expected. */
async function probed(play: FakePlay, isIt: (state: ObservedState) => boolean): Promise<void> {
  await play.connected()
  for (let isSo = false; !isSo; ) {
    const [state] = await play.probe()
    isSo = state !== undefined && isIt(state)
  }
}

/** Starts a server of bytes, until the test ends. */
async function rawServer() {
  const server = createServer()
  const connections = on(server.listen(0, '127.0.0.1'), 'connection')
  await new Promise((resolve) => server.once('listening', resolve))
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    next: async (): Promise<Socket> => {
      const { value } = await connections.next()
      const [socket] = value as [Socket]
      sockets.push(socket)
      socket.on('error', () => {})
      return socket
    },
  }
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
  // The default, the oldest and the newest.
  const [first, ...others] = found
  const inOrder = others.sort(([one], [other]) => Number(one.slice(2)) - Number(other.slice(2)))
  return [first, inOrder.at(0), inOrder.length > 1 ? inOrder.at(-1) : undefined].filter(
    (entry) => entry !== undefined,
  )
}
