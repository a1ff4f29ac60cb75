import { defineScenario } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { receiveMail, serve, subscribe, until } from './desk.js'
import { type Receiver, startReceiver } from './receiver.js'

const handles = Array.from({ length: 19 }, (_, place) => `agent-${place + 1}`)
const office = defineScenario({
  scenario: 'office',
  seed: 3,
  start: '2026-01-05T09:00:00Z',
  identities: handles.map((handle) => ({ handle })),
})

interface Told {
  readonly id: string
  readonly data: { readonly agent_handle: string; readonly message_id: string }
}

/** Starts a receiver that fails every twentieth request; returns the events in the order of their first requests. */
async function startUnsteady() {
  let requests = 0
  const receiver = await startReceiver({
    '/hook': (response) => void response.writeHead(++requests % 20 === 0 ? 503 : 200).end(),
  })
  return { receiver, told: () => firstOf(receiver) }
}

function firstOf({ received }: Receiver): Told[] {
  const all = received.map(({ body }) => JSON.parse(body) as Told)
  return [...new Map(all.toReversed().map((told) => [told.id, told])).values()].toReversed()
}

it('a thousand events reach twenty unreliable receivers in order without losses', async () => {
  const count = 1000
  const { simulator } = await serve({ scenario: office, assume: { 'events.order': 'in-order' } })
  const receivers = await Promise.all(
    [...handles, undefined].map(async (handle) => {
      const unsteady = await startUnsteady()
      subscribe(simulator, `${unsteady.receiver.origin}/hook`, handle)
      return { ...unsteady, handle }
    }),
  )
  for (let place = 0; place < count; place++) {
    await receiveMail(simulator, handles[(place * 7) % handles.length], `Mail ${place}`)
  }
  const happened = simulator.events
    .after(0)
    .flatMap(({ type, data }) => (type === 'event' ? [data as { id: string; agent_handle: string }] : []))
  expect(happened).toHaveLength(count)

  const arrived = () => receivers.reduce((sum, { receiver }) => sum + receiver.received.length, 0)
  await until(() => arrived() === 2 * count, 60_000)
  for (const { handle, told } of receivers) {
    const meant = happened.filter(({ agent_handle }) => handle === undefined || agent_handle === handle)
    expect(told().map(({ id }) => id)).toEqual(meant.map(({ id }) => id))
  }
  const failed = receivers.reduce((sum, { receiver }) => sum + Math.floor(receiver.received.length / 20), 0)
  expect(failed).toBeGreaterThan(80)

  await simulator.clock.advance('1h')
  await until(() => simulator.deliveries.list({ status: 'pending' }).length === 0)
  const deliveries = simulator.deliveries.list()
  expect(deliveries).toHaveLength(2 * count)
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']))
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  expect(attempts).toHaveLength(arrived())
  expect(attempts.length).toBeGreaterThanOrEqual(2 * count + failed)
}, 120_000)
