import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Journal, type RecordedExchange } from './journal.js'
import type { Reliance } from './settle.js'

const at = Date.parse('2026-01-05T09:00:00Z')

function exchange(fields: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    at,
    operation: 'threads.list',
    method: 'GET',
    path: '/api/v1/mail/threads',
    search: '',
    status: 200,
    durationMs: 1.23456,
    requestHeaders: new Headers(),
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
    reliances: [],
    nearMiss: null,
    ...fields,
  }
}

/** A body as an answer holds it. */
const bodyOf = (text: string) => ({ text: () => text })

function shown(fields: Partial<RecordedExchange>, bodyCharacters = 1000) {
  const journal = new Journal('world_1', { entries: 1, bodyCharacters })
  journal.record(exchange(fields))
  return journal.exchanges()[0]
}

describe('an exchange in the journal', () => {
  it('shows the request with its answer', () => {
    const journal = new Journal('world_9')
    journal.record(
      exchange({
        search: '?agent=support&limit=5',
        requestHeaders: new Headers({ Accept: 'application/json' }),
        responseHeaders: { 'content-type': 'application/json' },
        responseBody: bodyOf('{"threads":[],"total":0}'),
        nearMiss: 'PATCH is for identities',
      }),
    )
    expect(journal.exchanges()).toEqual([
      {
        seq: 1,
        at: '2026-01-05T09:00:00.000Z',
        world: 'world_9',
        operation: 'threads.list',
        method: 'GET',
        path: '/api/v1/mail/threads',
        query: { agent: 'support', limit: '5' },
        status: 200,
        duration_ms: 1.235,
        request: { headers: { accept: 'application/json' }, body: null },
        response: {
          headers: { 'content-type': 'application/json' },
          body: '{"threads":[],"total":0}',
        },
        reliances: [],
        fault: null,
        near_miss: 'PATCH is for identities',
      },
    ])
  })

  it('lists the values of a name given more than once, whatever the name', () => {
    const query = shown({ search: '?limit=1&limit=2&limit=3&__proto__=x&empty=&a%20b=c%26' })?.query
    expect(Object.entries(query ?? {})).toEqual([
      ['limit', ['1', '2', '3']],
      ['__proto__', 'x'],
      ['empty', ''],
      ['a b', 'c&'],
    ])
  })

  it.each([
    ['Bearer test-key', 'Bearer ***'],
    ['bearer  test-key', 'bearer ***'],
    ['Basic dXNlcjpwYXNz', 'Basic ***'],
    ['test-key', '***'],
    ['Bearer', '***'],
  ])('masks the authorization %j', (given, masked) => {
    const headers = shown({ requestHeaders: new Headers({ Authorization: given, Accept: '*/*' }) })?.request
      .headers
    expect(headers).toEqual({ authorization: masked, accept: '*/*' })
  })

  it('masks other headers that carry secrets, in the answer too', () => {
    const responseHeaders = { 'Set-Cookie': 'a=b', 'X-Auth-Token': 'secret', 'content-type': 'text/plain' }
    const requestHeaders = new Headers({ cookie: 'a=b', 'proxy-authorization': 'Basic x' })
    const { request, response } = shown({ requestHeaders, responseHeaders }) ?? {}
    expect(request?.headers).toEqual({ cookie: '***', 'proxy-authorization': 'Basic ***' })
    expect(response?.headers).toEqual({
      'Set-Cookie': '***',
      'X-Auth-Token': '***',
      'content-type': 'text/plain',
    })
  })

  it.each([
    ['{"auth_token":"secret"}', '{"auth_token":"***"}'],
    ['{"a":[{ "auth_token" : "s\\"ecr\\\\" ,"b":1}]}', '{"a":[{ "auth_token" : "***" ,"b":1}]}'],
    ['{"auth_token":"one"},{"auth_token":"two"}', '{"auth_token":"***"},{"auth_token":"***"}'],
    ['{"auth_token":null,"has_auth_token":false}', '{"auth_token":null,"has_auth_token":false}'],
    ['{"auth_token":""}', '{"auth_token":""}'],
    ['{"text":"auth_token is secret"}', '{"text":"auth_token is secret"}'],
  ])('masks the token in %j', (body, masked) => {
    const { request, response } = shown({ requestBody: body, responseBody: bodyOf(body) }) ?? {}
    expect(request?.body).toBe(masked)
    expect(response?.body).toBe(masked)
  })

  it('never shows a part of a token, wherever the body is cut', () => {
    const body = `{"auth_token":"${'secret'.repeat(20)}","url":"x"}`
    for (let characters = 0; characters <= body.length; characters++) {
      expect(shown({ responseBody: bodyOf(body) }, characters)?.response.body).not.toMatch(/s|e.?c/)
    }
  })

  it('masks a very long token', () => {
    const body = `{"auth_token":"${'x'.repeat(3_000_000)}"}`
    expect(shown({ responseBody: bodyOf(body) })?.response.body).toBe('{"auth_token":"***"}')
  })

  it('cuts a long body, and marks the cut', () => {
    expect(shown({ responseBody: bodyOf('12345') }, 5)?.response.body).toBe('12345')
    expect(shown({ responseBody: bodyOf('123456') }, 5)?.response.body).toBe('12345…')
    expect(shown({ requestBody: '123456' }, 0)?.request.body).toBe('…')
    const journal = new Journal('world_1')
    journal.record(exchange({ responseBody: bodyOf('x'.repeat(70_000)) }))
    expect(journal.exchanges()[0]?.response.body).toBe(`${'x'.repeat(65_536)}…`)
  })
})

