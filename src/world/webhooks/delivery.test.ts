import { describe, expect, it } from 'vitest'
import { Masker } from '../masker.js'
import { DeliveryLog, showDelivery } from './deliveries.js'
import { DeliveryRecord, type DeliveryStatus } from './delivery.js'

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

function record(change: Partial<DeliveryRecord['state']> = {}) {
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

describe('DeliveryRecord', () => {
  it('does not change states taken before', () => {
    const delivery = record()
    const states = [delivery.state]
    delivery.beginAttempt({ cause: 'event', at, headers })
    states.push(delivery.state)
    delivery.endAttempt(0, { duration_ms: 5, answer: null, error: null })
    delivery.note({ gap: 'events.data', reading: 'flat', instead: ['nested'] }, 'certain')
    expect(states[0]).toMatchObject({ attempts: [], reliances: [] })
    expect(states[1]).toMatchObject({ attempts: [{ duration_ms: null }], reliances: [] })
    expect(delivery.state).toMatchObject({
      attempts: [{ duration_ms: 5 }],
      reliances: [{ gap: 'events.data' }],
    })
  })

  it('merges notes of a gap by reading', () => {
    const delivery = record()
    const note = (reading: string, ...instead: string[]) =>
      delivery.note({ gap: 'events.timeout', reading, instead }, 'certain')
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

describe('showDelivery', () => {
  it('masks keys and tokens everywhere', () => {
    const key = 'k3y-of-the-organization'
    const url = `http://agent.test/hook?token=url-token&k=${key}`
    const delivery = record({ url, body: `{"text": "${key}"}` })
    const sent = { authorization: 'Bearer s3cret-token', 'x-auth-token': 's3cret-token', 'x-other': key }
    const answer = {
      status: 200,
      headers: { 'set-cookie': 'sid=s3cret-token', 'x-echo': key },
      body: `{"token": "s3cret-token", "echo": "${key}"}`,
    }
    const error = { code: 'threw' as const, message: `The receiver threw Error: ${key}` }
    const place = delivery.beginAttempt({ cause: 'event', at, headers: sent })
    delivery.endAttempt(place, { duration_ms: 1, answer, error })
    delivery.update({ status: 'blocked', reason: `Not sent to ${key}.` })
    const shown = JSON.stringify(showDelivery(delivery.state, new Masker(() => [key])))
    for (const secret of [key, 's3cret-token', 'url-token']) expect(shown).not.toContain(secret)
  })
})

/** Returns a delivery, finished by default. */
function logged(id: string, status: DeliveryStatus = 'succeeded', body = '{}'): DeliveryRecord {
  const created = record({ id, body })
  created.update({ status })
  return created
}

describe('DeliveryLog', () => {
  it('drops the oldest finished deliveries but no unfinished one', () => {
    const log = new DeliveryLog()
    log.add(logged('first', 'pending'))
    log.add(logged('second'))
    const planned = logged('third')
    planned.update({ next_attempt_at: at })
    log.add(planned)
    for (let number = log.size; number < 100_000; number++) log.add(logged(`n${number}`))
    expect(log.size).toBe(100_000)
    log.add(logged('late'))
    log.add(logged('later'))
    expect(log.size).toBe(100_000)
    const gone = ['first', 'second', 'third', 'n3', 'n4', 'late', 'later'].filter((id) => !log.get(id))
    expect(gone).toEqual(['second', 'n3'])
  })

  it('drops the oldest finished deliveries if the bodies exceed the limit', () => {
    const log = new DeliveryLog()
    const body = 'x'.repeat(8 * 1024 * 1024)
    log.add(logged('pending', 'pending', body))
    for (const id of ['a', 'b', 'c', 'd']) log.add(logged(id, 'succeeded', body))
    expect(log.list().map(({ state }) => state.id)).toEqual(['pending', 'b', 'c', 'd'])
  })
})
