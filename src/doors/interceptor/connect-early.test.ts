import http, { Agent, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { createRequire } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import { expect, it, onTestFinished } from 'vitest'
import { connectEarly } from './connect-early.js'
import { listen } from './node.js'

// It brings no types.
const needle = createRequire(import.meta.url)('needle') as (
  method: string,
  url: string,
  data: null,
  options: object,
) => Promise<unknown>

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

async function listenAt(baseUrl: string) {
  const mailbox = await listen({ scenario, baseUrl })
  onTestFinished(() => mailbox.close())
  const send = (options: RequestOptions = {}): ClientRequest => {
    const { headers, ...further } = options
    const library = baseUrl.startsWith('https:') ? https : http
    return library.request(`${baseUrl}/api/v1/identities/support`, {
      ...further,
      headers: { authorization: `Bearer ${mailbox.apiKey}`, ...headers },
    })
  }
  return { mailbox, send }
}

function answerTo(request: ClientRequest): Promise<string> {
  return new Promise<IncomingMessage>((resolve, reject) =>
    request.on('response', resolve).on('error', reject),
  ).then(text)
}

for (const baseUrl of ['http://mailbox.test:8025', 'http://[::1]:8025', 'https://mailbox.test']) {
  it(`starts the time-outs of a request to ${baseUrl} before its response begins`, async () => {
    const { mailbox, send } = await listenAt(baseUrl)
    mailbox.faults.add({ delay: '60s' })
    for (const options of [{}, { agent: new Agent({ keepAlive: true }) }, { timeout: 5 }]) {
      const request = send(options)
      const error = new Promise((resolve) => request.once('error', resolve))
      const timedOut = new Promise((resolve) => request.once('timeout', resolve))
      if (!('timeout' in options)) request.setTimeout(5)
      const finished = new Promise((resolve) => request.once('finish', () => resolve(undefined)))
      request.end()
      // From then on, got waits for the response.
      await finished
      await timedOut
      request.destroy(new Error('too slow'))
      expect(await error).toEqual(new Error('too slow'))
    }
  })

  it(`announces the connection of a request to ${baseUrl} once`, async () => {
    const { send } = await listenAt(baseUrl)
    const request = send()
    const events: string[] = []
    request.on('socket', (socket) => {
      for (const event of ['lookup', 'connect', 'secureConnect'])
        socket.on(event, () => void events.push(event))
    })
    request.end()
    expect(await answerTo(request)).toContain('support')
    expect(events).toEqual(['lookup', 'connect', ...(baseUrl.startsWith('https') ? ['secureConnect'] : [])])
  })
}

it('lets a client that expects 100-continue send its body', async () => {
  const { mailbox, send } = await listenAt('http://mailbox.test')
  const body = JSON.stringify({ display_name: 'Busy' })
  const headers = {
    expect: '100-continue',
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const request = send({ method: 'PATCH', headers })
  request.on('continue', () => request.end(body))
  expect(JSON.parse(await answerTo(request))).toMatchObject({ display_name: 'Busy' })
  expect(mailbox.journal.exchanges()).toHaveLength(1)
})

it('passes requests of others on as their client connects them, also if they expect 100-continue', async () => {
  const { mailbox, send } = await listenAt('http://mailbox.test')
  const real = http.createServer((request, response) => void request.pipe(response))
  await new Promise<void>((resolve) => void real.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void real.close())
  const { port } = real.address() as AddressInfo
  const createConnection = () => net.connect({ host: '127.0.0.1', port })
  const connecting = Object.assign(new Agent(), { createConnection })
  for (const options of [{ createConnection }, { agent: connecting }]) {
    const headers = { expect: '100-continue', 'content-length': 5 }
    const request = http.request('http://elsewhere.test/', { method: 'POST', headers, ...options })
    request.on('continue', () => request.end('hello'))
    request.flushHeaders()
    expect(await answerTo(request)).toBe('hello')
    expect(await answerTo(send(options).end())).toContain('support')
  }
  expect(mailbox.journal.exchanges()).toHaveLength(2)
})

it('leaves requests of others alone, and ends with the last mailbox', async () => {
  const { addRequest } = Agent.prototype as unknown as { readonly addRequest: unknown }
  const { mailbox, send } = await listenAt('http://127.0.0.1:9')
  const listHandlers = () => []
  const stopAnother = connectEarly({ listHandlers })
  const passed: string[] = []
  const pass = (to: ClientRequest) => {
    to.on('socket', (socket) => socket.on('connect', () => passed.push(to.path)))
    return expect(answerTo(to.end())).rejects.toThrow('ECONNREFUSED')
  }
  await pass(http.request('http://127.0.0.1:9/other'))
  expect(passed).toEqual([])
  mailbox.close()
  expect(Agent.prototype).not.toHaveProperty('addRequest', addRequest)
  await pass(send())
  stopAnother()
  expect(Agent.prototype).toHaveProperty('addRequest', addRequest)
})

// As a client that is loaded first does, and a mock such as vi.mock('node:http', async (load) => ({ ...(await load()) })).
const kept = { http: { ...http }, https: { ...https } }

for (const baseUrl of ['http://127.0.0.1:9', 'https://mailbox.test', 'https://[::1]:8443']) {
  it(`intercepts requests to ${baseUrl} by functions that were kept from before`, async () => {
    const { mailbox, send } = await listenAt(baseUrl)
    const { protocol, hostname, port } = new URL(baseUrl)
    const library = protocol === 'https:' ? kept.https : kept.http
    const headers = { authorization: `Bearer ${mailbox.apiKey}` }
    const path = '/api/v1/identities/support'
    const parts = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), path, port: port || undefined }
    for (const agent of [undefined, new library.Agent({ keepAlive: true, timeout: 1000 })]) {
      expect(await answerTo(library.request({ ...parts, headers, agent }).end())).toContain('support')
      expect(await answerTo(library.get(`${baseUrl}${path}`, { headers, agent }))).toContain('support')
    }
    mailbox.faults.add({ delay: '60s', times: 1 })
    const slow = library.get(`${baseUrl}${path}`, { headers, timeout: 5 })
    const timedOut = new Promise((resolve) => slow.once('timeout', resolve))
    const failed = expect(answerTo(slow)).rejects.toThrow('too slow')
    await timedOut
    slow.destroy(new Error('too slow'))
    await failed
    expect(await answerTo(send().end())).toContain('support')
    expect(mailbox.journal.exchanges()).toHaveLength(5)
  })
}

it('lets the time-outs of got, needle and axios end a request that gets no response', async () => {
  const { mailbox } = await listenAt('http://mailbox.test:8025')
  mailbox.faults.add({ delay: '60s' })
  const url = `${mailbox.baseUrl}/api/v1/identities/support`
  const headers = { authorization: `Bearer ${mailbox.apiKey}` }
  for (const timeout of [{ response: 5 }, { socket: 5 }, { request: 5 }])
    await expect(got(url, { headers, timeout, retry: { limit: 0 } })).rejects.toThrow('Timeout awaiting')
  await expect(needle('get', url, null, { headers, response_timeout: 5 })).rejects.toThrow('socket hang up')
  await expect(axios.get(url, { headers, timeout: 5 })).rejects.toThrow('timeout of 5ms')
})
