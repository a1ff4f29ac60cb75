import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSink } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ProcessState } from '../../src/runs/pace/observed-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { agentNode, type FakePlay, fakePlay } from './fake-play.js'
import { heldHttp2Server, heldServer } from './held-server.js'

const second = 1_000
const minute = 60 * second

/** Shows states with the ends and durations of their waits alone. */
const shown = (states: readonly ProcessState[]) => {
  return states.map((state) => ({ ...state, waits: state.waits.map(([, due, duration]) => [due, duration]) }))
}
const rested = async (play: FakePlay) => shown(await play.rest())
const looked = async (play: FakePlay) => shown(await play.look())

/** Runs a module until it rests, ends its waits one after the other as `play` does, and returns what it printed. */
async function lived(
  play: FakePlay,
  source: string,
  env?: Record<string, string>,
  name?: string,
): Promise<string> {
  const agent = await play.node(source, env, name)
  await play.connected()
  let hasEnded = false
  const end = agent.end().then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const states = await Promise.race([rested(play), end])
    const waits = (states ?? []).flatMap((state) => state.waits.map(([due = 0]) => due))
    if (waits.length > 0) await Promise.race([play.go(Math.min(...waits)), end])
    else await end
  }
  return agent.output()
}

describe('waits', () => {
  it('end when story time gets there', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      import { setTimeout as sleep } from 'node:timers/promises'
      await sleep(60_000)
      setTimeout(console.log, 120_000, 'late')
      setTimeout(console.log, 30_000, 'early')
    `)
    expect(await rested(play)).toMatchObject([{ works: null, waits: [[minute, minute]] }])
    expect(await play.go(minute - 1)).toEqual({ now: minute - 1, ended: 0 })
    expect(await play.go(minute)).toEqual({ now: minute, ended: 1 })
    const waits = [
      [1.5 * minute, 0.5 * minute],
      [3 * minute, 2 * minute],
    ]
    expect(await rested(play)).toMatchObject([{ waits }])
    await play.go(3 * minute)
    expect(await agent.output()).toBe('early\nlate\n')
  })

  it('are of every kind that Node has, however they are imported', async () => {
    const play = await fakePlay()
    const output = await lived(
      play,
      `
      import { createRequire } from 'node:module'
      import { setTimeout as later, setInterval as repeat } from 'node:timers'
      import * as promises from 'timers/promises'
      import { promisify } from 'node:util'
      const start = performance.now()
      const note = (what) => console.log(what, Math.floor((performance.now() - start) / 1000))
      await new Promise((resolve) => later(resolve, 10_000))
      note('timers')
      await new Promise((resolve) => { const timer = repeat(() => { clearInterval(timer); resolve() }, 10_000) })
      note('interval')
      await promises.setTimeout(10_000)
      note('promise')
      await promises.scheduler.wait(10_000)
      note('scheduler')
      for await (const value of promises.setInterval(10_000, 'tick')) { note(value); break }
      await promisify(setTimeout)(10_000)
      note('promisified')
      await createRequire(import.meta.url)('timers/promises').setTimeout(10_000)
      note('required')
      await new Promise((resolve) => {
        const keep = setTimeout(() => {}, 60_000)
        AbortSignal.timeout(10_000).onabort = ({ target: { reason } }) => { clearTimeout(keep); resolve(note(reason.name)) }
      })
    `,
    )
    expect(output).toBe(
      'timers 10\ninterval 20\npromise 30\nscheduler 40\ntick 50\npromisified 60\nrequired 70\nTimeoutError 80\n',
    )
  })

  it('are shown as what they are, and can be ended in all ways', async () => {
    const play = await fakePlay()
    const output = await lived(
      play,
      `
      const never = () => console.log('never')
      const timers = Array.from({ length: 6 }, () => setTimeout(never, 60_000))
      console.log(timers[0].constructor.name, timers[0].hasRef(), timers[0].unref().hasRef(), timers[0].ref() === timers[0])
      clearTimeout(timers[0])
      clearTimeout(+timers[1])
      clearTimeout(String(+timers[2]))
      timers[3].close()
      clearInterval(timers[4])
      timers[5][Symbol.dispose]?.() ?? clearTimeout(timers[5])
      const abort = new AbortController()
      import('node:timers/promises').then(({ setTimeout }) => {
        setTimeout(60_000, 0, { signal: abort.signal }).catch(({ name, code }) => console.log(name, code))
        abort.abort()
      })
      const again = setTimeout(() => {
        console.log(Math.floor(performance.now() / 60_000)) // however long the process took to start
        if (performance.now() < 100_000) again.refresh()
      }, 60_000)
      console.log(setTimeout.name, setTimeout.length > 0, timers.setTimeout === setTimeout.timers)
    `,
    )
    expect(output).toBe('Timeout true false true\nsetTimeout true true\nAbortError ABORT_ERR\n1\n2\n')
  })

  it('of the same moment end in the order in which they began, with promises between them', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      const log = (name) => () => { console.log(name); Promise.resolve().then(() => console.log(name, 'promise')) }
      setTimeout(() => setTimeout(log('b'), 30_000), 30_000)
      setTimeout(log('a'), 60_000)
      setTimeout(log('c'), 59_999)
    `)
    await rested(play)
    await play.go(minute)
    expect(await agent.output()).toBe('c\nc promise\na\na promise\nb\nb promise\n')
  })

  it('keep a process running exactly if they would', async () => {
    const play = await fakePlay()
    const unref = await play.node(`
      setTimeout(() => console.log('never'), 60_000).unref()
      setInterval(() => console.log('never'), 60_000).unref()
      import('node:timers/promises').then(({ setTimeout }) => setTimeout(60_000, null, { ref: false }))
      AbortSignal.timeout(60_000)
      process.exitCode = 3
    `)
    expect(await unref.end()).toMatchObject({ status: 3, stdout: '', stderr: '' })
  })

  it('that have begun before the process is told the time begin then', async () => {
    const play = await fakePlay()
    play.move(10 * minute)
    const source = 'setTimeout(() => console.log(performance.now() < 120_000), 60_000)'
    const agent = await play.node(source, { MAILBOX_SIM_MOMENT: '{"now":0,"date":0}' })
    expect(await rested(play)).toMatchObject([{ waits: [[11 * minute, minute]] }])
    await play.go(11 * minute)
    expect(await agent.output()).toBe('true\n')
  })

  it('end one after another as long as the thread asks nothing', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    const agent = await play.node(
      `
      let ticks = 0
      const timer = setInterval(async () => {
        if (++ticks % 20_000 !== 0) return
        clearInterval(timer)
        await fetch('${service.url}')
      }, 1_000)
    `,
      { MAILBOX_BASE_URL: service.url },
    )
    await rested(play)
    expect(await play.go(100_000 * second)).toEqual({ now: 20_000 * second, ended: 20_000 })
    const { response } = await service.next()
    response.end()
    expect(await agent.output()).toBe('')
  })

  it('do not end while something comes of what the machine does for one before', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    await play.node(
      `
      import { promisify } from 'node:util'
      import { gzip } from 'node:zlib'
      setInterval(() => {}, 1_000)
      setInterval(async () => {
        await promisify(gzip)(Buffer.alloc(2e6, 'x'))
        await (await fetch('${service.url}')).text()
      }, 10_000)
    `,
      { MAILBOX_BASE_URL: service.url },
    )
    for (let round = 1; round <= 100; round++) {
      await rested(play)
      expect((await play.go(round * minute)).now).toBe(round * 10 * second)
      ;(await service.next()).response.end()
    }
  })

  it('get another end if the play says so', async () => {
    const play = await fakePlay()
    const agent = await play.node("setTimeout(() => console.log('late'), 60_000)")
    const [state] = await play.rest()
    const [id = 0] = state?.waits[0] ?? []
    expect(await play.go(2 * minute, [[id, 10 * minute]])).toEqual({ now: 2 * minute, ended: 0 })
    await play.go(10 * minute)
    expect(await agent.output()).toBe('late\n')
  })

  it('keep their asynchronous context, and their errors end the process', async () => {
    const play = await fakePlay()
    const source = `
      const { AsyncLocalStorage } = require('node:async_hooks')
      const storage = new AsyncLocalStorage()
      storage.run('context', () => setTimeout(() => {
        console.log(storage.getStore())
        throw new TypeError('wrong')
      }, 60_000))
    `
    const agent = await play.node(source, {}, 'agent.cjs')
    await rested(play)
    await play.go(minute)
    const { status, stdout, stderr } = await agent.end()
    expect([status, stdout]).toEqual([1, 'context\n'])
    expect(stderr).toMatch(
      /^\S+agent\.cjs:6\n[\s\S]*TypeError: wrong\n {4}at Timeout\._onTimeout \([\s\S]*agent\.cjs:6/,
    )
  })

  it('run on when `play` is gone, or was never there', async () => {
    const play = await fakePlay()
    const source = `
      const start = performance.now()
      setTimeout(() => console.log(performance.now() - start >= 39), 40)
      let count = 0
      const timer = setInterval(() => ++count === 2 && clearInterval(timer), 10)
    `
    const left = await play.node(source)
    await rested(play)
    play.hangUp()
    expect(await left.output()).toBe('true\n')
    const alone = await play.node(source, { MAILBOX_SIM_OBSERVER: '127.0.0.1:1' })
    expect(await alone.output()).toBe('true\n')
  })
})

