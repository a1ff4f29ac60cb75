import { yieldToEventLoop } from '../../../src/service/time/wall-time.js'
import { annsMail } from '../world/small-world.js'
import type { HookedOptions, hookedWorld, Seen } from './hooked-world.js'

type Story = ReturnType<typeof hookedWorld>

const never = () => new Promise<never>(() => undefined)

/** Waits for everything that takes no time. */
export async function followUp(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
}

/** A stage of a delivery when its world ends. */
export interface Stage {
  readonly options?: HookedOptions
  /** Brings the story to the stage; returns the requests of the receiver. */
  readonly come: (story: Story) => Promise<Seen[]> | Seen[]
  readonly seen: number
  /** The records of the deliveries when the world is closed. */
  readonly closed: readonly [string, ...unknown[]][]
}

/** Every stage by its description. */
export const stages: Record<string, Stage> = {
  'not sent yet': {
    come({ world, requests }) {
      world.apply(annsMail())
      return requests('agent')
    },
    seen: 0,
    closed: [['interrupted']],
  },
  'being signed': {
    options: { assumptions: { 'events.signature': 'timestamped-hmac' } },
    async come({ world, requests }) {
      const seen = requests('agent')
      world.apply(annsMail())
      // Signing takes turns of the event loop; this is before the first of them.
      await undefined
      await undefined
      return seen
    },
    seen: 0,
    closed: [['interrupted']],
  },
  'in flight, another behind it': {
    async come({ world, requests }) {
      const seen = requests('agent', never)
      for (const text of ['a', 'b']) world.apply(annsMail({ text }))
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 'interrupted'], ['interrupted']],
  },
  'in flight, others waiting for room': {
    options: { subscriptions: Array.from({ length: 12 }, () => ({ name: 'agent' })) },
    async come({ world, requests }) {
      const seen = requests('agent', never)
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 10,
    closed: [
      ...Array.from({ length: 10 }, (): [string, unknown] => ['interrupted', 'interrupted']),
      ['interrupted'],
      ['interrupted'],
    ],
  },
  'being answered': {
    async come({ world, requests }) {
      const seen = requests('agent', () => new Response(new ReadableStream({ pull: never })))
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 'interrupted']],
  },
  'waiting for a retry': {
    async come({ world, requests }) {
      const seen = requests('agent', () => 500)
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 500]],
  },
  'held back': {
    options: { assumptions: { 'events.order': 'shuffled' } },
    async come({ world, requests }) {
      const seen = requests('agent')
      for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
      return seen
    },
    seen: 0,
    closed: [['interrupted'], ['interrupted'], ['interrupted']],
  },
  'before a duplicate': {
    options: { assumptions: { 'events.duplicates': 'occasional-duplicate' } },
    async come({ world, requests }) {
      const seen = requests('agent')
      // On a clock that stands still, duplicates come at once.
      world.clock.setMode('real')
      for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
      await followUp()
      world.clock.setMode('frozen')
      return seen
    },
    seen: 3,
    closed: [
      ['succeeded', 200],
      ['succeeded', 200],
      ['succeeded', 200],
    ],
  },
  'in flight as a duplicate': {
    options: { assumptions: { 'events.duplicates': 'occasional-duplicate' } },
    async come({ world, requests }) {
      const seen = requests('agent', (_, n) => (n < 3 ? 200 : never()))
      for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
      await followUp()
      return seen
    },
    seen: 4,
    closed: [
      ['succeeded', 200, 'interrupted'],
      ['succeeded', 200],
      ['succeeded', 200],
    ],
  },
  'in flight once more': {
    async come({ world, requests }) {
      const seen = requests('agent', (_, n) => (n === 0 ? 200 : never()))
      world.apply(annsMail())
      await followUp()
      void world.deliveries.redeliver(world.deliveries.list()[0]?.id ?? '')
      await followUp()
      return seen
    },
    seen: 2,
    closed: [['succeeded', 200, 'interrupted']],
  },
}
