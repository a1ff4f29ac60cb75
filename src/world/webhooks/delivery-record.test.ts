import { describe, expect, it } from 'vitest'
import { Masker } from '../masking/masker.js'
import { DeliveryRecord, showDelivery } from './delivery-record.js'

const at = Date.parse('2026-01-05T09:00:00Z')
const event = {
  id: 'evt_1',
  type: 'message.received' as const,
  at,
  agentHandle: 'support',
  messageId: 'msg_1',
  threadId: 'thrd_1',
}

function record(url = 'http://agent.test/hook') {
  return new DeliveryRecord('dlv_1', event, { id: 'whk_1', url }, { body: '{"a":1}', ordinal: 0 })
}

const request = {
  url: 'http://agent.test/hook',
  headers: { authorization: 'Bearer s3cret-token' },
  body: '{"a":1}',
}

describe('the record of a delivery', () => {
  it('says how far it is', () => {
    const delivery = record()
    expect(delivery).toMatchObject({ isOver: false, tries: 0, nextCause: 'event', hasSucceeded: false })
    const place = delivery.begin({ cause: 'event', at, request })
    delivery.end(place, { duration: 10_000, answer: undefined, error: { code: 'timeout', message: '' } })
    delivery.put({ nextAttemptAt: at + 20_000 })
    expect(delivery).toMatchObject({ isOver: false, tries: 1, nextCause: 'retry', hasTimedOut: true })
    delivery.begin({ cause: 'redelivery', at, request })
    delivery.begin({ cause: 'retry', at, request })
    expect(delivery.tries).toBe(2)
    delivery.put({ status: 'succeeded' })
    expect(delivery).toMatchObject({ isOver: false, nextCause: 'duplicate', hasSucceeded: true })
    delivery.put({ nextAttemptAt: null, duplicateIsDue: true })
    expect(delivery.isOver).toBe(false)
    delivery.put({ duplicateIsDue: false })
    expect(delivery.isOver).toBe(true)
  })

  it('leaves what was taken of it before as it was', () => {
    const delivery = record()
    const states = [delivery.state]
    delivery.begin({ cause: 'event', at, request })
    states.push(delivery.state)
    delivery.end(0, { duration: 5, answer: undefined, error: null })
    delivery.note({ gap: 'events.data', reading: 'flat', instead: ['nested'] }, 'shown')
    expect(states[0]).toMatchObject({ attempts: [], reliances: [] })
    expect(states[1]).toMatchObject({ attempts: [{ duration: null }], reliances: [] })
    expect(delivery.state).toMatchObject({ attempts: [{ duration: 5 }], reliances: [{ gap: 'events.data' }] })
  })

  it('ends the attempt that is meant, whichever began later', () => {
    const delivery = record()
    const [first, second] = [
      delivery.begin({ cause: 'event', at, request }),
      delivery.begin({ cause: 'redelivery', at, request }),
    ]
    delivery.end(second, { duration: 1, answer: undefined, error: null })
    delivery.end(first, { duration: 2, answer: undefined, error: null })
    expect(delivery.state.attempts.map(({ cause, duration }) => [cause, duration])).toEqual([
      ['event', 2],
      ['redelivery', 1],
    ])
  })

  it('joins what it notes of a gap, and keeps apart what was under another reading', () => {
    const delivery = record()
    const note = (reading: string, ...instead: string[]) =>
      delivery.note({ gap: 'events.timeout', reading, instead }, 'shown')
    note('10s', '5s')
    note('10s', '15s', '5s')
    const before = delivery.state
    note('10s', '15s')
    expect(delivery.state).toBe(before)
    note('5s', '10s')
    expect(delivery.state.reliances).toEqual([
      { gap: 'events.timeout', reading: '10s', instead: ['5s', '15s'] },
      { gap: 'events.timeout', reading: '5s', instead: ['10s'] },
    ])
  })
})

describe('a delivery for people to see', () => {
  it('has everything of it, in the world’s time', () => {
    const delivery = record()
    const answer = { status: 503, headers: { 'retry-after': '7' }, body: 'later' }
    delivery.end(delivery.begin({ cause: 'event', at, request }), { duration: 1.23456, answer, error: null })
    delivery.begin({ cause: 'retry', at: at + 10_000, request })
    delivery.put({ nextAttemptAt: at + 60_000 })
    expect(showDelivery(delivery, delivery.state, new Masker())).toEqual({
      id: 'dlv_1',
      status: 'pending',
      event: { id: 'evt_1', type: 'message.received', at: '2026-01-05T09:00:00.000Z' },
      webhook_id: 'whk_1',
      url: 'http://agent.test/hook',
      reason: null,
      agent_handle: 'support',
      message_id: 'msg_1',
      thread_id: 'thrd_1',
      attempts: [
        {
          number: 1,
          cause: 'event',
          at: '2026-01-05T09:00:00.000Z',
          duration_ms: 1.235,
          request: { headers: { authorization: 'Bearer ***' }, body: '{"a":1}' },
          response: answer,
          error: null,
        },
        {
          number: 2,
          cause: 'retry',
          at: '2026-01-05T09:00:10.000Z',
          duration_ms: null,
          request: { headers: { authorization: 'Bearer ***' }, body: '{"a":1}' },
          response: null,
          error: null,
        },
      ],
      next_attempt_at: '2026-01-05T09:01:00.000Z',
      reliances: [],
    })
  })

  it('tells no key and no token, wherever it stands', () => {
    const key = 'k3y-of-the-organization'
    const delivery = record(`http://agent.test/hook?token=url-token&k=${key}`)
    const headers = { authorization: 'Bearer s3cret-token', 'x-auth-token': 's3cret-token', 'x-other': key }
    const answer = {
      status: 200,
      headers: { 'set-cookie': 'sid=s3cret-token', 'x-echo': key },
      body: `{"token": "s3cret-token", "echo": "${key}"}`,
    }
    const error = { code: 'threw' as const, message: `The receiver threw Error: ${key}` }
    const sent = { ...request, headers, body: `{"text": "${key}"}` }
    delivery.end(delivery.begin({ cause: 'event', at, request: sent }), { duration: 1, answer, error })
    delivery.put({ status: 'blocked', reason: `Not sent to ${key}.` })
    const shown = JSON.stringify(showDelivery(delivery, delivery.state, new Masker(() => [key])))
    for (const secret of [key, 's3cret-token', 'url-token']) expect(shown).not.toContain(secret)
  })
})