describe('clocks', () => {
  const show = `
    const start = performance.now()
    const date = Date.now()
    const [hrtime, bigint, uptime] = [process.hrtime(), process.hrtime.bigint(), process.uptime()]
    const all = () => [
      performance.now() - start, Date.now() - date, new Date() - date, Date.parse(Date()) - date + 999,
      process.hrtime(hrtime)[0] * 1000, Number(process.hrtime.bigint() - bigint) / 1e6, (process.uptime() - uptime) * 1000,
    ].map((ms) => Math.floor(ms / 10_000)) // Date() has no milliseconds
    setTimeout(() => console.log(JSON.stringify(all())), 60_000)
  `

  it('agree with each other', async () => {
    const play = await fakePlay()
    const agent = await play.node(show)
    await rested(play)
    await play.go(minute)
    expect(JSON.parse(await agent.output())).toEqual([6, 6, 6, 6, 6, 6, 6])
  })

  it('stand still while nothing is used but real time', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      const before = performance.now()
      await (await fetch('${model.url}')).text()
      console.log(performance.now() - before)
    `)
    const { response } = await model.next()
    const began = performance.now()
    // The agent has used no processor time that would come near.
    while (performance.now() - began < 500) await looked(play)
    response.end()
    expect(Number(await agent.output())).toBeLessThan(400)
  })

  it('let a loop that waits for them end', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      for (const end = performance.now() + 100; performance.now() < end; );
      for (const end = Date.now() + 100; Date.now() < end; );
    `)
    expect(await agent.output()).toBe('')
  })

  it('keep `Date` what it is', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      class Own extends Date {}
      const date = new Date()
      console.log(JSON.stringify([
        Date.name, Date.length, date instanceof Date, date.constructor === Date, Object.prototype.toString.call(date),
        new Own() instanceof Own, new Own(0).getTime(), new Date(2026, 0).getMonth(), typeof Date(), Date.UTC(2026, 0),
        Math.abs(new Own() - Date.now()) < 1000, structuredClone(date) instanceof Date, Date.prototype === Object.getPrototypeOf(date),
      ]))
    `)
    expect(JSON.parse(await agent.output())).toEqual([
      ...['Date', 7, true, true, '[object Date]', true, 0, 0, 'string', 1767225600000, true, true, true],
    ])
  })

  it('are shown by every way of looking at them', async () => {
    const play = await fakePlay({ agentTime: 'story', date: Date.parse('2026-01-05T09:00:00Z') })
    const agent = await play.node(`
      const format = new Intl.DateTimeFormat('en', { timeZone: 'UTC', year: 'numeric' })
      console.log(format.format(), format.formatToParts()[0].value, format.format(0), [undefined].map(format.format)[0])
      console.log(new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 16))
    `)
    expect(await agent.output()).toBe('2026 2026 1970 2026\n2026-01-05T09:00\n')
  })

  it('count how long the thread was blocked beyond a second', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      import { execSync } from 'node:child_process'
      const lock = new Int32Array(new SharedArrayBuffer(4))
      const began = Date.now()
      while (Date.now() < began + 300) Atomics.wait(lock, 0, 0, 200)
      while (Date.now() < began + 600) execSync('sleep 0.2')
    `)
    expect(await agent.output()).toBe('')
  })

  it('and timers are left alone in `wall`', async () => {
    const play = await fakePlay({ agentTime: 'wall', date: 0 })
    const agent = await play.node(`
      const timer = setTimeout(() => {}, 60_000)
      process.on('SIGTERM', () => { console.log(new Date().getFullYear() > 2000); process.exit(4) })
    `)
    expect(await rested(play)).toMatchObject([{ works: null, waits: [] }])
    expect(await play.go(minute)).toEqual({ now: minute, ended: 0 })
    agent.process.kill('SIGTERM')
    expect(await agent.end()).toMatchObject({ status: 4, stdout: 'true\n' })
  })
})

