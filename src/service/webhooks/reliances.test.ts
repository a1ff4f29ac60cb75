import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import { hookOf, receiving, sent, subscribe } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail, smallBeginning, smallWorld, start } from '../../../test/support/world/small-world.js'
import {
  type Assumptions,
  assumptionsOf,
  defaultAssumptions,
  type GapId,
  gapIds,
} from '../../contract/gaps.js'
import type { ClockMode } from '../time/time.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import { World } from '../world/world.js'
import type { Delivery } from './delivery.js'

const day = 86_400_000

useFakeTimers({ now: start, toFake: wallTime })

/** How the receivers of a story answer the first attempts of a delivery: status, Retry-After, and wall time. */
type Answers = readonly (readonly [status: number, asks?: string, after?: number])[]

interface Story {
  readonly answers: Answers
  readonly assumptions: Partial<Assumptions>
  /** How many turns of the event loop the receivers take, one request after another. */
  readonly turns?: readonly number[]
  /** The id of a delivery differs between assumptions that duplicate or order deliveries in another way. */
  readonly redeliver?: boolean
}

const subscriptions = [
  { name: 'all', token: 's3cret-token' },
  { name: 'support', scope: 'support', events: ['message.received', 'message.bounced'] },
  { name: 'sales', scope: 'sales' },
] as const

/** Plays mail of every kind with deliveries to three receivers, and 30 days more. */
async function play(world: World, story: Story): Promise<World> {
  const { answers, assumptions, turns = [0], redeliver = false } = story
  const pass = (milliseconds: number): Promise<unknown> =>
    world.clock.mode === 'frozen'
      ? world.clock.advance(milliseconds)
      : vi.advanceTimersByTimeAsync(milliseconds).then(yieldToEventLoop)
  vi.setSystemTime(start)
  world.reset()
  subscribe(world, subscriptions)
  world.setAssumptions(assumptions)
  let asked = 0
  for (const { name } of subscriptions) {
    const attempts = new Map<string, number>()
    receiving(world, name, async (_request, _n, body) => {
      // Identifies the event in any format of the body.
      const event = (body.match(/message\.\w+|msg_\w+|r\d@\w+/g) ?? []).toSorted().join()
      const attempt = attempts.get(event) ?? 0
      attempts.set(event, attempt + 1)
      for (let left = turns[asked++ % turns.length] ?? 0; left > 0; left--) await yieldToEventLoop()
      const [status, asks, after = 0] = answers[(attempt + event.length) % answers.length] ?? [200]
      if (after > 0) await new Promise((resolve) => setTimeout(resolve, after))
      return new Response(null, { status, headers: asks === undefined ? {} : { 'retry-after': asks } })
    })
  }
  world.apply(annsMail({ text: 'Mail', html: '<p>Mail</p>' }))
  world.apply(annsMail({ attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }] }))
  await pass(300)
  world.apply(annsMail({ identity_id: 'ident_sales', text: 'Mail' }))
  world.apply(sent)
  await pass(20_000)
  world.apply({ type: 'deliver-message', message_id: 'msg_second', recipient: 'r1@shop.example' })
  world.apply({ type: 'bounce-message', message_id: 'msg_second' })
  if (redeliver) void world.deliveries.redeliver(world.deliveries.list({ url: hookOf('all') })[0]?.id ?? '')
  await pass(30 * day)
  return world
}

/** Everything visible of each delivery in the course of a story, and for `events.order`, the order of first attempts. */
function shownOf(world: World): (gap: GapId) => string {
  const all = new Map<string, string[]>()
  const order = new Map<string, Set<string>>()
  for (const { type, data } of world.events(0)) {
    if (type !== 'delivery') continue
    const { id: _, reliances: __, ...delivery } = data as Delivery
    const { event, webhook_id, attempts } = delivery
    const key = `${event.id} ${webhook_id}`
    all.set(key, [...(all.get(key) ?? []), JSON.stringify(delivery)])
    if (attempts.at(-1)?.cause === 'event')
      order.set(webhook_id, (order.get(webhook_id) ?? new Set()).add(event.id))
  }
  const orders = [...order].map(([id, events]) => [id, ...events])
  // The delay of a first attempt does not matter as long as it overtakes no other.
  return (gap) => JSON.stringify((gap === 'events.order' ? orders : [...all]).toSorted())
}

/** The assumptions of a gap that would have given another result, as deliveries and events note them. */
function noted(world: World): (gap: GapId) => string[] {
  const all = [...world.dispatcher.relied()].flatMap(({ reliances }) => reliances)
  return (of) => [...new Set(all.flatMap(({ gap, instead }) => (gap === of ? instead : [])))].toSorted()
}

const shown = [
  'format.timestamps',
  'messages.outbound-direction',
  'messages.headers',
  'messages.empty-body',
  'messages.attachment-entry',
  'messages.attachment-url',
  'messages.authentication',
] as const
const gaps: readonly GapId[] = [...gapIds.filter((gap) => gap.startsWith('events.')), ...shown]
const failing: Answers = [[500, '120'], [410], [204], [200], [500, 'Mon, 05 Jan 2026 10:00:00 GMT']]
const slow: Answers = [
  [200, '', 7000],
  [500, '120', 3000],
  [200, '', 12_000],
  [200, '', 20_000],
]
const different = {
  'events.bounced-sender': 'organization',
  'events.signature': 'timestamped-hmac',
  'events.retries': 'svix',
  'events.retry-after': 'honoured',
  'events.duplicates': 'occasional-duplicate',
  'events.order': 'shuffled',
} as const

describe('the reliances of deliveries', () => {
  it.each<[string, ClockMode, Story]>([
    ['by default', 'frozen', { answers: failing, assumptions: {} }],
    [
      'under other assumptions, with a redelivery',
      'frozen',
      { answers: failing, assumptions: different, redeliver: true },
    ],
    [
      'for slow receivers on a running clock',
      'real',
      { answers: slow, assumptions: { 'events.order': 'shuffled' } },
    ],
  ])('are the assumptions that change them: %s', async (_, clock, story) => {
    const world = smallWorld(clock)
    const seen = await play(world, story).then((played) => ({ here: shownOf(played), all: noted(played) }))
    const inForce = { ...defaultAssumptions, ...story.assumptions }
    for (const gap of gaps) {
      // A redelivery makes any order possible; signing takes turns, during which the time of this test would go on.
      if (gap === (story.redeliver ? 'events.order' : clock === 'real' && 'events.signature')) continue
      const instead: string[] = []
      for (const { name } of assumptionsOf(gap)) {
        if (name === inForce[gap]) continue
        const there = shownOf(
          await play(world, { ...story, assumptions: { ...story.assumptions, [gap]: name } }),
        )
        if (there(gap) !== seen.here(gap)) instead.push(name)
      }
      expect({ [gap]: seen.all(gap) }).toEqual({ [gap]: instead.toSorted() })
    }
    world.close()
  })
})

it('deliveries depend on the seed, not on how long receivers take or on another world with the same receivers', async () => {
  const records = async (turns: readonly number[], seed = 7): Promise<string> => {
    const world = new World('world_1', smallBeginning({ seed }), 'frozen')
    await play(world, { answers: failing, assumptions: different, turns, redeliver: true })
    const text = JSON.stringify([world.deliveries.list(), world.reliances()])
    return text.replace(/"duration_ms":\d+/g, '').replace(/(evt|msg|dlv|whk)_\w+/g, 'id')
  }
  const alone = await records([0])
  expect(await Promise.all([records([3]), records([2, 0, 5])])).toEqual([alone, alone])
  expect(await records([0], 8)).not.toBe(alone)
})
