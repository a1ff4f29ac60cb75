import { describe, expect, it } from 'vitest'
import { ask, createDesk, failure } from '../../test/support/simulator/asked-desk.js'
import { mailboxMatchers } from './matchers.js'

expect.extend(mailboxMatchers)

const threads = '/api/v1/mail/threads'
const rename = { method: 'PATCH', body: JSON.stringify({ display_name: 'Busy', description: 'Back soon' }) }

async function askedDesk() {
  const desk = await createDesk()
  await ask(desk, `${threads}?agent=support&limit=5`)
  await ask(desk, `${threads}?agent=support&limit=5&offset=5`)
  await ask(desk, '/api/v1/identities/support', rename)
  return desk
}

describe('toHaveRequested', () => {
  it('matches values, patterns and asymmetric matchers', async () => {
    const desk = await askedDesk()
    expect(desk).toHaveRequested('threads.list')
    expect(desk).toHaveRequested('threads.list', { query: { agent: 'support', limit: 5, offset: null } })
    expect(desk).toHaveRequested('threads.list', { query: { agent: /^SUP/i }, times: 2 })
    expect(desk).toHaveRequested('threads.list', { query: { offset: expect.any(String) }, status: 200 })
    expect(desk).toHaveRequested('identities.update', { body: { display_name: 'Busy' }, path: /support$/ })
    expect(desk).toHaveRequested('identities.update', {
      body: expect.objectContaining({ description: expect.stringContaining('soon') }),
    })
  })

  it('does not match other requests', async () => {
    const desk = await askedDesk()
    expect(desk).not.toHaveRequested('webhooks.list')
    expect(desk).not.toHaveRequested('threads.list', { query: { agent: 'sales' } })
    expect(desk).not.toHaveRequested('threads.list', { query: { limit: expect.any(Number) } })
    expect(desk).not.toHaveRequested('threads.list', { times: 3 })
    expect(desk).not.toHaveRequested('identities.update', { body: { display_name: 'Idle' } })
    expect(desk).not.toHaveRequested('identities.update', { body: { display_name: ['Busy'] } })
    expect(desk).not.toHaveRequested('identities.update', { status: 404 })
  })

  it('shows the requests, nearest first, with their differences', async () => {
    const desk = await askedDesk()
    await ask(desk, '/api/v1/threads')
    const nearMiss = desk.journal.exchanges().at(-1)?.near_miss
    expect(nearMiss).toContain('GET /api/v1/mail/threads differs in one segment')
    const query = { agent: 'support', limit: 5, offset: '10' }
    expect(failure(() => expect(desk).toHaveRequested('threads.list', { query }))).toBe(
      [
        'Expected a request of threads.list with query.agent "support" and query.limit 5 and query.offset "10".',
        '4 requests came, of which none fits; the nearest first:',
        '  ✗ GET /api/v1/mail/threads?agent=support&limit=5 200',
        '      query.offset: expected "10", found null',
        '  ✗ GET /api/v1/mail/threads?agent=support&limit=5&offset=5 200',
        '      query.offset: expected "10", found "5"',
        '  ✗ PATCH /api/v1/identities/support 200',
        '      operation: expected "threads.list", found "identities.update"',
        '      query.agent: expected "support", found null',
        '      query.limit: expected 5, found null',
        '      query.offset: expected "10", found null',
        '  ✗ GET /api/v1/threads 404',
        `      ${nearMiss}`,
        '      query.agent: expected "support", found null',
        '      query.limit: expected 5, found null',
        '      query.offset: expected "10", found null',
      ].join('\n'),
    )
  })

  it('sorts by the similarity of values', async () => {
    const desk = await createDesk()
    for (const agent of ['sales', 'suport', 'eva']) await ask(desk, `${threads}?agent=${agent}`)
    const text = failure(() => expect(desk).toHaveRequested('threads.list', { query: { agent: 'support' } }))
    expect(text.match(/agent=\w+/g)).toEqual(['agent=suport', 'agent=sales', 'agent=eva'])
  })

  it('shows how many match if another number was expected', async () => {
    const desk = await askedDesk()
    const text = failure(() =>
      expect(desk).toHaveRequested('threads.list', { query: { offset: '5' }, times: 2 }),
    )
    expect(text).toMatch(/^Expected exactly 2 requests of threads\.list with query\.offset "5"\.\n/)
    expect(text).toContain('3 requests came, of which 1 fits; the nearest first:\n  ✓ GET')
    expect(failure(() => expect(desk).not.toHaveRequested('threads.list', { times: 2 }))).toBe(
      [
        'Expected not exactly 2 requests of threads.list.',
        '3 requests came, of which 2 fit:',
        '  ✓ GET /api/v1/mail/threads?agent=support&limit=5 200',
        '  ✓ GET /api/v1/mail/threads?agent=support&limit=5&offset=5 200',
      ].join('\n'),
    )
    expect(failure(() => expect(desk).not.toHaveRequested('identities.update'))).toBe(
      [
        'Expected no request of identities.update.',
        '3 requests came, of which 1 fits:',
        '  ✓ PATCH /api/v1/identities/support 200',
      ].join('\n'),
    )
  })

  it('shows at most eight requests', async () => {
    const desk = await createDesk()
    for (let offset = 0; offset < 12; offset++) await ask(desk, `${threads}?offset=${offset}`)
    const text = failure(() => expect(desk).toHaveRequested('webhooks.list'))
    expect(text.match(/✗/g)).toHaveLength(8)
    expect(text).toMatch(/\n {2}… and 4 more$/)
  })

  it('shows which world got the requests if none came', async () => {
    const desk = await createDesk()
    const fork = desk.fork()
    expect(failure(() => expect(fork).toHaveRequested('threads.list'))).toBe(
      'Expected a request of threads.list. No request has come to world_2; does the client use mailbox.baseUrl ' +
        'and mailbox.apiKey?',
    )
    await ask(desk, threads)
    expect(failure(() => expect(fork).toHaveRequested('threads.list'))).toBe(
      'Expected a request of threads.list. No request has come to world_2; 1 request came to world_1, the last ' +
        'GET /api/v1/mail/threads 200. Does the client use mailbox.apiKey?',
    )
  })

  it('marks answers that a fault disturbed', async () => {
    const desk = await createDesk()
    desk.faults.add({ operation: 'threads.list', status: 503 })
    await ask(desk, threads)
    const text = failure(() => expect(desk).toHaveRequested('threads.list', { status: 200 }))
    expect(text).toMatch(/✗ GET \/api\/v1\/mail\/threads 503, disturbed by \w+\n {6}status: expected 200/)
  })

  it('refuses unknown operations, and other objects than simulators', async () => {
    const desk = await createDesk()
    expect(failure(() => expect('desk').toHaveRequested('threads.list'))).toBe(
      'expect(mailbox).toHaveRequested() looks at a simulator, not string; give it the mailbox of the test, or what createSimulator or listen returns.',
    )
    expect(failure(() => expect(desk).toHaveRequested('threads.lst' as never))).toBe(
      'There is no operation "threads.lst"; did you mean "threads.list"?',
    )
    expect(failure(() => expect(desk).toHaveRequested(undefined as never))).toMatch(
      /^There is no operation "undefined"; expected one of identities\.get,/,
    )
  })

  it('explains missing arguments of the other matchers', async () => {
    const desk = await createDesk()
    expect(failure(() => expect(desk).toHaveThread(undefined as never))).toBe(
      'toHaveThread takes an object with agent, subject, unread …, not undefined.',
    )
    expect(failure(() => expect(desk).toHaveReliedOnlyOn('threads.order' as never))).toBe(
      "toHaveReliedOnlyOn takes a list of gaps such as ['threads.order'], not threads.order.",
    )
    expect(failure(() => expect(desk).toHaveDelivered(undefined as never))).toMatch(/expected one of message/)
  })
})
