import { describe, expect, it } from 'vitest'
import { planOf } from '../../src/live/calibrate/calibrate.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { mailboxOf } from './instance.js'
import { changing, judge } from './judge.js'

const mailbox = mailboxOf(24)

/** The method and the path of a request without the id of the agent. */
function pathOf(line: string): string | undefined {
  const [, method, path = ''] = /^ *([A-Z]+) (?:https?:\/\/[^/]+)?(\/[^? ]*)/.exec(line) ?? []
  return method && `${method} ${path.replace(/(\/identities\/@?)[^/]+/, '$1…')}`
}

describe('calibrating with reads', () => {
  it('learns most assumptions without false claims or changes', async () => {
    const { learned, wrong, isUnchanged, calibration } = await judge(mailbox, 'seed:3')
    expect(wrong).toEqual([])
    expect(learned.length).toBeGreaterThan(33)
    expect(isUnchanged).toBe(true)
    expect(calibration.probed.every(({ exchange }) => exchange.request.method === 'GET')).toBe(true)
    expect(calibration.stopped).toBeUndefined()
    const options = { baseUrl: 'http://mail.test', agent: undefined, rate: 5, maxRequests: 300 }
    const planned = planOf({ ...options, needs: new Set(['reads']) })
      .split('\n')
      .map(pathOf)
    const sent = calibration.probed.map(({ exchange: { request } }) => `${request.method} ${request.target}`)
    expect(
      sent.map(pathOf).filter((path) => !planned.includes(path) && !path?.includes('attachment')),
    ).toEqual([])
  })

  it('takes the order of five threads for a possible coincidence, the order of sixteen not', async () => {
    const orderOf = async (threads: number) => {
      const { findings } = await judge(mailboxOf(threads), { 'threads.order': 'created-asc' })
      return findings.find(({ gap }) => gap === 'threads.order')?.candidates
    }
    expect(await orderOf(4)).toEqual(expect.arrayContaining(['created-asc', 'unspecified']))
    const sure = await orderOf(16)
    expect(sure).toContain('created-asc')
    expect(sure).not.toContain('unspecified')
  })

  it.each<[string, RegExp, (fetch: Fetch) => Fetch]>([
    [
      'a total that is no number',
      /^threads\.total is .*total is "/,
      changing('/api/v1/mail/threads', (body) => ({ ...body, total: String(body['total']) })),
    ],
    [
      'an unknown order of threads',
      /^threads\.order is /,
      changing('/api/v1/mail/threads', (body) => {
        const threads = body['threads'] as { subject: string }[]
        return { ...body, threads: threads.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)) }
      }),
    ],
    [
      'an unknown code of errors',
      /^errors\.not-found-code is /,
      (fetch) => async (request) => {
        const response = await fetch(request)
        if (response.status !== 404) return response
        return Response.json({ error: { code: 'gone', message: 'No.' } }, { status: 404 })
      },
    ],
    [
      'an unknown refusal of a limit',
      /^(threads|messages)\.limit-(out-of-range|maximum) is /,
      (fetch) => async (request) => {
        const limit = Number(new URL(request.url).searchParams.get('limit') ?? 1)
        const error = { code: 'bad', message: 'No.' }
        return limit >= 1 && limit <= 100 ? fetch(request) : Response.json({ error }, { status: 418 })
      },
    ],
  ])('reports that no assumption fits %s, and nothing else', async (_, misfit, proxy) => {
    const { findings, wrong } = await judge(mailboxOf(12), 'default', { proxy })
    expect(wrong.length).toBeGreaterThan(0)
    for (const sentence of wrong) expect(sentence).toMatch(misfit)
    const misfits = findings.filter(({ status }) => status === 'none-fits')
    expect(misfits).toHaveLength(wrong.length)
    for (const { assumption, exchanges } of misfits) {
      expect(assumption).toBeNull()
      expect(exchanges.length).toBeGreaterThan(0)
    }
  })
})
