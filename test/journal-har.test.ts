import {
  createSimulator,
  type Har,
  type HarEntry,
  type Simulator,
  type SimulatorOptions,
} from 'agent-mailbox-sim'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { harSchema } from './har-schema.js'
import { serveDesk } from './server/desk.js'

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true })
formats.default(ajv)
const validate = ajv.compile(harSchema)

/** Every byte twice, which is no text in any common encoding. */
const everyByte = Uint8Array.from({ length: 512 }, (_, index) => index % 256)

async function open(options: SimulatorOptions = {}): Promise<Simulator> {
  const scenario = {
    scenario: 'desk',
    identities: [
      { handle: 'eva', threads: [{ subject: 'Größe 📦 寸法', messages: [{ at: '-1h' as const }] }] },
    ],
    webhooks: [
      { url: 'http://127.0.0.1/hook', events: ['message.received' as const], auth_token: 'hook-secret' },
    ],
  }
  return createSimulator({ scenario, ...options })
}

async function ask(sim: Simulator, url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const headers = { authorization: 'Bearer test-key', ...init.headers }
  return getResponse(sim.handlers, new Request(url, { ...init, headers }))
}

const site = 'http://mailbox.test'
const listing = `${site}/api/v1/mail/threads`

/** Returns the archive, which must be valid. */
function archiveOf(sim: Simulator): Har {
  const har: Har = JSON.parse(JSON.stringify(sim.journal.har()))
  validate(har)
  expect(validate.errors).toBeNull()
  return har
}

function entriesOf(sim: Simulator): readonly HarEntry[] {
  return archiveOf(sim).log.entries
}

function newest(sim: Simulator): HarEntry {
  return entriesOf(sim).at(-1) as HarEntry
}

