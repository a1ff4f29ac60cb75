import { describe, expect, it } from 'vitest'
import { DeliveryLog } from './deliveries.js'
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
  it('merges notes of a gap by assumption', () => {
    const delivery = record()
    const note = (assumption: string, ...instead: string[]) =>
      delivery.note({ gap: 'events.timeout', assumption, instead }, 'certain')
    note('10s', '5s')
    note('10s', '15s', '5s')
    const before = delivery.state
    note('10s', '15s')
    expect(delivery.state).toBe(before)
    note('5s', '10s')
    expect(delivery.state.reliances).toEqual([
      { gap: 'events.timeout', assumption: '10s', instead: ['5s', '15s'] },
      { gap: 'events.timeout', assumption: '5s', instead: ['10s'] },
    ])
  })
})

it('keeps what a receiver responded to the latest attempts of a delivery that is sent again and again', () => {
  const delivery = record()
  const body = 'x'.repeat(4096)
  for (let count = 0; count < 500; count++) {
    const place = delivery.beginAttempt({ cause: 'redelivery', at, headers: {} })
    delivery.endAttempt(place, { duration_ms: 1, answer: { status: 200, headers: {}, body }, error: null })
  }
  const { attempts } = delivery.state
  expect(attempts).toHaveLength(500)
  expect(attempts.filter(({ answer }) => answer?.status === 200)).toHaveLength(500)
  const whole = attempts.filter(({ answer }) => answer?.body === body)
  expect(whole).toHaveLength(16)
  expect(attempts.slice(-16)).toEqual(whole)
  expect(JSON.stringify(attempts).length).toBeLessThan(200_000)
})

/** Returns a delivery, finished by default. */
function logged(id: string, status: DeliveryStatus = 'succeeded', body = '{}'): DeliveryRecord {
  const created = record({ id, body })
  created.update({ status })
  return created
}

describe('DeliveryLog', () => {
  it('drops the oldest finished deliveries but no unfinished one', () => {
    const log = new DeliveryLog(undefined, { deliveries: 10, characters: 1000 })
    log.add(logged('first', 'pending'))
    log.add(logged('second'))
    const planned = logged('third')
    planned.update({ next_attempt_at: at })
    log.add(planned)
    for (let number = log.size; number < 10; number++) log.add(logged(`n${number}`))
    expect(log.size).toBe(10)
    log.add(logged('late'))
    log.add(logged('later'))
    expect(log.size).toBe(10)
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

  it('does not go through all unfinished deliveries for each one that it drops', () => {
    const log = new DeliveryLog(undefined, { deliveries: 1000, characters: 1_000_000 })
    let passed = 0
    class Pending extends DeliveryRecord {
      override get hasFinished(): boolean {
        passed++
        return false
      }
    }
    for (let number = 0; number < 1000; number++)
      log.add(new Pending({ ...record().state, id: `p${number}` }))
    for (let number = 0; number < 1000; number++) log.add(logged(`n${number}`))
    expect(log.get('n0')).toBeUndefined()
    expect(log.size).toBeLessThan(1200)
    expect(passed).toBeLessThan(30_000)
  })

  it('keeps the finished deliveries that the story may refer to', () => {
    const log = new DeliveryLog(({ id }) => id === 'a')
    const body = 'x'.repeat(8 * 1024 * 1024)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) log.add(logged(id, 'succeeded', body))
    expect(log.list().map(({ state }) => state.id)).toEqual(['a', 'd', 'e', 'f'])
  })
})
