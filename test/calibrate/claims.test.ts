import { describe, expect, it } from 'vitest'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import type { Fetch } from '../../src/live/service-client.js'
import { changing, mailboxOf } from './instance.js'
import { judge } from './judge.js'

const mailbox = mailboxOf(24)
const news = { to: 'support', from: 'Ann <ann@example.com>', subject: 'News', text: 'Some news.' }

/** Returns what is claimed about a gap; undefined if it is unclear. */
async function claimOf(gap: string, ...asked: Parameters<typeof judge>): Promise<string | undefined> {
  const { calibration } = await judge(...asked)
  return calibration.findings.find((finding) => finding.gap === gap)?.assumption
}

type Row = Record<string, unknown>

const rowsIn = (body: Row, list: string, change: (row: Row) => Row) => ({
  ...body,
  [list]: (body[list] as Row[]).map(change),
})

describe('what calibrate claims', () => {
  it('is nothing about senders if messages show no header fields', async () => {
    const withoutHeaders = changing('/api/v1/mail/messages', (body) =>
      rowsIn(body, 'messages', ({ headers, ...row }) => row),
    )
    const claim = (assumptions: Record<string, string>, proxy?: typeof withoutHeaders) => {
      return claimOf('messages.authentication', mailbox, assumptions, proxy && { proxy })
    }
    expect(await claim({}, withoutHeaders)).toBeUndefined()
    expect(await claim({ 'messages.authentication': 'omitted' }, withoutHeaders)).toBeUndefined()
    expect(await claim({ 'messages.authentication': 'omitted' })).toBe('omitted')
    expect(await claim({})).toBe('headers')
  })

  it('is nothing about senders if only one of them writes the results into his mail', async () => {
    const truth = { 'messages.authentication': 'omitted' }
    const claim = await claimOf('messages.authentication', 'prompt-injection', truth, { apiKey: 'test-key' })
    expect(claim).toBeUndefined()
  })

  it.each<[string, string, (fetch: Fetch) => Fetch]>([
    [
      'a total that is no number',
      'threads.total',
      changing('/api/v1/mail/threads', (body) => ({ ...body, total: 'many' })),
    ],
    [
      'threads in the order of their subjects',
      'threads.order',
      changing('/api/v1/mail/threads', (body) => {
        const threads = body['threads'] as { subject: string }[]
        return { ...body, threads: threads.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)) }
      }),
    ],
    [
      'few messages, whose order may be a coincidence',
      'messages.order',
      changing('/api/v1/mail/messages', (body) => {
        const few = (body['messages'] as { created_at: string }[]).slice(0, 8)
        return { ...body, messages: few.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)) }
      }),
    ],
    [
      'webhooks of one second',
      'webhooks.order',
      changing('/api/v1/webhooks', (body) =>
        rowsIn(body, 'webhooks', (row) => ({ ...row, created_at: '2026-01-05T09:00:00.000Z' })),
      ),
    ],
    [
      'another code of errors',
      'errors.not-found-code',
      (fetch) => async (request) => {
        const response = await fetch(request)
        if (response.status !== 404) return response
        return Response.json({ error: { code: 'gone', message: 'No.' } }, { status: 404 })
      },
    ],
    [
      'another refusal of a limit',
      'threads.limit-out-of-range',
      (fetch) => async (request) => {
        const limit = Number(new URL(request.url).searchParams.get('limit') ?? 1)
        return limit >= 1 && limit <= 100 ? fetch(request) : Response.json({}, { status: 418 })
      },
    ],
  ])('is nothing about %s', async (_, gap, proxy) => {
    const { learned, wrong } = await judge(mailbox, {}, { proxy })
    expect(learned).not.toContain(gap)
    expect(wrong).toEqual([])
  })

  it.each(['clamped', 'default'])('is what becomes of limits out of range: %s', async (rule) => {
    const limits = ['threads.limit-out-of-range', 'messages.limit-out-of-range', 'messages.limit-maximum']
    const truth = { ...Object.fromEntries(limits.map((gap) => [gap, rule])), 'messages.limit-maximum': '100' }
    const { learned, wrong } = await judge(mailboxOf(120), truth)
    expect(wrong).toEqual([])
    expect(learned).toEqual(expect.arrayContaining(limits))
  })

  it('is nothing about lists if mail arrives meanwhile', async () => {
    let asked = 0
    const { learned, wrong } = await judge(mailbox, 'seed:4', {
      proxy: (fetch, simulator) => async (request) => {
        if (++asked === 30) await simulator.mail.receive(news)
        return fetch(request)
      },
    })
    expect(wrong).toEqual([])
    expect(learned.filter((gap) => /^(threads|messages)\./.test(gap))).toEqual([])
    expect(learned).toContain('errors.body')
  })

  it('counts for what was learned before the service failed', async () => {
    let asked = 0
    const { calibration, learned, wrong } = await judge(
      mailbox,
      {},
      {
        proxy: (fetch) => async (request) => {
          if (++asked > 30) throw new Error('The network is gone')
          return fetch(request)
        },
      },
    )
    expect(calibration.stopped?.message).toContain('The network is gone')
    expect(wrong).toEqual([])
    expect(learned).toContain('errors.body')
    expect(learned).not.toContain('threads.limit-out-of-range')
  })
})

describe('calibrating with writes', () => {
  const writing = { allowWrites: true, agent: 'support' }
  const before = { display_name: 'Support', description: 'Answers customers' }

  it('learns from updates and restores the identity', async () => {
    const byWrites = gapIds.filter((gap) => gaps[gap].learnedBy === 'writes')
    for (const seed of [1, 2, 3]) {
      const { learned, wrong, simulator } = await judge(mailboxOf(40), `seed:${seed}`, writing)
      expect(wrong, `seed:${seed}`).toEqual([])
      expect(learned, `seed:${seed}`).toEqual(expect.arrayContaining(byWrites))
      expect(simulator.identities.get('support')).toMatchObject(before)
    }
  })

  /** Calibrates a service whose answer to an update is lost, and each one after it if the service is gone then. */
  const judgeLosing = (isGone: boolean) => {
    let isLost = false
    const proxy = (fetch: Fetch) => async (request: Request) => {
      if (isLost && isGone) throw new Error('The network is gone')
      const body = await request.clone().text()
      const answer = await fetch(request)
      if (body !== '{"description":null}') return answer
      isLost = true
      throw new Error('The network is gone')
    }
    return judge(mailboxOf(8), { 'identities.patch-null': 'null' }, { ...writing, proxy })
  }

  it('restores the identity if the answer to an update is lost', async () => {
    const { calibration, simulator } = await judgeLosing(false)
    expect(calibration.stopped?.message).toMatch(/^PATCH .*The network is gone/)
    expect(simulator.identities.get('support')).toMatchObject(before)
  })

  it('says what an identity was if it cannot be restored', async () => {
    const { calibration } = await judgeLosing(true)
    expect(calibration.stopped?.message).toMatch(/^NOT RESTORED: .*"description":"Answers customers"/)
  })

  it('refuses an agent that there is not', async () => {
    const wrong = judge(mailboxOf(4), {}, { ...writing, agent: 'suport' })
    await expect(wrong).rejects.toThrow('--agent suport: ')
  })
})
