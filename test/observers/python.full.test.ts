import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { observerEnvironment, type ProcessState } from '../../src/runs/pace/observed-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { type FakePlay, fakePlay, type RunningAgent } from './fake-play.js'
import { heldServer } from './held-server.js'

const second = 1_000
const minute = 60 * second

/** The interpreters of this machine, one of each version. */
const pythons = interpreters()

describe.each(pythons)('Python %s', (_, python) => {
  /** Runs a program that knows the address of the service. */
  const run = (play: FakePlay, program: string, env: Readonly<Record<string, string>> = {}): RunningAgent =>
    play.run([python, '-c', program], { PYTHONDONTWRITEBYTECODE: '1', ...env })

  it('waits until story time is there, or is put off', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import time
start = time.monotonic()
time.sleep(60)
time.sleep(0.0005)
print(round(time.monotonic() - start, 3), round(time.perf_counter()) > 0, time.ctime())
print(round(time.clock_gettime(time.CLOCK_MONOTONIC) - start, 2), time.clock_gettime(time.CLOCK_REALTIME) // 60)
time.sleep(30)`,
      { TZ: 'UTC' },
    )
    expect(await play.rest()).toMatchObject([{ works: null, waits: [[1, minute, minute, 0]] }])
    expect(await play.go(minute - 1)).toEqual({ now: minute - 1, ended: 0 })
    expect(await play.go(minute, [[1, minute + 10]])).toEqual({ now: minute, ended: 0 })
    expect(await play.go(minute + 10)).toEqual({ now: minute + 10, ended: 1 })
    expect(await play.rest()).toMatchObject([{ waits: [[2, 1.5 * minute + 10, 0.5 * minute, 1]] }])
    await play.go(2 * minute)
    const minutes = Math.floor((Date.parse('2026-01-05T09:00:00Z') + minute) / minute)
    expect(await agent.output()).toBe(`60.01 True Mon Jan  5 09:01:00 2026\n60.01 ${minutes}.0\n`)
    expect(play.notes).toEqual([])
  })

  it('ends waits by itself until the process asks something', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    run(
      play,
      `
import os, time, urllib.request
for second in range(20_000):
    time.sleep(1)
urllib.request.urlopen(os.environ["MAILBOX_BASE_URL"]).read()`,
      { MAILBOX_BASE_URL: service.url },
    )
    await play.rest()
    expect(await play.go(100_000 * second)).toEqual({ now: 20_000 * second, ended: 20_000 })
    await service.next()
    expect((await looked(play, ({ works }) => works === null)).own).toBe(1)
  })

  it('works while a response is not complete', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `
import urllib.request
print(urllib.request.urlopen("${model.url}/v1?key=1", data=b"{}").read())
urllib.request.urlopen("${model.url}/v2").read()`,
    )
    const { response } = await model.next()
    const asked = { id: 1, method: 'POST', host: model.host, path: '/v1?key=1' }
    expect((await looked(play, (state) => state.works === null)).asks).toMatchObject([
      { ...asked, quiet: null },
    ])
    response.write('first')
    const ask = { ...asked, events: false, quiet: expect.any(Number) }
    expect((await looked(play, ({ asks }) => typeof asks[0]?.quiet === 'number')).asks).toMatchObject([ask])
    response.end(' last')
    const other = await model.next()
    other.response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    expect(await looked(play, ({ asks }) => typeof asks[0]?.quiet === 'number')).toMatchObject({
      asks: [{ events: true }],
    })
    other.response.end()
    expect(await agent.output()).toBe("b'first last'\n")
    expect(play.ended[0]).toMatchObject({ ...asked, status: 200, body: expect.stringMatching(/./) })
  })

  it('ends a request to the service by story time, and one to somebody else not before its time', async () => {
    const play = await fakePlay()
    const [service, model] = [await heldServer(), await heldServer()]
    const agent = run(
      play,
      `
import os, urllib.request
for url in (os.environ["MAILBOX_BASE_URL"], "${model.url}"):
    try:
        urllib.request.urlopen(url, timeout=0.5)
    except OSError as error:
        print(error)`,
      { MAILBOX_BASE_URL: service.url },
    )
    await service.next()
    const own = await looked(play, (state) => state.works === null && state.waits.length > 0)
    expect(own).toMatchObject({ works: null, asks: [], own: 1 })
    await play.go(500)
    await model.next()
    const sent = performance.now()
    await looked(play, ({ waits }) => waits.length > 0)
    expect(performance.now() - sent).toBeGreaterThan(300)
    await play.go(1_000)
    expect(await agent.output()).toBe('timed out\ntimed out\n')
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
with selectors.SelectSelector() as selector:
    selector.register(one, selectors.EVENT_READ)
    print(selector.select(1))
poll = select.poll()
poll.register(one, select.POLLIN)
print(poll.poll(2000))
with selectors.DefaultSelector() as selector:
    selector.register(one, selectors.EVENT_READ)
    print(selector.select(3))
    server = socket.create_server(("127.0.0.1", 0))
    for waiting, call in ((one, lambda: one.recv(1)), (server, server.accept)):
        waiting.settimeout(4)
        try:
            call()
        except socket.timeout as error:
            print(error)
    other.send(b"x")
    print(len(selector.select(4)), len(poll.poll(5000)), len(select.select([one], [], [], 6)[0]))`,
      [1, 3, 6, 10, 14],
      '[]\n[]\n[]\ntimed out\ntimed out\n1 1 1\n',
    ],
    [
      'alarms',
      `
import signal, time
def ring(*_):
    print("rings", flush=True)
signal.signal(signal.SIGALRM, ring)
signal.alarm(3)
signal.alarm(2)
signal.pause()
signal.setitimer(signal.ITIMER_REAL, 1, 5)
time.sleep(12)
signal.setitimer(signal.ITIMER_REAL, 0)
def late(*_):
    raise TimeoutError("late")
signal.signal(signal.SIGALRM, late)
signal.alarm(4)
try:
    time.sleep(60)
except TimeoutError as error:
    print(error)`,
      [2, 3, 8, 13, 14, 18],
      'rings\nrings\nrings\nrings\nlate\n',
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
    await asyncio.gather(asyncio.sleep(1), asyncio.sleep(2), loop.run_in_executor(None, time.sleep, 3))
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 4)
    except asyncio.TimeoutError:
        print("late")
    await asyncio.sleep(1.00001)
    process = await asyncio.create_subprocess_exec("sleep", "0")
    print(await process.wait(), round(loop.time() - start, 1))
asyncio.run(main())`,
      [1, 2, 3, 7, 8],
      'late\n0 8.0\n',
    ],
  ])('lets %s wait for story time', async (_kind, program, moments, output) => {
    const play = await fakePlay()
    const agent = run(play, program)
    expect(await liveThrough(play, agent)).toEqual(moments.map((seconds) => seconds * second))
    expect(await agent.output()).toBe(output)
    expect(play.notes).toEqual([])
  })

  it('ends the wait for a process that computes without an end when story time is there', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import multiprocessing, time
def spin():
    while True:
        pass
start = time.monotonic()
job = multiprocessing.get_context("fork").Process(target=spin)
job.start()
job.join(2)
print(job.is_alive(), time.monotonic() - start >= 2)
job.terminate()`,
    )
    await play.connected(2)
    const { waits } = await looked(play, ({ waits }) => waits.length > 0)
    expect(waits).toMatchObject([[1, 2 * second, 2 * second, 0]])
    await play.go(2 * second)
    expect(await agent.output()).toBe('True True\n')
  })

  it('lets a clock go on for a loop that never waits', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import subprocess, time
start = time.time()
while time.time() < start + 0.5:
    pass
end = time.time() + 1
while time.time() < end:
    subprocess.run(["sleep", "0.5"])
print("over")`,
    )
    expect(await agent.output()).toBe('over\n')
  })

  it.each([
    ['time.sleep', 'time.sleep'],
    ['an event', 'threading.Event().wait'],
  ])('lets a wait after a refusal pass in real time: %s', async (_, wait) => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = run(
      play,
      `
import threading, time, urllib.error, urllib.request
try:
    urllib.request.urlopen("${model.url}/")
except urllib.error.HTTPError as error:
    before = time.monotonic()
    ${wait}(0.25)
    print(error.code, round(time.monotonic() - before, 2))
    time.sleep(60)`,
    )
    const { response } = await model.next()
    response.writeHead(429).end('later')
    await looked(play, ({ works }) => works === `a wait of 0.25 s after 429 of GET ${model.host}/`)
    expect(await play.rest()).toMatchObject([{ works: null, asks: [], waits: [[1, minute, minute, 0]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('429 0.25\n')
  })

  it.each([
    ['an answer like 404', 404, 60],
    ['a refusal, of more than a minute', 503, 61],
  ])('leaves a wait to story time after %s', async (_, status, seconds) => {
    const play = await fakePlay()
    const model = await heldServer()
    run(
      play,
      `
import time, urllib.error, urllib.request
try:
    urllib.request.urlopen("${model.url}/")
except urllib.error.HTTPError:
    time.sleep(${seconds})`,
    )
    const { response } = await model.next()
    response.writeHead(status).end()
    expect(await play.rest()).toMatchObject([
      { works: null, waits: [[1, seconds * second, seconds * second, 0]] },
    ])
  })

  it('takes a time-out of asyncio for one of a request only if that began in it', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    run(
      play,
      `
import asyncio, urllib.request
async def main():
    ask = lambda: urllib.request.urlopen("${model.url}/").read()
    asyncio.create_task(asyncio.to_thread(ask))
    await asyncio.sleep(0)
    guarded = asyncio.wait_for(asyncio.to_thread(ask), 50)
    await asyncio.gather(guarded, asyncio.wait_for(asyncio.Event().wait(), 40))
asyncio.run(main())`,
    )
    await model.next()
    await model.next()
    const state = await looked(play, ({ waits }) => waits.length > 0)
    expect(state.waits.map(([, , duration]) => duration)).toEqual([40 * second])
  })

  it('has locks that are found by their name', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      'import pickle, threading; print(pickle.loads(pickle.dumps(threading.Lock)) is threading.Lock)',
    )
    expect(await agent.output()).toBe('True\n')
  })

  it('lets no wait pass in real time after a fourth failure in a row', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import time, urllib.error, urllib.request
for request in range(4):
    try:
        urllib.request.urlopen("http://127.0.0.1:1025/")
    except urllib.error.URLError:
        pass
time.sleep(60)`,
    )
    expect(await play.rest()).toMatchObject([{ works: null, waits: [[1, minute, minute, 0]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })

  it('holds an answer until story time has passed as long as it takes', async () => {
    const play = await fakePlay({ thinkTime: 20 * second })
    const model = await heldServer()
    const agent = run(play, `import urllib.request; print(urllib.request.urlopen("${model.url}/").read())`)
    const { response } = await model.next()
    response.end('ok')
    expect(await play.rest()).toMatchObject([{ asks: [], waits: [[1, 20 * second, 20 * second, 0]] }])
    await play.go(20 * second)
    expect(await agent.output()).toBe("b'ok'\n")
  })

  it.for([
    ['requests', 'import requests as library\nask = lambda url: library.post(url, timeout=4, data="{}")'],
    // The SDKs of models have moved to httpx2.
    ...['httpx', 'httpx2'].flatMap((name) => [
      [name, `import ${name} as library\nask = lambda url: library.post(url, timeout=4, content="{}")`],
      [
        `${name} with asyncio`,
        `
import asyncio, ${name} as library
async def post(url):
    async with library.AsyncClient(timeout=4) as client:
        await client.post(url, content="{}")
ask = lambda url: asyncio.run(post(url))`,
      ],
    ]),
    [
      'aiohttp',
      `
import aiohttp, asyncio
async def post(url):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=4)) as session:
        async with session.post(url, data="{}") as response:
            await response.read()
ask = lambda url: asyncio.run(post(url))`,
    ],
  ])('sees the requests of %s, whose time-out is story time', async ([, program = ''], { skip }) => {
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
    await looked(play, ({ works, asks }) => works === null && asks[0]?.quiet === null)
    response.write('first')
    await looked(play, ({ works, asks }) => works === null && typeof asks[0]?.quiet === 'number')
    response.end(' last')
    await service.next()
    const own = await looked(play, (state) => state.works === null && state.own === 1)
    expect(own).toMatchObject({ asks: [], links: [] })
    expect(own.waits).toContainEqual([expect.any(Number), 4 * second, 4 * second, 0])
    const asked = { id: 1, method: 'POST', host: model.host, path: '/v1?key=1' }
    const [body, took] = [expect.stringMatching(/./), expect.any(Number)]
    expect(play.ended).toEqual([{ ...asked, status: 200, body, took }])
    await play.go(4 * second)
    expect(await agent.output()).toBe('late\n')
  })

  it('ends no wait of a loop while the result of a thread is on its way', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    run(
      play,
      `
import asyncio, hashlib, urllib.request

async def work():
    while True:
        await asyncio.sleep(10)
        await asyncio.to_thread(hashlib.sha256, b"x" * 1_000_000)
        await asyncio.to_thread(urllib.request.urlopen, "${service.url}/")

async def tick():
    while True:
        await asyncio.sleep(1)

async def main():
    await asyncio.gather(work(), tick())

asyncio.run(main())`,
      { MAILBOX_BASE_URL: service.url },
    )
    for (let round = 1; round <= 100; round++) {
      await play.rest()
      expect((await play.go(round * minute)).now).toBe(round * 10 * second)
      ;(await service.next()).response.end()
    }
  })

  it('waits for an answer in parts on a WebSocket, and for a pong', async () => {
    const play = await fakePlay()
    const sockets: Socket[] = []
    const frames: number[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined))
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
      socket.on('data', ([first = 0]: Buffer) => frames.push(first))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    run(
      play,
      `
import socket, time
connection = socket.create_connection(("127.0.0.1", ${port}))
connection.sendall(b"GET / HTTP/1.1\\r\\nUpgrade: websocket\\r\\n\\r\\n")
connection.recv(99)
connection.sendall(bytes([0x81, 0x80, 0, 0, 0, 0]))
connection.recv(9)
time.sleep(60)
connection.sendall(bytes([0x89, 0x80, 0, 0, 0, 0]))
connection.recv(9)
connection.sendall(bytes([0x8a, 0x80, 0, 0, 0, 0]))
time.sleep(60)`,
    )
    const to = `127.0.0.1:${port}`
    await expect.poll(() => frames.at(-1)).toBe(0x81)
    const [socket] = sockets
    socket?.write(Buffer.from([0x01, 1, 0x41]))
    // The rest of it may come for two seconds.
    expect((await looked(play, ({ waits }) => waits.length === 1)).links).toEqual([to])
    await looked(play, ({ links }) => links.length === 0)
    await play.go(minute)
    await expect.poll(() => frames.at(-1)).toBe(0x89)
    expect((await looked(play, () => true)).links).toEqual([to])
    socket?.write(Buffer.from([0x8a, 0]))
    expect((await looked(play, ({ waits }) => waits[0]?.[1] === 2 * minute)).links).toEqual([])
  })

  it('tells which connections of another kind wait for an answer', async () => {
    const play = await fakePlay()
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    run(
      play,
      `
import socket, time
idle = socket.create_connection(("127.0.0.1", ${port}))
connection = socket.create_connection(("127.0.0.1", ${port}))
connection.sendall(b"what\\n")
connection.recv(9)
connection.sendall(b"log\\n")
time.sleep(60)
connection.sendall(b"log\\n")
time.sleep(60)`,
    )
    const [, [socket]] = [await once(server, 'connection'), await once(server, 'connection')]
    const to = `127.0.0.1:${port}`
    await looked(play, ({ works, links }) => works === null && links[0] === to)
    ;(socket as Socket).on('error', () => undefined).write('that')
    await looked(play, ({ waits, links }) => waits.length === 1 && links[0] === to)
    // Nobody answers the log.
    await looked(play, ({ links }) => links.length === 0)
    await play.go(minute)
    const { links } = await looked(play, ({ waits }) => waits[0]?.[1] === 2 * minute)
    expect(links).toEqual([])
  })

  it('computes while a thread does, also one that the interpreter does not know', async () => {
    const play = await fakePlay()
    run(
      play,
      `
import hashlib, threading
threading.Thread(target=lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000_000_000)).start()`,
    )
    await play.connected()
    await looked(play, ({ works }) => works === 'computes')
    for (let times = 0; times < 20; times += 1) {
      expect(await play.look()).toMatchObject([{ works: 'computes' }])
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
    const [{ listens, waits } = { listens: [], waits: [] }] = await play.rest()
    expect({ listens, waits }).toEqual({ listens: [expect.any(Number)], waits: [] })
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
    expect(await play.rest()).toMatchObject([{ works: null, waits: [] }])
    expect(await play.go(minute)).toEqual({ now: 0, ended: 0 })
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

  it('runs another sitecustomize', async () => {
    const play = await fakePlay()
    const folder = await folderOf({ 'sitecustomize.py': 'import sys; sys.flags_of_mine = 1' })
    const look = `
import sys
print(sys.flags_of_mine, sys.modules["sitecustomize"].__file__)`
    const agent = run(play, look, { PYTHONPATH: folder })
    expect(await agent.output()).toBe(`1 ${folder}/sitecustomize.py\n`)
  })

  it('keeps its line when the program closes all files that it may have inherited', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import os, time
for file in range(3, 200):
    try:
        os.close(file)
    except OSError:
        pass
os.closerange(3, 1000)
time.sleep(60)
print("over")`,
    )
    // On a busy machine, the program may look idle before it gets there.
    while ((await play.rest())[0]?.waits.length === 0);
    await play.go(minute)
    expect(await agent.output()).toBe('over\n')
  })

  it('lets time run by itself when the play is gone', async () => {
    const play = await fakePlay()
    const agent = run(
      play,
      `
import asyncio, signal, threading, time
signal.signal(signal.SIGALRM, lambda *_: print("rings", flush=True))
signal.setitimer(signal.ITIMER_REAL, 0.1)
threading.Thread(target=lambda: threading.Event().wait(0.2)).start()
async def main():
    start = time.monotonic()
    await asyncio.sleep(0.3)
    print(time.monotonic() - start >= 0.3)
asyncio.run(main())
time.sleep(0.01)`,
    )
    await play.rest()
    play.hangUp()
    expect(await agent.output()).toBe('rings\nTrue\n')
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
    const moment = { now: 0, date: 0 }
    const observed = observerEnvironment({ place: '127.0.0.1:1', moment, agentTime: 'skip' }, {})
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
    const next = Math.min(...states.flatMap(({ waits }) => waits.map(([, due]) => due)))
    if (next === Infinity) continue
    if (next !== moments.at(-1)) moments.push(next)
    await play.go(next)
  }
}

/** Resolves when the agent rests, and none of its processes is about to connect. */
async function restOfGroup(play: FakePlay, agent: RunningAgent): Promise<ProcessState[]> {
  for (;;) {
    const states = await play.rest()
    const known = new Set(play.threads.map(({ pid }) => pid))
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

/** Looks until the only thread's state is as expected; resolves with that. */
async function looked(play: FakePlay, isIt: (state: ProcessState) => boolean): Promise<ProcessState> {
  await play.connected()
  let state: ProcessState | undefined
  const look = async (): Promise<boolean> => {
    ;[state] = await play.look()
    return state !== undefined && isIt(state)
  }
  // Also once the play is closed, as after a failure, this ends.
  await expect.poll(look).toBe(true)
  return state as unknown as ProcessState
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
