import { expect, it } from 'vitest'
import { mailComes, serve, subscribe, twoAgents, until } from './desk.js'
import { answering, hanging, hangingInBody, startReceiver } from './receiver.js'

it.each(['in-order', 'shuffled'] as const)(
  '%s: two slow receivers delay no other, nor whoever causes the events',
  async (order) => {
    const slow = await startReceiver({ '/hook': hanging })
    const slower = await startReceiver({ '/hook': hangingInBody })
    const quick = await Promise.all(
      Array.from({ length: 3 }, () => startReceiver({ '/hook': answering(200) })),
    )
    const { simulator, controlUrl } = await serve({
      scenario: twoAgents,
      clock: 'real',
      readings: { 'events.order': order, 'events.timeout': '30s' },
    })
    for (const { origin } of [slow, slower, ...quick]) subscribe(simulator, `${origin}/hook`)
    const count = 30
    for (let place = 0; place < count; place++) {
      const answer = await fetch(`${controlUrl}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to: 'support', from: 'ann@mail.example', text: `Mail ${place}` }),
      })
      expect(answer.status).toBe(201)
    }
    await until(() => quick.every(({ received }) => received.length === count))
    await until(() => simulator.deliveries.list({ status: 'succeeded' }).length === quick.length * count)
    await until(() => slow.received.length > 0 && slower.received.length > 0)
    const waiting = simulator.deliveries.list({ status: 'pending' })
    expect(waiting).toHaveLength(2 * count)
    // What a receiver has not been sent has not begun to take its time.
    const begun = waiting.filter(({ attempts }) => attempts.length > 0)
    expect(begun.every(({ attempts }) => attempts[0]?.duration_ms === null)).toBe(true)
    expect(begun.length).toBeLessThanOrEqual(20)
  },
)

it('the requests to one receiver share its connections', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const { simulator } = await serve()
  subscribe(simulator, `${receiver.origin}/hook`)
  for (let place = 0; place < 50; place++) await mailComes(simulator)
  await until(() => receiver.received.length === 50)
  expect(receiver.connections()).toBeLessThan(10)
})
