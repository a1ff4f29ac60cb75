import { describe, expect, it } from 'vitest'
import { bodyOf, recordedExchange } from '../../test/support/world/recorded-exchange.js'
import type { RecordedExchange } from './exchange.js'
import { Journal } from './journal.js'
import { Masker } from './masking/masker.js'

function shown(fields: Partial<RecordedExchange>, bodyCharacters = 1000) {
  const journal = new Journal('world_1', new Masker(), { entries: 1, bodyCharacters })
  journal.record(recordedExchange(fields))
  return journal.exchanges()[0]
}

describe('an exchange in the journal', () => {
  it('shows the request with its answer', () => {
    const journal = new Journal('world_9')
    journal.record(
      recordedExchange({
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
    journal.record(recordedExchange({ responseBody: bodyOf('x'.repeat(70_000)) }))
    expect(journal.exchanges()[0]?.response.body).toBe(`${'x'.repeat(65_536)}…`)
  })
})
