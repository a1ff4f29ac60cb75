import type { ReadingsInput } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { mailComes, playedToTheEnd, serve, subscribe, until, waitsOf } from './desk.js'
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
  it('depends only on the seed under exponential-5', async () => {
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

  it('ends with the first success and keeps the id of the event', async () => {
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
  it.each(['real', '20x'] as const)('makes retries by itself in mode %s', async (clock) => {
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
  it('follows the schedule without Retry-After under honoured', async () => {
    const asking = answering(503, { 'retry-after': '60' })
    const { simulator } = await tell(inTurn(failing, asking, failing, answering(200)), {
      'events.retries': 'svix',
      'events.retry-after': 'honoured',
    })
    expect(waitsOf(await playedToTheEnd(simulator))).toEqual([5 * seconds, 60 * seconds, 0.5 * hours])
  })
})
