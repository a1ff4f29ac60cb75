import type { ReadingsInput } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { mailComes, playedToTheEnd, restingDelivery, serve, subscribe, until, waitsOf } from './desk.js'
import { answering, type Behaviour, startReceiver } from './receiver.js'

const seconds = 1000
const hours = 3_600_000

/** Behaves one way after another at each request, the last for good. */
function inTurn(...behaviours: [Behaviour, ...Behaviour[]]): Behaviour {
  let turn = 0
  return (response, received) => {
    const behaviour = behaviours[Math.min(turn++, behaviours.length - 1)] as Behaviour
    behaviour(response, received)
  }
}

/** A mail that a receiver is told of, on a clock that stands still. */
async function tell(behaviour: Behaviour, readings: ReadingsInput = {}) {
  const receiver = await startReceiver({ '/hook': behaviour })
  const { simulator } = await serve({ readings })
  subscribe(simulator, `${receiver.origin}/hook`)
  await mailComes(simulator)
  return { simulator, receiver }
}

const failing = answering(500)

describe('events.retries', () => {
  it('exponential-5: five times, each wait four times the one before and up to a tenth longer', async () => {
    const { simulator, receiver } = await tell(failing, { 'events.retries': 'exponential-5' })
    const delivery = await playedToTheEnd(simulator)
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Given up after 6 attempts.' })
    expect(delivery.attempts.map(({ cause }) => cause)).toEqual(['event', ...Array(5).fill('retry')])
    const waits = waitsOf(delivery)
    for (const [index, wait] of waits.entries()) {
      expect(wait / (10 * seconds * 4 ** index)).toBeGreaterThanOrEqual(1)
      expect(wait / (10 * seconds * 4 ** index)).toBeLessThanOrEqual(1.1)
    }
    expect(new Set(waits.map((wait, index) => wait / 4 ** index)).size).toBe(5)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  it('exponential-5: the seed alone decides by how much', async () => {
    const waits = async (seed?: number) => {
      const receiver = await startReceiver({ '/hook': failing })
      const { simulator } = await serve({ seed })
      subscribe(simulator, `${receiver.origin}/hook`)
      await mailComes(simulator)
      return waitsOf(await playedToTheEnd(simulator))
    }
    expect(await waits()).toEqual(await waits())
    expect(await waits()).not.toEqual(await waits(12))
  })

  it('none: never', async () => {
    const { simulator } = await tell(failing, { 'events.retries': 'none' })
    const delivery = await restingDelivery(simulator)
    expect(delivery).toMatchObject({
      status: 'failed',
      reason: 'Given up after 1 attempt.',
      next_attempt_at: null,
    })
  })

  it('svix: seven times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', async () => {
    const { simulator, receiver } = await tell(failing, { 'events.retries': 'svix' })
    const delivery = await playedToTheEnd(simulator)
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Given up after 8 attempts.' })
    expect(waitsOf(delivery)).toEqual([
      5 * seconds,
      300 * seconds,
      0.5 * hours,
      2 * hours,
      5 * hours,
      10 * hours,
      10 * hours,
    ])
    expect(receiver.received).toHaveLength(8)
  })

  it('ends with the first success, under the id the event had from the beginning', async () => {
    const { simulator, receiver } = await tell(inTurn(failing, failing, answering(200)))
    const delivery = await playedToTheEnd(simulator)
    expect(delivery).toMatchObject({ status: 'succeeded', reason: null })
    expect(delivery.attempts.map(({ response }) => response?.status)).toEqual([500, 500, 200])
    expect(receiver.received.map(({ body }) => JSON.parse(body).id)).toEqual(Array(3).fill(delivery.event.id))
    await simulator.clock.advance('100h')
    expect(receiver.received).toHaveLength(3)
  })
})

describe('the clock of a schedule', () => {
  it('frozen: a retry comes when the clock gets there, and no millisecond earlier', async () => {
    const { simulator } = await tell(failing, { 'events.retries': 'svix' })
    const { next_attempt_at } = await restingDelivery(simulator)
    expect(next_attempt_at).toBe('2026-01-05T09:00:05.000Z')
    await simulator.clock.advance(4999)
    expect((await restingDelivery(simulator)).attempts).toHaveLength(1)
    await simulator.clock.advance(1)
    const { attempts } = await restingDelivery(simulator)
    expect(attempts.map(({ at }) => at)).toEqual(['2026-01-05T09:00:00.000Z', next_attempt_at])
  })

  it('frozen: one advance plays a whole schedule in order', async () => {
    const { simulator } = await tell(failing, { 'events.retries': 'svix' })
    await simulator.clock.advance('48h')
    const delivery = await restingDelivery(simulator)
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Given up after 8 attempts.' })
    expect(waitsOf(delivery).every((wait) => wait > 0)).toBe(true)
    expect(simulator.clock.now()).toBe('2026-01-07T09:00:00.000Z')
  })

  it.each(['real', '20x'] as const)('%s: a retry comes by itself', async (clock) => {
    const asking = answering(503, { 'retry-after': '1' })
    const receiver = await startReceiver({ '/hook': inTurn(asking, answering(200)) })
    const { simulator } = await serve({ clock, readings: { 'events.retry-after': 'honoured' } })
    subscribe(simulator, `${receiver.origin}/hook`)
    await mailComes(simulator)
    const delivery = await until(() => simulator.deliveries.list({ status: 'succeeded' })[0])
    expect(delivery.attempts).toHaveLength(2)
    expect(waitsOf(delivery)[0]).toBeGreaterThanOrEqual(1000)
  })
})

describe('events.retry-after', () => {
  const inTwoMinutes = 'Mon, 05 Jan 2026 09:02:00 GMT'

  it.each([
    [503, '120', 120 * seconds],
    [429, '120', 120 * seconds],
    [500, '0', 0],
    [503, inTwoMinutes, 120 * seconds],
    [503, 'Sun, 04 Jan 2026 09:00:00 GMT', 0],
    [503, 'soon', 5 * seconds],
    [503, '99999999999', 168 * hours],
  ])('honoured: %i with %s has the next attempt come after that', async (status, asked, wait) => {
    const { simulator } = await tell(inTurn(answering(status, { 'retry-after': asked }), answering(200)), {
      'events.retries': 'svix',
      'events.retry-after': 'honoured',
    })
    expect(waitsOf(await playedToTheEnd(simulator))).toEqual([wait])
  })

  it('honoured: what a receiver does not ask for comes as the schedule has it', async () => {
    const asking = answering(503, { 'retry-after': '60' })
    const { simulator } = await tell(inTurn(failing, asking, failing, answering(200)), {
      'events.retries': 'svix',
      'events.retry-after': 'honoured',
    })
    expect(waitsOf(await playedToTheEnd(simulator))).toEqual([5 * seconds, 60 * seconds, 0.5 * hours])
  })

  it('ignored: the next attempt comes as the schedule has it', async () => {
    const asking = answering(503, { 'retry-after': '120' })
    const readings = { 'events.retries': 'svix', 'events.retry-after': 'ignored' } as const
    const { simulator } = await tell(inTurn(asking, answering(200)), readings)
    expect(waitsOf(await playedToTheEnd(simulator))).toEqual([5 * seconds])
  })

  it('honoured: asks for no attempt that the schedule does not have', async () => {
    const readings = { 'events.retries': 'none', 'events.retry-after': 'honoured' } as const
    const { simulator } = await tell(answering(503, { 'retry-after': '1' }), readings)
    expect(await restingDelivery(simulator)).toMatchObject({ status: 'failed', next_attempt_at: null })
  })
})

describe('events.gone', () => {
  it('final: 410 ends a delivery, and the next event is delivered all the same', async () => {
    const { simulator, receiver } = await tell(answering(410), { 'events.gone': 'final' })
    expect(await playedToTheEnd(simulator)).toMatchObject({ status: 'failed', attempts: [{ number: 1 }] })
    await mailComes(simulator)
    await until(() => receiver.received.length === 2)
  })

  it('retried: 410 is a failure like any other', async () => {
    const { simulator } = await tell(answering(410), { 'events.gone': 'retried', 'events.retries': 'svix' })
    expect((await playedToTheEnd(simulator)).attempts).toHaveLength(8)
  })
})

describe('events.success', () => {
  it.each([
    ['2xx', 200, 'succeeded'],
    ['2xx', 204, 'succeeded'],
    ['2xx', 299, 'succeeded'],
    ['2xx', 302, 'failed'],
    ['200-only', 200, 'succeeded'],
    ['200-only', 204, 'failed'],
    ['200-only', 302, 'failed'],
  ] as const)('%s: %i has %s', async (reading, answered, status) => {
    const readings = { 'events.success': reading, 'events.retries': 'none' } as const
    const { simulator } = await tell(answering(answered, { location: '/elsewhere' }), readings)
    expect(await restingDelivery(simulator)).toMatchObject({
      status,
      attempts: [{ response: { status: answered } }],
    })
  })
})
