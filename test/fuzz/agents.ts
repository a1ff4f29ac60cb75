import type { ScenarioInput } from '../../src/story/format/scenario.js'
import {
  Desk,
  hook,
  listen,
  listenOnce,
  type PlantedBug,
  type Scene,
  type SeenMessage,
  type SeenThread,
} from './desk.js'
import type { ClientFunction } from './function-client.js'
import { sendingBugs, sendingDesk } from './sending-agents.js'

const parcel = { request: 'messages.list', where: { query: { thread_id: { thread: 'parcel' } } } } as const

function scenarioOf(scene: Scene): ScenarioInput {
  if (scene === 'sending') return sendingDesk
  const count = scene === 'desk' ? 23 : 4
  return {
    scenario: scene,
    seed: 7,
    identities: [
      {
        handle: 'support',
        threads: [
          {
            key: 'refund',
            messages: [{ from: 'Ann <ann@example.com>', at: '-3h', text: 'Where is my refund?' }],
          },
          {
            key: 'parcel',
            messages: [{ from: 'Bo <bo@example.com>', at: '-100d', text: 'Where is my parcel?' }],
          },
        ],
        generate: { threads: count, messages: 1, over: '10d', kinds: ['support'] },
      },
      { handle: 'sales', generate: { threads: 3, messages: 1 } },
    ],
    ...(scene === 'events' && {
      webhooks: [{ url: hook, events: ['message.received'] }],
      timeline: [
        { after: '10s', receive: { to: 'support', thread: 'refund', text: 'Any news?' } },
        { after: '20s', receive: { to: 'support', thread: 'parcel', text: 'And here?' } },
      ],
    }),
    expect: scene === 'events' ? [] : [{ ...parcel, at_least: 1 }],
  }
}

/** Reads everything and passes each inbound message to a callback. */
async function readAll(desk: Desk, look: (message: SeenMessage) => void): Promise<void> {
  const threads = await desk.all()
  for (const message of await desk.read(threads.keys())) if (message.direction === 'inbound') look(message)
  await desk.describe('All read.')
}

const isForeign = ({ text }: SeenMessage): boolean => /[\u3000-\uffff]/u.test(text ?? '')

/** Reads everything and crashes at certain messages. */
const crash = (name: string, elements: 1 | 2, isOdd: (message: SeenMessage) => boolean): PlantedBug => ({
  name,
  scene: 'small',
  elements,
  act: (desk, isCareful) =>
    readAll(desk, (message) => {
      if (!isCareful && isOdd(message)) raise(name)
    }),
})

/** Finds the threads of a mailbox, and reads them. */
const assumption = (
  name: string,
  scene: Scene,
  elements: 1 | 2,
  find: (desk: Desk, seen: Map<string, SeenThread>) => Promise<unknown>,
): PlantedBug => ({
  name,
  scene,
  elements,
  async act(desk, isCareful) {
    const seen = isCareful ? await desk.all() : new Map<string, SeenThread>()
    if (!isCareful) await find(desk, seen)
    await desk.read(seen.keys())
  },
})

/** Reads pages until it has as many threads as their total, or a page is the last one. */
const paging = (
  name: string,
  scene: Scene,
  elements: 1 | 2,
  isLast: (page: Awaited<ReturnType<Desk['page']>>) => boolean,
): PlantedBug => {
  return assumption(name, scene, elements, async (desk, seen) => {
    for (let offset = 0; ; offset += 10) {
      const page = await desk.page(offset)
      for (const thread of page.threads) seen.set(thread.id, thread)
      if (seen.size >= page.total || isLast(page)) break
    }
  })
}