describe('requests', () => {
  const file = (name: string) => import.meta.resolve(name)
  /** Ways of asking a model with POST, each an expression that gives the text of the response. */
  const clients = {
    fetch: (url: string) => `(await fetch('${url}', { method: 'POST', body: '{}' })).text()`,
    http: (url: string) => `new Promise((resolve, reject) => {
      const request = http.request('${url}', { method: 'POST' }, async (response) => {
        let all = ''
        for await (const part of response) all += part
        resolve(all)
      })
      request.on('error', reject)
      request.end('{}')
    })`,
    undici: (url: string) =>
      `(await import('${file('undici')}')).request('${url}', { method: 'POST', body: '{}' }).then(({ body }) => body.text())`,
    axios: (url: string) =>
      `(await import('${file('axios')}')).default.post('${url}', {}, { responseType: 'text', validateStatus: null }).then(({ data }) => data)`,
    got: (url: string) =>
      `(await import('${file('got')}')).got.post('${url}', { json: {}, retry: { limit: 0 }, throwHttpErrors: false }).text()`,
    http2: (url: string) => `import('node:http2').then(({ connect }) => new Promise((resolve, reject) => {
      const session = connect('${url}').on('error', reject)
      const stream = session.request({ ':method': 'POST', ':path': new URL('${url}').pathname }).on('error', reject)
      let all = ''
      stream.setEncoding('utf8').on('data', (part) => all += part).on('end', () => { session.close(); resolve(all) }).end('{}')
    }))`,
  }

  it.each(Object.entries(clients))(
    'of %s are work until they end, and so is a wait after one that failed',
    async (name, client) => {
      const play = await fakePlay()
      const model = await (name === 'http2' ? heldHttp2Server : heldServer)()
      const agent = await play.node(`
      import http from 'node:http'
      import { setTimeout as sleep } from 'node:timers/promises'
      const ask = async () => ${client(`${model.url}/v1/chat?key=1`)}
      await ask().catch(() => sleep(50))
      if (await ask() === 'slowly') await sleep(300)
      console.log(await ask())
      setTimeout(() => {}, 60_000)
    `)
      await model.next()
      model.breakDown()
      const refused = await model.next()
      refused.response.writeHead(429).end('slowly')
      const works = `waits 0.3 s after 429 of POST ${model.url}/v1/chat`
      let [state] = await looked(play)
      while (state?.works !== works) [state] = await looked(play)
      expect(state).toMatchObject({ works, waits: [] })
      const { response } = await model.next()
      const path = expect.stringMatching(/^\/v1\/chat(\?key=1)?$/)
      const ask = { id: 3, method: 'POST', host: model.host, path, events: false }
      expect(await looked(play)).toMatchObject([{ asks: [{ ...ask, quiet: null }] }])
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first')
      while (typeof state?.asks[0]?.quiet !== 'number') [state] = await looked(play)
      expect(state.asks).toMatchObject([{ ...ask, quiet: expect.any(Number) }])
      response.end(' last')
      expect(await rested(play)).toMatchObject([{ works: null, waits: [[minute, minute]] }])
      expect(play.ended).toMatchObject([{ status: null }, { status: 429 }, { id: 3, path, status: 200 }])
      await play.go(minute)
      expect(await agent.output()).toBe('first last\n')
    },
  )

  it.each([
    ['that somebody answers with 404', 404, 60],
    ['that is longer than a minute', 503, 61],
  ])('leave a wait to story time after one %s', async (_, status, seconds) => {
    const play = await fakePlay()
    const model = await heldServer()
    await play.node(`
      import { setTimeout as sleep } from 'node:timers/promises'
      await (await fetch('${model.url}')).text()
      await sleep(${seconds * second})
    `)
    const { response } = await model.next()
    response.writeHead(status).end()
    expect(await rested(play)).toMatchObject([{ works: null, waits: [[seconds * second, seconds * second]] }])
  })

  it('of undici that are repeated are repeated by story time', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      const { Agent, RetryAgent, request } = await import('${import.meta.resolve('undici')}')
      const dispatcher = new RetryAgent(new Agent(), { minTimeout: 90_000, maxTimeout: 90_000 })
      const { body } = await request('${model.url}', { dispatcher })
      console.log(await body.text())
    `)
    const { response } = await model.next()
    response.writeHead(503).end()
    const [state] = await rested(play)
    expect(state?.waits).toHaveLength(1)
    await play.go(state?.waits[0]?.[0] ?? 0)
    const { response: answer } = await model.next()
    answer.end('answer')
    expect(await agent.output()).toBe('answer\n')
  })

  it('make no wait real once they have failed three times in a row', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      for (let request = 1; request <= 4; request++) await fetch('http://127.0.0.1:1025/').catch(() => {})
      setTimeout(() => process.exit(0), 60_000)
    `)
    expect(await rested(play)).toMatchObject([{ works: null, waits: [[minute, minute]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })

  it.each(['fetch', 'http2'] as const)('to the service are counted apart: %s', async (name) => {
    const play = await fakePlay()
    const service = await (name === 'http2' ? heldHttp2Server : heldServer)()
    const url = service.url.replace('127.0.0.1', 'localhost')
    const agent = await play.node(`await ${clients[name](`${url}/v0`)}`, { MAILBOX_BASE_URL: service.url })
    const { response } = await service.next()
    await play.connected()
    expect(await looked(play)).toMatchObject([{ asks: [], own: 1 }])
    response.end()
    expect(await agent.output()).toBe('')
    expect(play.ended).toEqual([])
  })

  it('of which nobody reads the response are no work', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      import http from 'node:http'
      const get = (path) => new Promise((resolve) => http.get('${model.url}' + path, resolve))
      const one = await get('/one')
      const two = await fetch('${model.url}/two')
      setTimeout(() => process.exit(0), 60_000)
    `)
    const one = await model.next()
    one.response.write('head')
    const two = await model.next()
    two.response.write('x'.repeat(300_000))
    expect(await rested(play)).toMatchObject([{ asks: [], waits: [[minute, minute]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })

  it('leave connections of HTTP/2 and WebSockets open, which is no work without a message', async () => {
    const play = await fakePlay()
    const [model, streams, peers] = [await heldServer(), await heldHttp2Server(), createServer()]
    const asked: Duplex[] = []
    peers.on('upgrade', ({ headers }, socket) => {
      const given = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(given).digest('base64')
      const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      socket.on('data', () => asked.push(socket))
      onTestFinished(() => void socket.destroy())
    })
    await once(peers.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void peers.close())
    const agent = await play.node(`
      import { once } from 'node:events'
      import { connect } from 'node:http2'
      // First, so that undici takes the dispatcher of this version of Node.
      await (await fetch('${model.url}')).text()
      const { WebSocket } = await import('${import.meta.resolve('undici')}')
      const socket = new WebSocket('ws://127.0.0.1:${(peers.address() as AddressInfo).port}')
      await once(socket, 'open')
      socket.send('question')
      await once(socket, 'message')
      const stream = connect('${streams.url}').request({ ':method': 'POST' })
      await once(stream.resume().end('{}'), 'end')
      setTimeout(() => process.exit(0), 60_000)
    `)
    ;(await model.next()).response.end()
    await expect.poll(() => asked.length).toBe(1)
    expect((await looked(play))[0]?.links).toEqual([`127.0.0.1:${(peers.address() as AddressInfo).port}`])
    asked[0]?.write(Buffer.from([0x81, 1, 0x41]))
    ;(await streams.next()).response.end()
    expect(await rested(play)).toMatchObject([{ asks: [], links: [], waits: [[minute, minute]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })

  it('ping a WebSocket, whose pong is awaited and no more, and answer pings themselves', async () => {
    const play = await fakePlay()
    const frames: Buffer[] = []
    const sockets: Duplex[] = []
    const peers = createServer().on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      sockets.push(socket.on('data', (frame: Buffer) => frames.push(frame)))
      onTestFinished(() => void socket.destroy())
    })
    await once(peers.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void peers.close())
    const { port } = peers.address() as AddressInfo
    const agent = await play.node(`
      import { once } from 'node:events'
      import { request } from 'node:http'
      const headers = { connection: 'Upgrade', upgrade: 'websocket' }
      const [, socket] = await once(request('http://127.0.0.1:${port}', { headers }).end(), 'upgrade')
      socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]))
      await once(socket, 'data')
      socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
      setTimeout(() => process.exit(0), 60_000)
    `)
    await expect.poll(() => frames.length).toBe(1)
    // The answer to the request that opened it may go on for two seconds.
    await pause(2_100)
    expect((await play.look())[0]?.links).toEqual([`127.0.0.1:${port}`])
    sockets[0]?.write(Buffer.from([0x8a, 0]))
    await expect.poll(() => frames.length).toBe(2)
    expect((await play.look())[0]?.links).toEqual([])
    expect(await rested(play)).toMatchObject([{ links: [], waits: [[minute, minute]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })

  it('are no work on a connection to somebody who did not answer on another one', async () => {
    const play = await fakePlay()
    const sink = createSink((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
    await once(sink, 'listening')
    onTestFinished(() => void sink.close())
    const { port } = sink.address() as AddressInfo
    const agent = await play.node(`
      import { connect } from 'node:net'
      const ask = () => connect(${port}, '127.0.0.1').on('error', () => {})
      const first = ask()
      first.write('x')
      setTimeout(() => first.destroy(), 60_000)
      setTimeout(() => ask().write('x'), 120_000)
      setTimeout(() => process.exit(0), 180_000)
    `)
    await expect.poll(async () => (await looked(play))[0]?.links).toEqual([`127.0.0.1:${port}`])
    await rested(play)
    for (const wait of [1, 2]) {
      await play.go(wait * minute)
      expect(await looked(play)).toMatchObject([
        { links: [], waits: Array(3 - wait).fill(expect.anything()) },
      ])
    }
    await play.go(3 * minute)
    expect(await agent.output()).toBe('')
  })

  it('for streams of events are no work once they are open', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    const agent = await play.node(
      `
      const response = await fetch('${service.url}/events')
      for await (const part of response.body) console.log(String(Buffer.from(part)))
    `,
    )
    const { response } = await service.next()
    await play.connected()
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('data: 1')
    let [state] = await looked(play)
    while (state?.asks[0]?.events !== true) [state] = await looked(play)
    expect(state).toMatchObject({ own: 0, waits: [] })
    response.end()
    expect(await agent.output()).toBe('data: 1\n')
  })

  it('to others time out by story time, but not before they would in life', async () => {
    const play = await fakePlay()
    const [model, other] = [await heldServer(), await heldServer()]
    const agent = await play.node(`
      import http from 'node:http'
      const ask = () => fetch('${model.url}', { signal: AbortSignal.timeout(2_000) }).catch(({ name }) => console.log(name))
      await ask()
      await new Promise((resolve) => {
        const request = http.get('${other.url}', { timeout: 2_000 }).on('error', resolve)
        request.on('timeout', () => { console.log('timeout'); request.destroy() })
      })
      await ask()
    `)
    const rounds = [model, other].map((one, index) => [one, 2_000 * (index + 1)] as const)
    for (const [asked, end] of rounds) {
      await asked.next()
      await play.connected()
      expect(await looked(play)).toMatchObject([{ asks: [{ quiet: null }], waits: [] }])
      let [state] = await looked(play)
      while (state?.waits.length === 0) [state] = await looked(play)
      expect(state?.waits).toEqual([[end, 2_000]])
      await play.go(end)
    }
    // One after a request there that failed ends by story time alone.
    await model.next()
    expect(await looked(play)).toMatchObject([{ asks: [{ quiet: null }], waits: [[6_000, 2_000]] }])
    await play.go(6_000)
    expect(await agent.output()).toBe('TimeoutError\ntimeout\nTimeoutError\n')
  })

  it('to others are waits of their own with a time to think', async () => {
    const play = await fakePlay({ thinkTime: 20 * second })
    const model = await heldServer()
    const agent = await play.node(`
      setTimeout(() => console.log('due meanwhile'), 5_000)
      console.log(await (await fetch('${model.url}')).text(), Math.round(performance.now() / 10_000))
    `)
    const { response } = await model.next()
    response.end('answer')
    const waits = [
      [5 * second, 5 * second],
      [20 * second, 20 * second],
    ]
    expect(await rested(play)).toMatchObject([{ asks: [], waits }])
    await play.go(20 * second)
    expect(await agent.output()).toBe('due meanwhile\nanswer 2\n')
  })

  it('that are over leave their time-outs to story time', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      await (await fetch('${model.url}', { signal: AbortSignal.timeout(30_000) })).text()
      setTimeout(() => {}, 60_000)
    `)
    const { response } = await model.next()
    await play.connected()
    expect(await looked(play)).toMatchObject([{ waits: [] }])
    response.end()
    const waits = [
      [30 * second, 30 * second],
      [60 * second, 60 * second],
    ]
    expect(await rested(play)).toMatchObject([{ waits }])
    await play.go(minute)
    expect(await agent.output()).toBe('')
  })
})

