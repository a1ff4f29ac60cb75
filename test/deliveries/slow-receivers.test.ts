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

it('a subscription that hangs leaves room for another at the same receiver', async () => {
  const receiver = await startReceiver({ '/slow': hanging, '/quick': answering(200) })
  const { simulator } = await serve({ clock: 'real', readings: { 'events.timeout': '30s' } })
  subscribe(simulator, `${receiver.origin}/slow`)
  subscribe(simulator, `${receiver.origin}/quick`)
  for (let place = 0; place < 20; place++) await mailComes(simulator)
  await until(() => receiver.received.filter(({ path }) => path === '/quick').length === 20)
  expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(1)
})

it('no more than ten requests are under way to one receiver at a time', async () => {
  const count = 35
  const underWay: (() => void)[] = []
  let most = 0
  const receiver = await startReceiver({
    '/hook': (response) => {
      underWay.push(() => void response.writeHead(200).end())
      most = Math.max(most, underWay.length)
    },
  })
  const { simulator } = await serve({ clock: 'real', readings: { 'events.timeout': '30s' } })
  for (let place = 0; place < count; place++) subscribe(simulator, `${receiver.origin}/hook`)
  await mailComes(simulator)
  for (let answered = 0; answered < count; answered += 5) {
    await until(() => receiver.received.length === Math.min(count, answered + 10))
    for (const answer of underWay.splice(0, 5)) answer()
  }
  await until(() => simulator.deliveries.list({ status: 'succeeded' }).length === count)
  expect(most).toBe(10)
})

it('the requests to one receiver share its connections', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const { simulator } = await serve()
  subscribe(simulator, `${receiver.origin}/hook`)
  for (let place = 0; place < 50; place++) await mailComes(simulator)
  await until(() => receiver.received.length === 50)
  expect(receiver.connections()).toBeLessThan(10)
})