const assumptionBugs: readonly PlantedBug[] = [
  paging('stops-at-total', 'desk', 1, ({ threads }) => threads.length === 0),
  assumption('loses-moved-thread', 'desk', 1, (desk, seen) => desk.pass(seen)),
  {
    name: 'never-backs-off',
    scene: 'desk',
    elements: 1,
    asking: { attempts: Number.POSITIVE_INFINITY, obeys: true },
    act: (desk) => readAll(desk, () => undefined),
  },
  {
    name: 'ignores-retry-after',
    scene: 'small',
    elements: 1,
    asking: { attempts: 5, obeys: false },
    act: (desk) => readAll(desk, () => undefined),
  },
  {
    name: 'takes-failure-for-empty',
    scene: 'small',
    elements: 1,
    async act(desk, isCareful) {
      const first = await desk.page(0).catch((error: unknown) => {
        if (isCareful) throw error
        return { threads: [] }
      })
      await desk.read((await desk.all()).keys())
      await desk.describe(first.threads.length === 0 ? 'Nothing to do.' : 'Busy.')
    },
    asking: { attempts: 1, obeys: true },
  },
  crash('crashes-on-empty-body', 1, ({ text, html }) => (text || (html ?? '')).trim() === ''),
  crash('crashes-on-html-only', 1, ({ text, html }) => !text && html?.startsWith('<p>Is there') === true),
  crash('crashes-on-huge-mail', 1, ({ text }) => (text?.length ?? 0) > 20_000),
  crash('crashes-on-odd-characters', 1, isForeign),
  assumption('waits-for-all-of-total', 'small', 1, async (desk, seen) => {
    for (let total = 1; seen.size < total; ) {
      await desk.pass(seen)
      total = (await desk.page(0)).total
    }
  }),
  assumption('leaves-out-the-last-page', 'small', 1, async (desk, seen) => {
    const { total } = await desk.page(0)
    for (let page = 0; page < Math.max(1, Math.floor(total / 10)); page++)
      for (const thread of (await desk.page(page * 10)).threads) seen.set(thread.id, thread)
  }),
  assumption('stops-at-a-known-thread', 'desk', 1, async (desk, seen) => {
    for (let offset = 0; ; offset += 10) {
      const { threads } = await desk.page(offset)
      if (threads.some(({ id }) => seen.has(id))) break
      for (const thread of threads) seen.set(thread.id, thread)
      if (threads.length < 10) break
    }
  }),
  {
    name: 'handles-an-event-twice',
    scene: 'events',
    elements: 1,
    act: (desk, isCareful) => {
      return listenOnce(desk, isCareful, async ({ data }) => {
        await desk.describe(`Answering ${data.thread_id}`)
      })
    },
  },
  crash('crashes-on-null-body', 2, ({ text }) => text === null),
  {
    name: 'forgets-events-after-a-failure',
    scene: 'events',
    elements: 2,
    async act(desk, isCareful) {
      let handled = new Set<string>()
      let failures = 0
      await listen(desk, async ({ id, data }) => {
        if (!isCareful && desk.failures > failures) handled = new Set()
        failures = desk.failures
        if (handled.has(id)) return
        handled.add(id)
        await desk.describe(`Answering ${data.thread_id}`)
      })
    },
  },
  {
    name: 'drops-the-rest-after-a-retry',
    scene: 'desk',
    elements: 2,
    async act(desk, isCareful) {
      const seen = new Map<string, unknown>()
      let again = true
      while (again) {
        again = false
        for (let offset = 0; ; offset += 10) {
          const { threads } = await desk.page(offset)
          const known = threads.filter(({ id }) => seen.has(id)).length
          again ||= known < threads.length
          for (const thread of threads) seen.set(thread.id, thread)
          // After a failure, mistakes the known threads for the requested page.
          if (!isCareful && desk.failures > 0 && known === 1) return
          if (threads.length < 10) break
        }
      }
      await desk.read(seen.keys())
    },
  },
  {
    name: 'compares-times-as-text',
    scene: 'small',
    elements: 2,
    async act(desk, isCareful) {
      for (const id of (await desk.all()).keys()) {
        const [one, other] = await desk.messages(id)
        const isMillis = one === undefined || /\.\d{3}Z$/.test(one.created_at)
        if (!isCareful && other && !isMillis) raise('unexpected date format')
      }
    },
  },
  paging('stops-at-total-of-many', 'small', 2, ({ threads }) => threads.length < 10),
  crash('reads-headers-of-odd-mail', 2, (message) => isForeign(message) && message.headers !== undefined),
  {
    name: 'knows-events-by-message-count',
    scene: 'events',
    elements: 2,
    async act(desk, isCareful) {
      const handled = new Set<string>()
      await listen(desk, async ({ id, data }) => {
        const { threads } = await desk.page(0)
        const thread = threads.find((one) => one.id === data.thread_id)
        const key = isCareful ? id : `${data.thread_id} ${thread?.message_count}`
        if (handled.has(key)) return
        handled.add(key)
        await desk.describe(`Answering ${data.thread_id}`)
      })
    },
  },
  {
    name: 'takes-the-oldest-for-the-newest',
    scene: 'small',
    elements: 2,
    async act(desk, isCareful) {
      for (const id of (await desk.all()).keys()) {
        const messages = await desk.messages(id)
        const [first] = messages
        const newest = messages.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0]
        if (!isCareful && first?.created_at !== newest?.created_at) raise('answered an old message')
      }
    },
  },
]

function raise(message: string): never {
  throw new Error(message)
}

/** All agents with a planted bug. */
export const plantedBugs = [...assumptionBugs, ...sendingBugs]

/** Returns the scenario and the client of an agent by its name; `, careful` selects its correct twin. */
export function agentOf(name: string): { scenario: ScenarioInput; client: ClientFunction } {
  const [base, twin] = name.split(', ')
  const bug = plantedBugs.find((one) => one.name === base)
  if (!bug) throw new Error(`There is no agent ${name}.`)
  const isCareful = twin !== undefined
  return {
    scenario: scenarioOf(bug.scene),
    client: (mailbox) => bug.act(new Desk(mailbox, isCareful ? undefined : bug.asking), isCareful),
  }
}
