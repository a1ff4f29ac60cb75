import { describe, expect, it } from 'vitest'
import { type CalibrateOptions, type Calibration, calibrate } from '../../src/live/calibrate/calibrate.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { importMailbox } from '../../src/live/import/import-mailbox.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { folderOf } from '../support/temporary-folder.js'
import { instanceOf, mailboxOf } from './instance.js'
import { judge } from './judge.js'

const mailbox = mailboxOf(8)

const unavailable = (): Response => {
  return new Response('<html>Back soon</html>', { status: 503, headers: { 'retry-after': '0' } })
}

/** Wraps a service so that every n-th request is answered differently. */
function every(turn: number, answer: (request: Request) => Response): (fetch: Fetch) => Fetch {
  let asked = 0
  return (fetch) => async (request) => (++asked % turn === 0 ? answer(request) : fetch(request))
}

async function calibrated(fetch: Fetch, more: Partial<CalibrateOptions> = {}): Promise<Calibration> {
  const options = { baseUrl: 'http://mail.test', apiKey: 'rich-key', rate: 1_000_000, maxRequests: 300 }
  return calibrate({ ...options, wait: async () => undefined, fetch, ...more })
}

describe('a calibration during an outage', () => {
  it('ignores a temporary 503', async () => {
    const { wrong, learned } = await judge(mailbox, 'seed:3', { proxy: every(3, unavailable) })
    expect(wrong).toEqual([])
    expect(learned.length).toBeGreaterThan(33)
  })

  it('retries if the answer to a read is lost', async () => {
    let asked = 0
    const { wrong, calibration } = await judge(mailbox, 'default', {
      proxy: (fetch) => async (request) => {
        if (++asked === 7) throw new TypeError('fetch failed', { cause: new Error('other side closed') })
        return fetch(request)
      },
    })
    expect(wrong).toEqual([])
    expect(calibration.stopped).toBeUndefined()
  })

  it('accepts a permanent 5xx as the answer', async () => {
    const { findings, wrong } = await judge(mailbox, 'default', {
      proxy: (fetch) => async (request) => {
        return request.url.endsWith('/webhooks/') ? unavailable() : fetch(request)
      },
    })
    expect(findings.find(({ gap }) => gap === 'path.trailing-slash')?.status).toBe('none-fits')
    expect(wrong).toHaveLength(1)
  })

  it('refuses an address without the service, and a wrong key', async () => {
    const answers = [
      Response.json({ error: { code: 'not_found', message: 'No such page.' } }, { status: 404 }),
      new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
      Response.json([]),
    ]
    for (const answer of answers) {
      await expect(calibrated(async () => answer.clone())).rejects.toMatchObject({
        code: 'not-the-service',
        message: expect.stringContaining('#1 GET /api/v1/mail/messages?limit=100 → '),
      })
    }
    await expect(calibrated(async () => new Response('{}', { status: 403 }))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('/api/v1/mail/messages?limit=100 returns 403'),
    })
  })

  it('stops if the service fails', async () => {
    const { stopped, probed } = await calibrated(async () => unavailable())
    expect(stopped).toMatchObject({ code: 'unreachable' })
    expect(probed).toHaveLength(2)
  })

  it('counts retries towards the total number of requests', async () => {
    const { fetch } = await instanceOf(mailbox, 'default')
    let asked = 0
    const refusing = every(2, () => new Response('{}', { status: 429, headers: { 'retry-after': '7' } }))
    const waits = new Set<number>()
    const { stopped, sent } = await calibrated(
      async (request) => {
        asked++
        return refusing(fetch)(request)
      },
      { maxRequests: 20, wait: async (milliseconds) => waits.add(milliseconds) },
    )
    expect(waits).toEqual(new Set([7000]))
    expect(stopped).toMatchObject({ code: 'too-many-requests' })
    expect({ asked, sent }).toEqual({ asked: 20, sent: 20 })
  })

  it('waits as often as it is told to, shows it, and is complete', async () => {
    const assumptions = { 'limits.rate': '60-per-minute' }
    const { fetch, simulator } = await instanceOf(mailboxOf(60), assumptions)
    const told: string[] = []
    const wait = (milliseconds: number) => simulator.clock.advance(milliseconds)
    const onWait = (sentence: string) => void told.push(sentence)
    const limited = await calibrated(fetch, { wait, onWait, needs: new Set(['reads', 'burst']) })
    expect(limited).toMatchObject({ stopped: undefined, analysis: { misfits: new Map() } })
    const out = await folderOf()
    const options = {
      wait,
      onWait,
      fetch,
      out,
      rate: 1_000_000,
      baseUrl: 'http://mail.test',
      apiKey: 'rich-key',
    }
    const { counts } = await importMailbox({
      ...{ ...options, agents: [], choices: {}, keepPrivate: true, since: undefined },
      assumptions: profileAssumptions('default'),
    })
    const { agents, threads, messages } = simulator.summary()
    expect(counts).toMatchObject({ agents, threads, messages })
    expect(told.length).toBeGreaterThan(1)
    expect(told[0]).toMatch(/^The service asks for a pause of \d+ s \(429\); waiting\.$/)
  })

  it('accepts a date as Retry-After, and gives up after 15 minutes for one request', async () => {
    const { fetch } = await instanceOf(mailbox, 'default')
    const waits: number[] = []
    const wait = async (milliseconds: number) => waits.push(milliseconds)
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    for (const [retryAfter, expected] of [
      [undefined, Array(90).fill(10_000)],
      ['0', Array(900).fill(1000)],
      ['400', [400_000, 400_000]],
      ['901', []],
      [inAnHour, []],
      ['Mon, 05 Jan 2026 09:00:00 GMT', Array(900).fill(1000)],
    ] as const) {
      waits.length = 0
      let asked = 0
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      const refusing: Fetch = async (request) => {
        return ++asked <= 3 ? fetch(request) : new Response('{}', { status: 429, headers })
      }
      const { stopped } = await calibrated(refusing, { wait, maxRequests: 5000, rate: Infinity })
      expect(stopped).toMatchObject({
        code: 'rate-limited',
        message: expect.stringContaining('at most 15m.'),
      })
      expect(waits, String(retryAfter)).toEqual(expected)
    }
  })

  it('sends no burst that would exceed the total', async () => {
    const { fetch } = await instanceOf(mailbox, 'default')
    const { sent, missing } = await calibrated(fetch, { maxRequests: 80, needs: new Set(['reads', 'burst']) })
    expect(sent).toBeLessThanOrEqual(80)
    expect(missing.get('limits.rate')).toBe('--max-requests leaves fewer than the 65 requests of a burst')
  })
})
