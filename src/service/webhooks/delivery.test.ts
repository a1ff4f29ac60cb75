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
  return DeliveryRecord.begun({
    id: 'dlv_1',
    event,
    webhook_id: 'whk_1',
    url,
    body: '{"a":1}',
    ordinal: 0,
    ...change,
  })
}

it('keeps the latest fifty attempts of a delivery that is sent again and again', () => {
  const delivery = record()
  const result = { duration_ms: 1, answer: { status: 200, headers: {}, body: 'x' }, error: null }
  const attempt = (cause: 'event' | 'redelivery') => {
    delivery.beginAttempt({ cause, at, headers: {} })
    delivery.endAttempt(result)
  }
  attempt('event')
  for (let count = 0; count < 500; count++) attempt('redelivery')
  const { attempts } = delivery.state
  expect(attempts).toHaveLength(50)
  expect(attempts.map(({ number }) => number)).toEqual([1, ...Array.from({ length: 49 }, (_, n) => n + 453)])
  expect(delivery.tries).toBe(1)
})

/** Returns a delivery, finished by default. */
function logged(id: string, status: DeliveryStatus = 'succeeded'): DeliveryRecord {
  const created = record({ id })
  created.update({ status })
  return created
}

describe('DeliveryLog', () => {
  it('drops the oldest of more than ten thousand finished deliveries, but none that is unfinished or referred to', () => {
    const log = new DeliveryLog(({ id }) => id === 'referred')
    const [pending, again] = [logged('pending', 'pending'), logged('again')]
    const planned = logged('planned')
    planned.update({ next_attempt_at: at })
    for (const one of [pending, planned, logged('referred'), again]) log.add(one)
    again.addDue('redelivery')
    log.noteChange(again)
    for (let number = 0; number < 10_002; number++) log.add(logged(`n${number}`))
    const names = ['pending', 'planned', 'referred', 'again', 'n0', 'n1', 'n2', 'n10001']
    expect(names.filter((id) => !log.get(id))).toEqual(['n0', 'n1'])
    expect(log.size).toBe(10_004)
    again.endDue('redelivery')
    log.noteChange(again)
    expect([log.get('n2'), log.get('again')]).toEqual([undefined, again])
  })
})
