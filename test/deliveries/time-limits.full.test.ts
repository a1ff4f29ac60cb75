import type { Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { mailComes, serve, subscribe, until, waitsOf } from './desk.js'
import { type Behaviour, hanging, hangingInBody, type Receiver, startReceiver } from './receiver.js'

const limits = { '5s': 5000, '10s': 10_000, '15s': 15_000, '30s': 30_000 } as const
type Limit = keyof typeof limits

const waits = { 'events.retries': 'svix' } as const
const svix = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000)

/** A mail that has reached receivers, one for each path, none of which has answered yet. */
async function underWay(
  behaviours: Readonly<Record<string, Behaviour>>,
  limit: Limit,
): Promise<{ simulator: Simulator; receiver: Receiver }> {
  const receiver = await startReceiver(behaviours)
  const { simulator } = await serve({ readings: { ...waits, 'events.timeout': limit } })
  const paths = Object.keys(behaviours)
  for (const path of paths) subscribe(simulator, receiver.origin + path)
  await mailComes(simulator)
  await until(() => receiver.received.length === paths.length)
  return { simulator, receiver }
}

describe('events.timeout, on a frozen clock', () => {
  it('ends an attempt at its limit, wherever the receiver hangs, and hangs up', async () => {
    const behaviours = { '/hook': hanging, '/body': hangingInBody }
    // All at once, since an advance waits a while for each receiver that hangs.
    await Promise.all(
      (Object.keys(limits) as Limit[]).map(async (reading) => {
        const limit = limits[reading]
        const { simulator, receiver } = await underWay(behaviours, reading)
        const start = Date.parse(simulator.clock.now())
        for (const { status, attempts } of simulator.deliveries.list()) {
          expect({ status, attempts }).toMatchObject({ status: 'pending', attempts: [{ duration_ms: null }] })
        }
        await simulator.clock.advance(limit)
        const deliveries = simulator.deliveries.list()
        expect(deliveries).toHaveLength(2)
        const message = `The receiver timed out after ${limit / 1000} s.`
        for (const { attempts, next_attempt_at } of deliveries) {
          expect(attempts).toMatchObject([
            { duration_ms: limit, response: null, error: { code: 'timeout', message } },
          ])
          // What passed on the wall meanwhile counts as well, so on a slow machine it may have come sooner.
          const failed = Date.parse(next_attempt_at ?? '') - 5000 - start
          expect(failed).toBeGreaterThan(0)
          expect(failed).toBeLessThanOrEqual(limit)
        }
        await until(() => receiver.open() === 0)
      }),
    )
  })

  it('plays the whole schedule of a receiver that never answers in one advance', async () => {
    const { simulator } = await underWay({ '/hook': hanging }, '10s')
    await simulator.clock.advance('48h')
    const [delivery] = simulator.deliveries.list()
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Given up after 8 attempts.' })
    expect(delivery && waitsOf(delivery)).toEqual(svix.map((wait) => limits['10s'] + wait))
  })
})

describe('a slow answer', () => {
  it('counts within the limit, and relies on there being no shorter one', async () => {
    let answer = (): void => undefined
    const slow: Behaviour = (response) => {
      answer = () => void response.writeHead(200).end()
    }
    const { simulator } = await underWay({ '/hook': slow }, '30s')
    await simulator.clock.advance('7s')
    answer()
    const delivery = await until(() => simulator.deliveries.list({ status: 'succeeded' })[0])
    expect(delivery.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(7000)
    const reliance = delivery.reliances.find(({ gap }) => gap === 'events.timeout')
    expect(reliance).toMatchObject({ reading: '30s', instead: expect.arrayContaining(['5s']) })
  })

  it('comes too late after the limit, and changes nothing any more', async () => {
    let answer = (): boolean => false
    const slow: Behaviour = (response) => {
      answer = () => {
        response.writeHead(200).end()
        return response.destroyed
      }
    }
    const { simulator, receiver } = await underWay({ '/hook': slow }, '5s')
    await simulator.clock.advance('5s')
    await until(() => receiver.open() === 0)
    answer()
    expect(simulator.deliveries.list()).toMatchObject([
      { status: 'pending', attempts: [{ response: null, error: { code: 'timeout' } }] },
    ])
  })
})

it('on a fast clock, time-outs and retries come by themselves', async () => {
  const receiver = await startReceiver({ '/hook': hanging })
  const { simulator } = await serve({ clock: '50x', readings: { ...waits, 'events.timeout': '5s' } })
  subscribe(simulator, `${receiver.origin}/hook`)
  await mailComes(simulator)
  const delivery = await until(() => simulator.deliveries.list().find(({ attempts }) => attempts[1]?.error))
  expect(delivery.attempts).toMatchObject([
    { duration_ms: 5000, error: { code: 'timeout' } },
    { duration_ms: 5000, error: { code: 'timeout' } },
  ])
  expect(waitsOf(delivery)[0]).toBeGreaterThanOrEqual(10_000)
})
