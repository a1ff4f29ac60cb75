import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'

const threads = '/mail/threads'

describe('an expectation of requests', () => {
  it('expects at least one request by default', async () => {
    const run = await openRun({ expect: [{ request: 'threads.list' }] })
    expect(run.lines()).toMatchSnapshot()
    await run.ask('/identities/support')
    await run.pass('1m')
    expect(run.lines()).toMatchSnapshot()
    await run.ask(threads)
    await run.pass('1m')
    await run.ask(threads)
    // The first of them fulfills it.
    expect(run.lines()).toMatchSnapshot()
  })

  it('counts enough requests, and too many', async () => {
    const run = await openRun({
      expect: [
        { request: 'threads.list', at_least: 1 },
        { request: 'threads.list', times: 1 },
        { request: 'threads.list', at_most: 1 },
      ],
    })
    expect(run.passed()).toEqual([false, false, true])
    await run.ask(threads)
    expect(run.passed()).toEqual([true, true, true])
    await run.ask(threads)
    expect(run.passed()).toEqual([true, false, false])
  })

  it('shows the nearest request: fewest differences, then most similar, then first', async () => {
    const run = await openRun({
      expect: [{ request: 'threads.list', where: { query: { agent: 'support', limit: 50 }, status: 200 } }],
    })
    await run.ask('/mail/messages?agent=support&limit=50')
    await run.ask(`${threads}?agent=sales`)
    await run.ask(`${threads}?agent=sales&limit=50`)
    await run.ask(`${threads}?agent=suport&limit=50`)
    await run.ask(`${threads}?agent=suport&limit=50`)
    expect(run.lines()).toMatchSnapshot()
    await run.ask(`${threads}?agent=support&limit=50`)
    expect(run.result().passed).toBe(true)
  })

  it('compares what came, and shows it masked', async () => {
    const body = { display_name: 'Busy', api_key: 'k-1' }
    const run = await openRun({
      expect: [
        { request: 'threads.list', where: { query: { agent: 'a?sig=right' } } },
        { request: 'identities.update', where: { body } },
      ],
    })
    await run.ask(`${threads}?agent=${encodeURIComponent('a?sig=wrong')}`)
    const patch = (key: string) => {
      const text = JSON.stringify({ ...body, api_key: key })
      return run.ask('/identities/support', { method: 'PATCH', body: text })
    }
    await patch('k-2')
    expect([run.result(0), run.result(1)].map(({ nearest }) => nearest?.differences)).toEqual([
      ['query.agent: expected "a?sig=right", found "a?sig=***"'],
      ['body.api_key: expected "k-1", found "***"'],
    ])
    await run.ask(`${threads}?agent=${encodeURIComponent('a?sig=right')}`)
    await patch('k-1')
    expect([run.result(0), run.result(1)].map(({ passed }) => passed)).toEqual([true, true])
  })

  it('checks path, query, body and status', async () => {
    const name = { body: { display_name: { matches: '^Bu' }, description: null } }
    const run = await openRun({
      expect: [
        { request: 'identities.update', where: { body: { display_name: 'Busy' } } },
        { request: 'identities.update', where: { path: { matches: '/support$' }, body: name.body } },
        { request: 'identities.update', where: { status: 200, body: { display_name: { contains: 'us' } } } },
        { request: 'messages.list', where: { query: { thread_id: { thread: 'parcel' }, agent: null } } },
        {
          request: 'messages.list',
          where: { query: { thread_id: { thread: 'refund', identity: 'sales' } } },
        },
        { request: 'threads.list', where: { query: { limit: { at_least: 10, at_most: 20 } } } },
      ],
    })
    await run.rename('Busy')
    await run.ask(`/mail/messages?thread_id=${run.idOf('Parcel')}`)
    await run.ask(`${threads}?limit=9`)
    expect(run.passed()).toEqual([true, false, true, true, false, false])
    expect(run.lines(1)).toMatchSnapshot()
  })

  it('matches any value of a repeated parameter, and null in a body only as null', async () => {
    const run = await openRun({
      expect: [
        { request: 'threads.list', where: { query: { agent: 'sales' } }, times: 0 },
        { request: 'identities.update', where: { body: { description: null } } },
        { request: 'identities.update', where: { body: { display_name: 'Busy', description: null } } },
      ],
    })
    await run.ask(`${threads}?agent=support&agent=sales`)
    await run.rename('Busy')
    expect(run.passed()).toEqual([false, false, false])
    await run.ask('/identities/support', { method: 'PATCH', body: '{"description":null}' })
    expect(run.passed()).toEqual([false, true, false])
  })
})

describe('a number of requests', () => {
  it.each([
    [{ times: 0 }, [true, false, false, false], 'no request of threads.list'],
    [{ times: 2 }, [false, false, true, false], 'exactly 2 requests of threads.list'],
    [{ at_least: 2 }, [false, false, true, true], 'at least 2 requests of threads.list'],
    [{ at_most: 1 }, [true, true, false, false], 'at most 1 request of threads.list'],
    [{ at_least: 1, at_most: 2 }, [false, true, true, false], '1 to 2 requests of threads.list'],
    [{ at_least: 0 }, [true, true, true, true], 'at least 0 requests of threads.list'],
  ])('is checked with %j', async (amount, passed, expected) => {
    const run = await openRun({ expect: [{ request: 'threads.list', ...amount }] })
    const found: boolean[] = []
    for (const _ of passed) {
      found.push(...run.passed())
      await run.ask(threads)
    }
    expect(found).toEqual(passed)
    expect(run.result().expected).toBe(expected)
  })
})

describe('an expectation of no errors', () => {
  it('fails at a response with a 4xx status, and shows all of them', async () => {
    const run = await openRun({ expect: [{ errors: 'none' }, { errors: 'none', except: [404, 410] }] })
    expect(run.lines()).toMatchSnapshot()
    await run.ask('/mail/threads')
    expect(run.lines()[2]).toBe('found 0 of 1 request')
    await run.pass('10s')
    await run.ask('/mail/thread')
    expect(run.lines()).toMatchSnapshot()
    expect(run.passed()).toEqual([false, true])
    await run.ask('/mail/threads?limit=500')
    await run.ask('/mail/threads?limit=0')
    await run.pass('10s')
    expect(run.lines()).toMatchSnapshot()
    expect(run.lines(1)).toMatchSnapshot()
  })

  it('ignores statuses that a fault set but not those of truncated responses', async () => {
    const run = await openRun({
      timeline: [
        { after: '0s', fault: { operation: 'threads.list', status: 429, times: 1 } },
        { after: '0s', fault: { operation: 'messages.list', truncate: 5, times: 1 } },
        { after: '0s', fault: { operation: 'identities.get', status: 503, times: 1 } },
      ],
      expect: [{ errors: 'none' }],
    })
    await run.ask('/mail/threads')
    await run.ask('/identities/support')
    expect(run.passed()).toEqual([true])
    await run.ask('/mail/messages?limit=none')
    expect(run.lines()[3]).toBe(
      'nearest GET /api/v1/mail/messages?limit=none 400, disturbed by fault_2, 12, 0s',
    )
  })
})