describe('a journal', () => {
  it('keeps the newest entries in order, like a plain list cut at its end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), fc.nat(40), (entries, count) => {
        const journal = new Journal('world_1', { entries, bodyCharacters: 10 })
        for (let index = 1; index <= count; index++) {
          journal.record(exchange({ path: `/${index}` }))
          journal.recordCommand(at, { type: 'delete-webhook', webhook_id: `whk_${index}` })
        }
        const kept = Array.from({ length: count }, (_, index) => index + 1).slice(
          Math.max(0, count - entries),
        )
        const exchanges = journal.exchanges()
        expect(exchanges.map(({ seq }) => seq)).toEqual(kept)
        expect(exchanges.map(({ path }) => path)).toEqual(kept.map((seq) => `/${seq}`))
        expect(journal.commands().map(({ seq }) => seq)).toEqual(kept)
      }),
    )
  })

  it('keeps ten thousand entries when nobody says otherwise', () => {
    const journal = new Journal('world_1')
    const recorded = exchange()
    for (let index = 0; index < 12_345; index++) journal.record(recorded)
    const exchanges = journal.exchanges()
    expect(exchanges).toHaveLength(10_000)
    expect(exchanges[0]?.seq).toBe(2346)
    expect(exchanges.at(-1)?.seq).toBe(12_345)
  })

  it('finds exchanges by operation and after a sequence number', () => {
    const journal = new Journal('world_1')
    const operations = ['threads.list', 'messages.list', null, 'threads.list'] as const
    for (const operation of operations) journal.record(exchange({ operation }))
    const found = (filter: Parameters<Journal['exchanges']>[0]) =>
      journal.exchanges(filter).map(({ seq }) => seq)
    expect(found({})).toEqual([1, 2, 3, 4])
    expect(found({ operation: 'threads.list' })).toEqual([1, 4])
    expect(found({ operation: 'webhooks.list' })).toEqual([])
    expect(found({ since: 0 })).toEqual([1, 2, 3, 4])
    expect(found({ since: 3 })).toEqual([4])
    expect(found({ since: 4 })).toEqual([])
    expect(found({ operation: 'threads.list', since: 1 })).toEqual([4])
  })

  it('goes on counting after it was cleared, so that nobody who waits misses an exchange', () => {
    const journal = new Journal('world_1')
    journal.record(exchange())
    journal.recordCommand(at, { type: 'delete-webhook', webhook_id: 'whk_x' })
    journal.clear()
    expect(journal.exchanges()).toEqual([])
    expect(journal.commands()).toEqual([])
    expect(journal.reliances()).toEqual([])
    journal.record(exchange())
    expect(journal.exchanges({ since: 1 }).map(({ seq }) => seq)).toEqual([2])
  })

  it('sums up what its exchanges relied on', () => {
    const total: Reliance = { gap: 'threads.total', reading: 'all-matches', instead: ['page-size'] }
    const order: Reliance = { gap: 'threads.order', reading: 'last-message-desc', instead: ['created-desc'] }
    const changed: Reliance = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'] }
    const journal = new Journal('world_1', { entries: 5, bodyCharacters: 10 })
    journal.record(exchange({ operation: 'webhooks.list', reliances: [order] }))
    journal.record(exchange({ reliances: [total] }))
    journal.record(exchange({ reliances: [order, total] }))
    journal.record(exchange({ operation: 'messages.list', reliances: [total] }))
    journal.record(exchange({ operation: null, reliances: [total] }))
    journal.record(exchange({ reliances: [changed] }))
    expect(journal.reliances()).toEqual([
      {
        gap: 'threads.total',
        reading: 'all-matches',
        operations: ['threads.list', 'messages.list'],
        count: 4,
      },
      { gap: 'threads.order', reading: 'last-message-desc', operations: ['threads.list'], count: 1 },
      { gap: 'threads.total', reading: 'page-size', operations: ['threads.list'], count: 1 },
    ])
  })
})