describe('other work', () => {
  it('is decompressing a response', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      const response = await fetch('${model.url}')
      setTimeout(() => console.log('time'), 60_000)
      console.log((await response.text()).length)
    `)
    const { response } = await model.next()
    const text = gzipSync(Buffer.alloc(20_000_000, 'some text'))
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(text)
    expect(await rested(play)).toMatchObject([{ waits: [[minute, minute]] }])
    await play.go(minute)
    expect(await agent.output()).toBe('20000000\ntime\n')
  })
})

describe('processes', () => {
  it('are all observed, with their threads', async () => {
    const play = await fakePlay()
    const folder = await folderOf({
      'child.cjs':
        "process.on('message', (text) => setTimeout(() => { process.send(text); process.disconnect() }, 30_000))",
      'thread.mjs': `
        import { parentPort } from 'node:worker_threads'
        setTimeout(() => parentPort.postMessage(new Date().getFullYear()), 60_000)
      `,
      'main.mjs': `
        import { fork } from 'node:child_process'
        import { Worker } from 'node:worker_threads'
        const child = fork('${'FOLDER'}/child.cjs')
        child.send('hello')
        child.on('message', (text) => console.log(text))
        new Worker('${'FOLDER'}/thread.mjs').on('message', (year) => console.log(year))
      `.replaceAll('FOLDER', '.'),
    })
    const agent = play.run(['sh', '-c', `cd '${folder}' && '${agentNode}' main.mjs; exit 5`])
    await play.connected(3)
    const states = await rested(play)
    expect(states.flatMap(({ waits }) => waits).toSorted()).toEqual([
      [30 * second, 30 * second],
      [minute, minute],
    ])
    expect(play.threads.map(({ thread }) => thread).toSorted()).toEqual([0, 0, 1])
    expect(new Set(play.threads.map(({ pid }) => pid)).size).toBe(2)
    expect(play.threads[0]?.runtime).toMatch(/^node \d+\.\d+\.\d+$/)
    await play.go(30 * second)
    await rested(play)
    await play.go(minute)
    expect(await agent.end()).toEqual({ status: 5, signal: null, stdout: 'hello\n2026\n', stderr: '' })
  })

  it('name children that they do not wait for', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      import { spawn } from 'node:child_process'
      const awaited = spawn('cat')
      const service = spawn('sh', ['-c', 'while read line; do echo $line; done'], { stdio: ['pipe', 'pipe', 'ignore'] })
      service.stdout.on('data', () => {}).unref()
      service.unref()
      service.stdin.unref()
      console.log(service.pid)
      setTimeout(() => { awaited.kill(); service.kill(); process.exit() }, 60_000)
    `)
    const [state] = await rested(play).then(() => looked(play))
    expect(state?.idle).toHaveLength(1)
    await play.go(minute)
    expect(await agent.output()).toBe(`${state?.idle[0]}\n`)
  })

  it('say on which ports they listen', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      import { createServer } from 'node:http'
      const server = createServer((request, response) => { response.end('fine'); server.close() })
      server.listen(0, () => console.log('listens'))
    `)
    const [state] = await rested(play)
    const [port] = state?.listens ?? []
    expect(await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()).toBe(
      'fine',
    )
    expect(await agent.output()).toBe('listens\n')
  })

  it('keep their exit codes, their last words and their options', async () => {
    const play = await fakePlay()
    const folder = await folderOf({ 'with space/own.mjs': 'globalThis.own = "own"' })
    const options = `--import file://${join(folder, 'with%20space', 'own.mjs')} --no-deprecation`
    const agent = await play.node(
      `
      process.on('exit', (code) => console.log('exit', code, own, process.noDeprecation, process.execArgv.length))
      process.on('beforeExit', () => { console.log('before'); process.exit(7) })
      setImmediate(() => console.log('immediate'))
    `,
      { NODE_OPTIONS: options },
    )
    const output = 'immediate\nbefore\nexit 7 own true 0\n'
    expect(await agent.end()).toEqual({ status: 7, signal: null, stdout: output, stderr: '' })
  })

  it('run in the same order as without an observer', async () => {
    const play = await fakePlay()
    const source = `
      Promise.resolve().then(() => console.log('promise'))
      process.nextTick(() => console.log('tick'))
      setTimeout(() => console.log('timer'))
      new Promise((_, reject) => reject(new Error('unhandled')))
      console.log(require.main === module, typeof require.cache, module.children.length)
    `
    const agent = await play.node(source, {}, 'agent.cjs')
    const { stdout, status } = await agent.end()
    expect([stdout, status]).toEqual(['true object 0\ntick\npromise\n', 1])
  })

  it('are work while they read files', async () => {
    const play = await fakePlay()
    const folder = await folderOf()
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    const agent = await play.node(`
      import { readFile } from 'node:fs/promises'
      console.log(await readFile('${fifo}', 'utf8'))
      setTimeout(() => {}, 60_000)
    `)
    await play.connected()
    expect(await looked(play)).toMatchObject([{ works: 'runs', waits: [] }])
    execFileSync('sh', ['-c', `echo text > '${fifo}'`])
    await rested(play)
    await play.go(minute)
    expect(await agent.output()).toBe('text\n\n')
  })
})
