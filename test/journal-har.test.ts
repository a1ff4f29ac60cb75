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

const open = (options: SimulatorOptions = {}) =>
  createSimulator({
    scenario: {
      scenario: 'desk',
      identities: [{ handle: 'eva', threads: [{ subject: 'Größe 📦 寸法', messages: [{ at: '-1h' }] }] }],
    },
    ...options,
  })

async function ask(sim: Simulator, url: string, init: RequestInit = {}): Promise<string | undefined> {
  const headers = { authorization: 'Bearer test-key', ...init.headers }
  const response = await getResponse(sim.handlers, new Request(url, { ...init, headers }))
  // A fault may break it.
  return response?.text().catch(() => undefined)
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

/** Formats entries without what differs from run to run, in three lines each; shortens long texts. */
function formatEntries({ entries }: Har['log']): string {
  const shortened = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > 200
      ? `${value.slice(0, 40)} … ${value.slice(-20)} (${value.length} characters)`
      : value
  const blocks = entries.map(({ time: _, timings: __, _reliances, request, response, ...rest }) => {
    return [request, response, rest].map((part) => `${JSON.stringify(part, shortened)}\n`).join('')
  })
  return blocks.join('\n')
}

describe('an HTTP Archive of the journal', () => {
  it('shows requests and answers of every kind', async () => {
    const sim = await open()
    const json = { 'content-type': 'application/json' }
    const eva = `${site}/api/v1/identities/eva`
    const answer = await ask(sim, `${listing}?agent=eva&limit=5&agent=eva`, {
      headers: { cookie: 'a=1; session=abc' },
    })
    await ask(sim, eva, { method: 'PATCH', headers: json, body: '{"display_name":"Éva 🦊"}' })
    await ask(sim, eva, { method: 'PATCH', headers: json, body: `{"description":"${'x'.repeat(70_000)}"}` })
    const { message } = await sim.mail.receive({
      to: 'eva',
      attachments: [
        { filename: 'a.bin', content: everyByte, contentType: 'application/pdf' },
        { filename: 'b.txt', content: Buffer.from('naïve'), contentType: 'text/plain' },
        { filename: 'c.txt', content: everyByte, contentType: 'text/plain' },
        { filename: 'empty', content: '' },
        { filename: 'd.txt', content: Buffer.from(`${'x'.repeat(65_535)}🦊`), contentType: 'text/plain' },
        { filename: 'd.bin', content: new Uint8Array(70_000), contentType: 'application/pdf' },
      ],
    })
    for (const { url } of message.attachments) await ask(sim, url as string)
    await ask(sim, message.attachments[0]?.url as string, { method: 'HEAD' })
    await ask(sim, `${site}/api/v1/threads`)
    await ask(sim, `${site}/api/v1/webhooks`, {
      method: 'POST',
      headers: { ...json, 'content-length': '9' },
      body: '{"a": 12}',
    })
    const unread = { ...json, authorization: 'Basic eA==', 'content-length': '2' }
    await ask(sim, eva, { method: 'PATCH', headers: unread, body: '{}' })
    for (const fault of [
      { reset: true },
      { truncate: 20 },
      { truncate: 20_000 },
      { drip: '5ms' },
      { status: 418, body: 'tea', content_type: 'text/plain' },
      { empty: true },
      { performed: true, status: 503 },
      { performed: true, delay: '1ms' },
    ] as const) {
      sim.faults.add({ ...fault, times: 1 })
      await ask(sim, listing)
    }
    const { log } = archiveOf(sim)
    expect(log).toMatchObject({
      version: '1.2',
      pages: [],
      creator: { name: 'agent-mailbox-sim', version: packageJson.version },
    })
    await expect(formatEntries(log)).toMatchFileSnapshot('fixtures/journal-har.txt')
    expect(log.entries[0]?.response.content.text).toBe(answer)
    expect(log.entries[3]?.response.content.text).toBe(Buffer.from(everyByte).toString('base64'))
    const exchanges = sim.journal.exchanges()
    expect(log.entries.map(({ time, timings, _reliances }) => [time, timings, _reliances])).toEqual(
      exchanges.map(({ duration_ms: wait, reliances }) => [wait, { send: 0, wait, receive: 0 }, reliances]),
    )
    const filtered = sim.journal.har({ operation: 'identities.update', since: 2, limit: 1 })
    expect(filtered.log.entries.map(({ _seq }) => _seq)).toEqual([3])
  })

  it('has the requested URLs under any base URL', async () => {
    for (const [baseUrl, ...urls] of [
      ['https://mail.test:8443/v2/mail/', 'https://mail.test:8443/v2/mail/api/v1/webhooks?x=%20'],
      ['*', 'http://one.test/api/v1/webhooks', 'https://two.test/api/v1/webhooks'],
    ] as const) {
      const sim = await open({ baseUrl })
      for (const url of urls) await ask(sim, url)
      expect(archiveOf(sim).log.entries.map(({ request }) => request.url)).toEqual(urls)
    }
  })
})

describe('GET /_sim/journal.har', () => {
  it('returns the archive of a world with URLs of the server', async () => {
    const { url, controlUrl, simulator } = await serveDesk()
    const fork = simulator.fork()
    await fetch(`${url}/api/v1/mail/threads?agent=support`, { headers: { authorization: 'Bearer desk-key' } })
    await fetch(`${url}/api/v1/nothing`)
    await fetch(`${url}/api/v1/webhooks`, { headers: { authorization: `Bearer ${fork.apiKey}` } })
    const answer = await fetch(`${controlUrl}/journal.har`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="world_1.har"')
    const har = await answer.json()
    expect(har).toEqual(archiveOf(simulator))
    expect(har.log.entries.map(({ request }: HarEntry) => request.url)).toEqual([
      `${url}/api/v1/mail/threads?agent=support`,
      `${url}/api/v1/nothing`,
    ])
    const wanted = await fetch(`${controlUrl}/journal.har?operation=threads.list&since=0&limit=5`)
    expect((await wanted.json()).log.entries).toEqual([har.log.entries[0]])
    const head = await fetch(`${controlUrl}/journal.har`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await fetch(`${controlUrl}/journal.har?limit=none`)).status).toBe(400)
    const other = await fetch(`${controlUrl}/journal.har`, { headers: { 'x-sim-world': fork.id } })
    const text = await other.text()
    expect(JSON.parse(text)).toEqual(archiveOf(fork))
    expect(text).not.toContain(fork.apiKey)
  })
})
