import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { authorized, desk, serveDesk } from './desk.js'

/** Headers that Node adds to every answer. */
const added = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

const defect = new Error('broken')

function thrown(): never {
  throw defect
}

describe('the service over HTTP', () => {
  it('adds no headers to an answer', async () => {
    const { url } = await serveDesk()
    for (const path of ['/api/v1/webhooks', '/_sim/health', '/nowhere']) {
      const { headers } = await fetch(url + path, {
        headers: { ...authorized, origin: 'https://app.example' },
      })
      const names = [...headers.keys()].filter((name) => !added.has(name))
      expect(names).toEqual(['content-length', 'content-type'])
      expect(headers.get('content-type')).toBe('application/json')
    }
  })

  it('dates its answers by the time of the story', async () => {
    const { url, simulator } = await serveDesk()
    simulator.faults.add({ operation: 'threads.list', drip: '1ms' })
    const other = simulator.fork()
    other.clock.advance('1h')
    const dateOf = async (path: string, key: string, init?: RequestInit) => {
      const answer = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}` } })
      return answer.headers.get('date')
    }
    const now = new Date(simulator.clock.now()).toUTCString()
    const { apiKey } = simulator
    expect(await dateOf('/api/v1/webhooks', apiKey)).toBe(now)
    expect(await dateOf('/api/v1/mail/threads', apiKey)).toBe(now)
    expect(await dateOf('/api/v1/identities/support', apiKey, { method: 'PATCH', body: '{}' })).toBe(now)
    expect(await dateOf('/api/v1/webhooks', other.apiKey)).toBe(new Date(other.clock.now()).toUTCString())
    expect(other.clock.now()).not.toBe(simulator.clock.now())
  })

  it('answers a request that another MSW passed through', async () => {
    const { url } = await serveDesk()
    const headers = { ...authorized, accept: 'application/json, msw/passthrough' }
    const answer = await fetch(`${url}/api/v1/webhooks`, { headers })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['POST', '/'],
    ['POST', '/api/v2/webhooks'],
    ['GET', '/attachments/nothing'],
    ['POST', '/attachments/nothing'],
    ['GET', '/%zz'],
  ])('answers %s %s with the address of the service', async (method, path) => {
    const { url } = await serveDesk()
    const answer = await fetch(url + path, { method })
    const { error } = await answer.json()
    expect([answer.status, error.code]).toEqual([404, 'not_found'])
    expect(error.message).toMatch(/\/api\/v1.*\/_sim\/health/)
  })

  it('calls onAnswer for every answered request', async () => {
    const onAnswer = vi.fn()
    const { url } = await serveDesk({ onAnswer })
    await fetch(`${url}/api/v1/webhooks?a=b`, { headers: authorized })
    await fetch(`${url}/nowhere`)
    const durationMs = expect.any(Number)
    expect(onAnswer.mock.calls).toEqual([
      [{ method: 'GET', target: '/api/v1/webhooks?a=b', status: 200, durationMs }],
      [{ method: 'GET', target: '/nowhere', status: 404, durationMs }],
    ])
  })

  // Reads and writes take different paths through the server.
  it.each([
    ['rejects', 'GET', () => Promise.reject(defect)],
    ['throws', 'GET', thrown],
    ['rejects', 'PATCH', () => Promise.reject(defect)],
    ['throws', 'PATCH', thrown],
  ] as const)('reports a defect that %s during %s and answers 500', async (_how, method, fails) => {
    const onDefect = vi.fn()
    const { url, simulator } = await serveDesk({ onDefect })
    vi.spyOn(simulator.service, 'answer').mockImplementationOnce(fails)
    const answer = await fetch(`${url}/api/v1/webhooks?a=b`, { method })
    expect([answer.status, (await answer.json()).error.code]).toEqual([500, 'simulator_defect'])
    expect(onDefect).toHaveBeenCalledExactlyOnceWith(defect, expect.any(Request))
    expect(onDefect.mock.calls[0]?.[1].url).toBe(`${url}/api/v1/webhooks?a=b`)
    expect((await fetch(`${url}/api/v1/webhooks`, { headers: authorized })).status).toBe(200)
  })
})

describe('GET /_sim/health', () => {
  it('returns the version, the scenario and its time', async () => {
    const { controlUrl, simulator } = await serveDesk()
    const health = async () => (await fetch(`${controlUrl}/health`)).json()
    const { version } = packageJson
    const start = '2026-01-05T09:00:00.000Z'
    expect(await health()).toEqual({ status: 'ok', version, scenario: 'desk', now: start })
    await simulator.clock.advance('90s')
    expect(await health()).toMatchObject({ now: '2026-01-05T09:01:30.000Z' })
  })

  it('shows a real clock by default', async () => {
    const { simulator } = await serveDesk({ clock: undefined })
    expect(simulator.clock.mode).toBe('real')
  })
})

describe('startServer', () => {
  it('refuses a used port and names the remedy', async () => {
    const first = await serveDesk()
    const port = Number(new URL(first.url).port)
    await expect(startServer({ scenario: desk, port })).rejects.toMatchObject({
      name: 'ServerError',
      code: 'port-taken',
      message: `Port ${port} is taken; stop what uses it, or choose another with --port, in code with port (0 picks a free one).`,
    })
    expect((await fetch(`${first.url}/_sim/health`)).status).toBe(200)
  })

  it.each(['203.0.113.1', '', 'no host', 'http://127.0.0.1'])('refuses the host "%s"', async (host) => {
    const refused = startServer({ scenario: desk, port: 0, host })
    await expect(refused).rejects.toMatchObject({ name: 'ServerError', code: 'unknown-host' })
  })
})
