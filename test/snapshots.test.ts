import { describe, expect, it } from 'vitest'
import { createSimulator } from '../src/doors/simulator/create-simulator.js'
import { WorldError } from '../src/service/model/errors.js'
import { World } from '../src/service/world/world.js'
import type { ScenarioInput } from '../src/story/format/scenario.js'
import { loadScenario } from '../src/story/load.js'

/** Returns a scenario with about this number of generated messages. */
const mailbox = (messages: number): ScenarioInput => ({
  scenario: 'large',
  identities: [{ handle: 'agent', generate: { threads: Math.round(messages / 4), messages: [3, 5] } }],
})

it('a snapshot of a world of 4,000 messages contains only its ten changes', async () => {
  const initialState = await loadScenario(mailbox(4_000))
  const world = new World('world_1', initialState, 'frozen')
  const threads = world.store.threads(world.store.identityBy('handleAnywhere', 'agent')?.id ?? '')
  for (const thread_id of threads.page({ order: 'created', offset: 300, limit: 10 })) {
    world.apply({ type: 'set-thread-unread', thread_id, unread: true })
  }
  const snapshot = world.snapshot()
  expect(JSON.stringify(snapshot).length).toBeLessThan(10_000)
  expect(snapshot.rows.thread).toHaveLength(10)
  const restored = new World('world_2', initialState, 'frozen')
  restored.restore(snapshot)
  expect(restored.snapshot()).toEqual(snapshot)
})

describe('a snapshot', () => {
  const original: ScenarioInput = {
    scenario: 'shop',
    seed: 4,
    identities: [
      {
        handle: 'support',
        generate: { threads: 20 },
        threads: [{ key: 'order', messages: [{ text: 'Where is it?', attachments: [{ text: 'A list' }] }] }],
      },
    ],
    timeline: [{ after: '1h', receive: { thread: 'order', text: 'Any news?' } }],
  }
  const [support] = original.identities ?? []
  const [order] = support?.threads ?? []
  const [question] = order?.messages ?? []
  if (!support || !order || !question) throw new Error('There is somebody who asks.')
  const asking = (message: Partial<typeof question>): ScenarioInput => ({
    ...original,
    identities: [{ ...support, threads: [{ ...order, messages: [{ ...question, ...message }] }] }],
  })

  const taken = async () => (await createSimulator({ scenario: original })).snapshot()

  it.each<[string, ScenarioInput]>([
    ['as it was', original],
    ['described', { ...original, describe: 'Somebody asks for an order.' }],
    [
      'with something expected of the agent',
      { ...original, expect: [{ thread: 'order', has: { unread: false } }] },
    ],
    ['with other assumptions', { ...original, assume: { 'threads.total': 'page-size' } }],
    ['with the default words written out', { ...original, locale: 'en', start: '2026-01-05T09:00:00Z' }],
  ])('is restored over its scenario %s', async (_, scenario) => {
    const simulator = await createSimulator({ scenario })
    const snapshot = await taken()
    simulator.restore(snapshot)
    expect(simulator.snapshot()).toEqual(snapshot)
  })

  it.each<[string, ScenarioInput]>([
    ['another question', asking({ text: 'Where is it now?' })],
    ['another file', asking({ attachments: [{ text: 'B list' }] })],
    ['mail at another time', asking({ at: '-3h' })],
    ['more generated mail', { ...original, identities: [{ ...support, generate: { threads: 21 } }] }],
    [
      'other mail to come',
      { ...original, timeline: [{ after: '2h', receive: { thread: 'order', text: 'So?' } }] },
    ],
    ['another start', { ...original, start: '2026-01-06T09:00:00Z' }],
    ['another language', { ...original, locale: 'de' }],
    ['one more agent', { ...original, identities: [support, { handle: 'sales' }] }],
  ])('is refused by its scenario with %s', async (_, scenario) => {
    const simulator = await createSimulator({ scenario })
    const digest = simulator.digest()
    const snapshot = await taken()
    expect(() => simulator.restore(snapshot)).toThrow(WorldError)
    expect(() => simulator.restore(snapshot)).toThrow(/: (fingerprint|start): /)
    expect(simulator.digest()).toBe(digest)
  })

  it('is restored with a retry that no clock reaches', async () => {
    const webhooks = [{ url: 'http://hooks.example/in', events: ['message.received' as const] }]
    const simulator = await createSimulator({
      scenario: { scenario: 'late', identities: [{ handle: 'eva' }], webhooks },
      start: '9999-12-31T23:59:59Z',
      receiver: () => new Response(null, { status: 500 }),
    })
    await simulator.mail.receive({ to: 'eva', text: 'Happy new year!' })
    await simulator.clock.advance('0s')
    const next = simulator.deliveries.list().map(({ next_attempt_at }) => next_attempt_at)
    expect(next).toEqual(['9999-12-31T23:59:59.999Z'])
    const snapshot = simulator.snapshot()
    simulator.restore(snapshot)
    expect(simulator.snapshot()).toEqual(snapshot)
  })

  it('is restored over its scenario with any source of the seed', async () => {
    const snapshot = await taken()
    const { seed: _, ...unseeded } = original
    const simulator = await createSimulator({ scenario: unseeded, seed: 4 })
    simulator.restore(snapshot)
    expect(simulator.snapshot()).toEqual(snapshot)
    const other = await createSimulator({ scenario: original, seed: 5 })
    expect(() => other.restore(snapshot)).toThrow(/: seed: it was taken with 4, but this world has 5/)
  })
})
