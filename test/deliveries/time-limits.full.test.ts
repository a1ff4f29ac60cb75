import type { Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { mailComes, serve, subscribe, until } from './desk.js'
import { type Behaviour, hanging, hangingInBody, type Receiver, startReceiver } from './receiver.js'

const limits = { '5s': 5000, '10s': 10_000, '15s': 15_000, '30s': 30_000 } as const
type Limit = keyof typeof limits

const waits = { 'events.retries': 'svix' } as const

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

describe('events.timeout on a frozen clock', () => {
  it('ends an attempt at its limit and closes the connection', async () => {
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
})
