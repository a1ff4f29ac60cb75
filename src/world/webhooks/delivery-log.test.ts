import { describe, expect, it } from 'vitest'
import type { EventType } from '../../contract/events.js'
import type { DeliveryStatus } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRecord } from './delivery-record.js'

/** A delivery of an event, over or not. */
function record(
  id: string,
  {
    type = 'message.received',
    status = 'succeeded',
    webhook = 'whk_1',
    url = 'http://a.test/',
  }: {
    type?: EventType
    status?: DeliveryStatus
    webhook?: string
    url?: string
  } = {},
): DeliveryRecord {
  const event = { id: `evt_${id}`, type, at: 0, agentHandle: 'a', messageId: 'msg_1', threadId: 'thrd_1' }
  const created = new DeliveryRecord(id, event, { id: webhook, url }, { body: '{}', ordinal: 0 })
  created.put({ status })
  return created
}

describe('the log of deliveries', () => {
  it('lists those that are meant, in the order in which they came', () => {
    const log = new DeliveryLog()
    log.add(record('dlv_b'))
    log.add(record('dlv_a', { type: 'message.bounced', status: 'failed' }))
    log.add(record('dlv_c', { webhook: 'whk_2', url: 'http://b.test/' }))
    log.add(record('dlv_d', { type: 'message.bounced', webhook: 'whk_2' }))
    const ids = (filter?: Parameters<DeliveryLog['list']>[0]) => log.list(filter).map(({ id }) => id)
    expect(ids()).toEqual(['dlv_b', 'dlv_a', 'dlv_c', 'dlv_d'])
    expect(ids({})).toEqual(ids())
    expect(ids({ event: undefined, status: undefined })).toEqual(ids())
    expect(ids({ event: 'message.bounced' })).toEqual(['dlv_a', 'dlv_d'])
    expect(ids({ status: 'failed' })).toEqual(['dlv_a'])
    expect(ids({ webhook: 'whk_2' })).toEqual(['dlv_c', 'dlv_d'])
    expect(ids({ url: 'http://b.test/' })).toEqual(['dlv_c'])
    expect(ids({ event: 'message.bounced', webhook: 'whk_2' })).toEqual(['dlv_d'])
    expect(ids({ event: 'message.delivered' })).toEqual([])
    expect(log.get('dlv_a')?.event.id).toBe('evt_dlv_a')
    expect(log.get('dlv_z')).toBeUndefined()
  })

  it('forgets the oldest of many that are over, and none that is not', () => {
    const log = new DeliveryLog()
    log.add(record('first', { status: 'pending' }))
    log.add(record('second'))
    const planned = record('third')
    planned.put({ nextAttemptAt: 1 })
    log.add(planned)
    for (let number = log.size; number < 100_000; number++) log.add(record(`n${number}`))
    expect(log.size).toBe(100_000)
    log.add(record('late'))
    log.add(record('later'))
    expect(log.size).toBe(100_000)
    const gone = ['first', 'second', 'third', 'n3', 'n4', 'late', 'later'].filter((id) => !log.get(id))
    expect(gone).toEqual(['second', 'n3'])
  })
})
