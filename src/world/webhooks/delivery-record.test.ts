import { describe, expect, it } from 'vitest'
import type { EventType } from '../../contract/resources.js'
import { Masker } from '../masking/masker.js'
import { showDelivery } from './deliveries.js'
import type { DeliveryStatus } from './delivery.js'
import { DeliveryLog, DeliveryRecord } from './delivery-record.js'

const at = '2026-01-05T09:00:00.000Z'
const event = {
  id: 'evt_1',
  type: 'message.received' as const,
  at,
  agent_handle: 'support',
  message_id: 'msg_1',
  thread_id: 'thrd_1',
}
const headers = { authorization: 'Bearer s3cret-token' }

function record(change: Partial<DeliveryRecord['content']> = {}) {
  const url = 'http://agent.test/hook'
  return new DeliveryRecord({
    id: 'dlv_1',
    event,
    webhook_id: 'whk_1',
    url,
    body: '{"a":1}',
    ordinal: 0,
    ...change,
  })
}

describe('the record of a delivery', () => {
  it('says how far it is', () => {
    const delivery = record()
    expect(delivery).toMatchObject({ hasFinished: false, tries: 0, nextCause: 'event', hasSucceeded: false })
    const place = delivery.beginAttempt({ cause: 'event', at, headers })
    delivery.endAttempt(place, { duration_ms: 10_000, answer: null, error: { code: 'timeout', message: '' } })
    delivery.update({ nextAttemptAt: '2026-01-05T09:00:20.000Z' })
    expect(delivery).toMatchObject({ hasFinished: false, tries: 1, nextCause: 'retry' })
    delivery.beginAttempt({ cause: 'redelivery', at, headers })
    delivery.beginAttempt({ cause: 'retry', at, headers })
    expect(delivery.tries).toBe(2)
    delivery.update({ status: 'succeeded' })
    expect(delivery).toMatchObject({ hasFinished: false, nextCause: 'duplicate', hasSucceeded: true })
    delivery.update({ nextAttemptAt: null, duplicateIsDue: true })
    expect(delivery.hasFinished).toBe(false)
    delivery.update({ duplicateIsDue: false })
    expect(delivery.hasFinished).toBe(true)
  })

  it('leaves what was taken of it before as it was', () => {
    const delivery = record()
    const states = [delivery.state]
    delivery.beginAttempt({ cause: 'event', at, headers })
    states.push(delivery.state)
    delivery.endAttempt(0, { duration_ms: 5, answer: null, error: null })
    delivery.note({ gap: 'events.data', reading: 'flat', instead: ['nested'] }, 'shown')
    expect(states[0]).toMatchObject({ attempts: [], reliances: [] })
    expect(states[1]).toMatchObject({ attempts: [{ duration_ms: null }], reliances: [] })
    expect(delivery.state).toMatchObject({
      attempts: [{ duration_ms: 5 }],
      reliances: [{ gap: 'events.data' }],
    })
  })

  it('ends the attempt that is meant, whichever began later', () => {
    const delivery = record()
    const [first, second] = [
      delivery.beginAttempt({ cause: 'event', at, headers }),
      delivery.beginAttempt({ cause: 'redelivery', at, headers }),
    ]
    delivery.endAttempt(second, { duration_ms: 1, answer: null, error: null })
    delivery.endAttempt(first, { duration_ms: 2, answer: null, error: null })
    expect(delivery.state.attempts.map(({ cause, duration_ms }) => [cause, duration_ms])).toEqual([
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
    delivery.endAttempt(delivery.beginAttempt({ cause: 'event', at, headers }), {
      duration_ms: 1.23456,
      answer,
      error: null,
    })
    delivery.beginAttempt({ cause: 'retry', at: '2026-01-05T09:00:10.000Z', headers })
    delivery.update({ nextAttemptAt: '2026-01-05T09:01:00.000Z' })
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
    const url = `http://agent.test/hook?token=url-token&k=${key}`
    const delivery = record({ url, body: `{"text": "${key}"}` })
    const secretHeaders = {
      authorization: 'Bearer s3cret-token',
      'x-auth-token': 's3cret-token',
      'x-other': key,
    }
    const answer = {
      status: 200,
      headers: { 'set-cookie': 'sid=s3cret-token', 'x-echo': key },
      body: `{"token": "s3cret-token", "echo": "${key}"}`,
    }
    const error = { code: 'threw' as const, message: `The receiver threw Error: ${key}` }
    delivery.endAttempt(delivery.beginAttempt({ cause: 'event', at, headers: secretHeaders }), {
      duration_ms: 1,
      answer,
      error,
    })
    delivery.update({ status: 'blocked', reason: `Not sent to ${key}.` })
    const shown = JSON.stringify(showDelivery(delivery, delivery.state, new Masker(() => [key])))
    for (const secret of [key, 's3cret-token', 'url-token']) expect(shown).not.toContain(secret)
  })
})

/** A delivery of an event, finished or not. */
function logged(
  id: string,
  {
    type = event.type,
    status = 'succeeded',
    webhook_id = 'whk_1',
    url = 'http://a.test/',
    body = '{}',
  }: {
    type?: EventType
    status?: DeliveryStatus
    webhook_id?: string
    url?: string
    body?: string
  } = {},
): DeliveryRecord {
  const created = record({ id, event: { ...event, type }, webhook_id, url, body })
  created.update({ status })
  return created
}

describe('the log of deliveries', () => {
  it('lists those that are meant, in the order in which they came', () => {
    const log = new DeliveryLog()
    log.add(logged('dlv_b'))
    log.add(logged('dlv_a', { type: 'message.bounced', status: 'failed' }))
    log.add(logged('dlv_c', { webhook_id: 'whk_2', url: 'http://b.test/' }))
    log.add(logged('dlv_d', { type: 'message.bounced', webhook_id: 'whk_2' }))
    const ids = (filter?: Parameters<DeliveryLog['list']>[0]) =>
      log.list(filter).map(({ content }) => content.id)
    expect(ids()).toEqual(['dlv_b', 'dlv_a', 'dlv_c', 'dlv_d'])
    expect(ids({})).toEqual(ids())
    expect(ids({ event: undefined, status: undefined })).toEqual(ids())
    expect(ids({ event: 'message.bounced' })).toEqual(['dlv_a', 'dlv_d'])
    expect(ids({ status: 'failed' })).toEqual(['dlv_a'])
    expect(ids({ webhook: 'whk_2' })).toEqual(['dlv_c', 'dlv_d'])
    expect(ids({ url: 'http://b.test/' })).toEqual(['dlv_c'])
    expect(ids({ event: 'message.bounced', webhook: 'whk_2' })).toEqual(['dlv_d'])
    expect(ids({ event: 'message.delivered' })).toEqual([])
    expect(log.get('dlv_a')?.content.id).toBe('dlv_a')
    expect(log.get('dlv_z')).toBeUndefined()
  })

  it('forgets the oldest of many that are over, and none that is not', () => {
    const log = new DeliveryLog()
    log.add(logged('first', { status: 'pending' }))
    log.add(logged('second'))
    const planned = logged('third')
    planned.update({ nextAttemptAt: at })
    log.add(planned)
    for (let number = log.size; number < 100_000; number++) log.add(logged(`n${number}`))
    expect(log.size).toBe(100_000)
    log.add(logged('late'))
    log.add(logged('later'))
    expect(log.size).toBe(100_000)
    const gone = ['first', 'second', 'third', 'n3', 'n4', 'late', 'later'].filter((id) => !log.get(id))
    expect(gone).toEqual(['second', 'n3'])
  })

  it('drops the oldest finished ones where their bodies are larger than what is kept', () => {
    const log = new DeliveryLog()
    const body = 'x'.repeat(8 * 1024 * 1024)
    log.add(logged('pending', { status: 'pending', body }))
    for (const id of ['a', 'b', 'c', 'd']) log.add(logged(id, { body }))
    expect(log.list().map(({ content }) => content.id)).toEqual(['pending', 'b', 'c', 'd'])
  })
})