describe('an HTTP Archive of the journal', () => {
  it('is valid without requests and names its creator', async () => {
    const { version } = packageJson
    expect(archiveOf(await open())).toEqual({
      log: { version: '1.2', creator: { name: 'agent-mailbox-sim', version }, pages: [], entries: [] },
    })
  })

  it('has requests with their answers', async () => {
    const sim = await open()
    await ask(sim, `${listing}?agent=eva&limit=5&agent=eva`, { headers: { cookie: 'a=1; session=abc' } })
    await ask(sim, `${listing}?agent=eva&limit=5`, { headers: { cookie: 'a=1; session=abc' } })
    const entry = newest(sim)
    const [, exchange] = sim.journal.exchanges()
    expect(entry).toEqual({
      startedDateTime: '2026-01-05T09:00:00.000Z',
      time: exchange?.duration_ms,
      request: {
        method: 'GET',
        url: `${listing}?agent=eva&limit=5`,
        httpVersion: 'HTTP/1.1',
        cookies: [
          { name: 'a', value: '***' },
          { name: 'session', value: '***' },
        ],
        headers: [
          { name: 'authorization', value: 'Bearer ***' },
          { name: 'cookie', value: '***' },
        ],
        queryString: [
          { name: 'agent', value: 'eva' },
          { name: 'limit', value: '5' },
        ],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { size: expect.any(Number), mimeType: 'application/json', text: exchange?.response.body },
        redirectURL: '',
        headersSize: -1,
        bodySize: entry.response.content.size,
      },
      cache: {},
      timings: { send: 0, wait: exchange?.duration_ms, receive: 0 },
      _seq: 2,
      _world: 'world_1',
      _operation: 'threads.list',
      _reliances: exchange?.reliances,
      _fault: null,
      _nearMiss: null,
    })
    expect(entriesOf(sim)[0]?.request.queryString).toEqual([
      { name: 'agent', value: 'eva' },
      { name: 'limit', value: '5' },
      { name: 'agent', value: 'eva' },
    ])
  })

  it('has complete bodies in any script', async () => {
    const sim = await open()
    const answer = await (await ask(sim, listing))?.text()
    expect(answer).toContain('Größe 📦 寸法')
    expect(newest(sim).response.content).toEqual({
      size: new TextEncoder().encode(answer).length,
      mimeType: 'application/json',
      text: answer,
    })
    const body = '{"display_name":"Éva 🦊"}'
    const headers = { 'content-type': 'application/json' }
    await ask(sim, `${site}/api/v1/identities/eva`, { method: 'PATCH', headers, body })
    const { request, response } = newest(sim)
    expect(request.postData).toEqual({ mimeType: 'application/json', text: body })
    expect(request.bodySize).toBe(new TextEncoder().encode(body).length)
    expect(response.content.text).toContain('Éva 🦊')
  })

  it('has stored files byte for byte', async () => {
    const sim = await open()
    const { message } = await sim.mail.receive({
      to: 'eva',
      attachments: [
        { filename: 'a.bin', content: everyByte, contentType: 'application/pdf' },
        { filename: 'b.txt', content: new TextEncoder().encode('naïve'), contentType: 'text/plain' },
        { filename: 'c.txt', content: everyByte, contentType: 'text/plain' },
        { filename: 'empty', content: '' },
      ],
    })
    for (const { url } of message.attachments) await ask(sim, url as string)
    const [binary, text, noText, empty] = entriesOf(sim).map(({ response }) => response.content)
    const encoded = Buffer.from(everyByte).toString('base64')
    expect(binary).toEqual({ size: 512, mimeType: 'application/pdf', text: encoded, encoding: 'base64' })
    expect(text).toEqual({ size: 6, mimeType: 'text/plain', text: 'naïve' })
    expect(noText).toEqual({ size: 512, mimeType: 'text/plain', text: encoded, encoding: 'base64' })
    expect(empty).toEqual({ size: 0, mimeType: 'application/octet-stream' })
  })

  it('marks truncated bodies', async () => {
    const sim = await open()
    const { message } = await sim.mail.receive({
      to: 'eva',
      attachments: [
        { filename: 'a.txt', content: Buffer.from(`${'x'.repeat(65_535)}🦊`), contentType: 'text/plain' },
        { filename: 'b.bin', content: new Uint8Array(70_000), contentType: 'application/pdf' },
      ],
    })
    for (const { url } of message.attachments) await ask(sim, url as string)
    const [text, binary] = entriesOf(sim)
    expect(text?.response.content).toEqual({
      size: 65_539,
      mimeType: 'text/plain',
      text: 'x'.repeat(65_535),
      comment: 'cut off: 65535 of 65537 characters are shown',
    })
    expect(binary?.response.content).toMatchObject({
      size: 70_000,
      text: Buffer.alloc(65_536).toString('base64'),
      comment: 'cut off: 65536 of 70000 bytes are shown',
    })
    expect(binary?.comment).toBe("the answer's body is cut off: 65536 of 70000 bytes are shown")
    const headers = { 'content-type': 'application/json' }
    const body = `{"description":"${'x'.repeat(70_000)}"}`
    await ask(sim, `${site}/api/v1/identities/eva`, { method: 'PATCH', headers, body })
    const entry = newest(sim)
    expect(entry.request).toMatchObject({
      postData: { text: body.slice(0, 65_536), comment: 'cut off: 65536 of 70018 characters are shown' },
      bodySize: 70_018,
    })
    expect(entry.comment).toMatch(/^the request's body is cut off: 65536 of 70018 characters are shown;/)
  })

  it('includes HEAD, unknown paths and unread bodies', async () => {
    const sim = await open()
    const { message } = await sim.mail.receive({
      to: 'eva',
      attachments: [{ filename: 'a', content: 'AAAA' }],
    })
    await ask(sim, message.attachments[0]?.url ?? '', { method: 'HEAD' })
    expect(newest(sim)).toMatchObject({
      request: { method: 'HEAD' },
      response: { status: 200, content: { size: 0, mimeType: 'application/octet-stream' }, bodySize: 0 },
      comment: 'the answer to HEAD has no body',
    })
    await ask(sim, `${site}/api/v1/threads`)
    const miss = 'GET /api/v1/threads: no such path; did you mean "GET /api/v1/mail/threads"?'
    expect(newest(sim)).toMatchObject({ _operation: null, _nearMiss: miss, comment: miss })
    const headers = { 'content-type': 'application/json', 'content-length': '9' }
    await ask(sim, `${site}/api/v1/webhooks`, { method: 'POST', headers, body: '{"a": 12}' })
    expect(newest(sim)).toMatchObject({
      request: { bodySize: 9, postData: { text: '{"a": 12}' } },
      response: { status: 405, statusText: 'Method Not Allowed' },
    })
  })

  it('shows disturbed answers', async () => {
    const sim = await open()
    const disturbed = async (fault: Parameters<typeof sim.faults.add>[0]) => {
      sim.faults.add({ ...fault, times: 1 })
      await ask(sim, listing)
        .then((answer) => answer?.text())
        .catch(() => undefined)
      return newest(sim)
    }
    const reset = await disturbed({ reset: true })
    expect(reset).toMatchObject({ _fault: { id: 'fault_1', reset: true } })
    expect(reset.comment).toBe('fault_1 reset the connection: no answer came')
    expect(reset.response).toEqual({
      status: 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _error: 'net::ERR_CONNECTION_RESET',
    })
    const cut = await disturbed({ truncate: 20 })
    expect(cut.comment).toMatch(/^fault_2 cut the body off after 20 of \d{3} bytes$/)
    expect(cut.response).toMatchObject({
      status: 200,
      content: { size: 20, text: expect.stringMatching(/^\{"threads":\[\{"id":"t$/) },
      _error: 'net::ERR_CONTENT_LENGTH_MISMATCH',
    })
    const uncut = await disturbed({ truncate: 20_000 })
    expect(uncut.comment).toBe('fault_3 disturbed the answer')
    expect(uncut.response).not.toHaveProperty('_error')
    const dripping = await disturbed({ drip: '5ms' })
    expect(dripping.comment).toBe('fault_4 slowed the body down over 5ms, which is not in its time here')
    expect(dripping.response.content.text).toMatch(/"total":1\}$/)
    expect(
      (await disturbed({ status: 418, body: 'tea', content_type: 'text/plain' })).response,
    ).toMatchObject({
      status: 418,
      statusText: '',
      content: { text: 'tea', size: 3 },
    })
    expect((await disturbed({ empty: true })).response).toMatchObject({ bodySize: 0, content: { size: 0 } })
  })

  it('has the requested URLs under any base URL', async () => {
    const below = await open({ baseUrl: 'https://mail.test:8443/v2/mail/' })
    await ask(below, 'https://mail.test:8443/v2/mail/api/v1/webhooks?x=%20')
    expect(newest(below).request.url).toBe('https://mail.test:8443/v2/mail/api/v1/webhooks?x=%20')
    const anywhere = await open({ baseUrl: '*' })
    await ask(anywhere, 'http://one.test/api/v1/webhooks')
    await ask(anywhere, 'https://two.test/api/v1/webhooks')
    expect(entriesOf(anywhere).map(({ request }) => request.url)).toEqual([
      'http://one.test/api/v1/webhooks',
      'https://two.test/api/v1/webhooks',
    ])
  })

  it('filters exchanges', async () => {
    const sim = await open()
    for (const path of ['mail/threads', 'webhooks', 'mail/threads']) await ask(sim, `${site}/api/v1/${path}`)
    const numbers = (filter: Parameters<typeof sim.journal.har>[0]) =>
      sim.journal.har(filter).log.entries.map(({ _seq }) => _seq)
    expect(numbers({ operation: 'threads.list' })).toEqual([1, 3])
    expect(numbers({ since: 1, limit: 1 })).toEqual([2])
  })
})

describe('GET /_sim/journal.har', () => {
  it('returns the archive with URLs of the server', async () => {
    const { url, controlUrl, simulator } = await serveDesk()
    await fetch(`${url}/api/v1/mail/threads?agent=support`, { headers: { authorization: 'Bearer desk-key' } })
    await fetch(`${url}/api/v1/nothing`)
    const answer = await fetch(`${controlUrl}/journal.har`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="world_1.har"')
    const har = await answer.json()
    expect(har).toEqual(JSON.parse(JSON.stringify(archiveOf(simulator))))
    expect(har.log.entries.map(({ request }: HarEntry) => request.url)).toEqual([
      `${url}/api/v1/mail/threads?agent=support`,
      `${url}/api/v1/nothing`,
    ])
    const wanted = await fetch(`${controlUrl}/journal.har?operation=threads.list&since=0&limit=5`)
    expect((await wanted.json()).log.entries).toEqual([har.log.entries[0]])
    const head = await fetch(`${controlUrl}/journal.har`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await fetch(`${controlUrl}/journal.har?limit=none`)).status).toBe(400)
  })

  it('contains the requested world only', async () => {
    const { url, controlUrl, simulator } = await serveDesk()
    const fork = simulator.fork()
    await fetch(`${url}/api/v1/webhooks`, { headers: { authorization: `Bearer ${fork.apiKey}` } })
    const har = async (headers: HeadersInit = {}) =>
      (await fetch(`${controlUrl}/journal.har`, { headers })).json()
    expect((await har()).log.entries).toEqual([])
    const { log } = await har({ 'x-sim-world': fork.id })
    expect(log.entries).toHaveLength(1)
    expect(JSON.stringify(log)).not.toContain(fork.apiKey)
  })
})
