import type { ScenarioInput } from '../../src/scenario/index.js'
import { Desk, type SeenMessage } from './desk.js'
import type { ClientFunction } from './function-client.js'

/** Which stories an agent is about. */
type Scene = 'desk' | 'small' | 'events'

/** A small agent with a planted bug, and without it. */
export interface PlantedBug {
  readonly name: string
  readonly scene: Scene
  /** How many elements it takes to show. */
  readonly elements: 1 | 2
  act(desk: Desk, isCareful: boolean): Promise<void>
  /** How the agent with the bug asks. */
  readonly asking?: Desk['asking']
}

const hook = 'http://agent.test/hook'
const parcel = { request: 'messages.list', where: { query: { thread_id: { thread: 'parcel' } } } } as const

function scenarioOf(scene: Scene): ScenarioInput {
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

/** Reads everything, and calls something with each message that came in. */
async function readAll(desk: Desk, look: (message: SeenMessage) => void): Promise<void> {
  const threads = await desk.all()
  for (const message of await desk.read(threads.keys())) if (message.direction === 'inbound') look(message)
  await desk.describe('All read.')
}

/** Handles events for a minute of the story, with a way to tell those that are known. */
async function listen(
  desk: Desk,
  handle: (event: { id: string; data: { thread_id?: string } }) => Promise<void>,
): Promise<void> {
  const events = desk.events(hook)
  for (let round = 0; round < 6; round++) {
    await desk.wait(10_000)
    // It goes on with the next event where one fails.
    for (const event of events.splice(0)) await handle(event).catch(() => undefined)
    await desk.get('/identities/support')
  }
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'stops-at-total',
    scene: 'desk',
    elements: 1,
    async act(desk, isCareful) {
      if (isCareful) return void (await desk.read((await desk.all()).keys()))
      const seen = new Set<string>()
      for (let offset = 0; ; offset += 10) {
        const { threads, total } = await desk.page(offset)
        for (const { id } of threads) seen.add(id)
        if (seen.size >= total || threads.length === 0) break
      }
      await desk.read(seen)
    },
  },
  {
    name: 'loses-moved-thread',
    scene: 'desk',
    elements: 1,
    async act(desk, isCareful) {
      const seen = isCareful ? await desk.all() : new Map()
      if (!isCareful) await desk.pass(seen)
      await desk.read(seen.keys())
    },
  },
  {
    name: 'never-gives-up',
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
  {
    name: 'crashes-on-empty-body',
    scene: 'small',
    elements: 1,
    act: (desk, isCareful) =>
      readAll(desk, ({ text, html }) => {
        const words = (text || (html ?? '')).trim()
        if (isCareful && words === '') return
        words.split(' ')[0]?.at(0)?.toUpperCase() ?? raise('a mail without a first word')
      }),
  },
  {
    name: 'crashes-on-html-only',
    scene: 'small',
    elements: 1,
    act: (desk, isCareful) =>
      readAll(desk, ({ text, html }) => {
        if (!isCareful && html?.startsWith('<p>Is there') && !text) raise('no text to read')
      }),
  },
  {
    name: 'crashes-on-huge-mail',
    scene: 'small',
    elements: 1,
    act: (desk, isCareful) =>
      readAll(desk, ({ text }) => {
        if (!isCareful && (text?.length ?? 0) > 20_000) raise('the prompt is too long')
      }),
  },
  {
    name: 'crashes-on-odd-characters',
    scene: 'small',
    elements: 1,
    act: (desk, isCareful) =>
      readAll(desk, ({ text }) => {
        if (!isCareful && /[\u3000-\uffff]/u.test(text ?? '')) raise('cannot encode as latin-1')
      }),
  },
  {
    name: 'waits-for-all-of-total',
    scene: 'small',
    elements: 1,
    async act(desk, isCareful) {
      if (isCareful) return void (await desk.read((await desk.all()).keys()))
      const seen = new Map()
      for (let total = 1; seen.size < total; ) {
        await desk.pass(seen)
        total = (await desk.page(0)).total
      }
      await desk.read(seen.keys())
    },
  },
  {
    name: 'leaves-out-the-last-page',
    scene: 'small',
    elements: 1,
    async act(desk, isCareful) {
      if (isCareful) return void (await desk.read((await desk.all()).keys()))
      const { total } = await desk.page(0)
      const seen = new Set<string>()
      for (let page = 0; page < Math.max(1, Math.floor(total / 10)); page++)
        for (const { id } of (await desk.page(page * 10)).threads) seen.add(id)
      await desk.read(seen)
    },
  },
  {
    name: 'stops-at-a-known-thread',
    scene: 'desk',
    elements: 1,
    async act(desk, isCareful) {
      if (isCareful) return void (await desk.read((await desk.all()).keys()))
      const seen = new Set<string>()
      for (let offset = 0; ; offset += 10) {
        const { threads } = await desk.page(offset)
        if (threads.some(({ id }) => seen.has(id))) break
        for (const { id } of threads) seen.add(id)
        if (threads.length < 10) break
      }
      await desk.read(seen)
    },
  },
  {
    name: 'handles-an-event-twice',
    scene: 'events',
    elements: 1,
    async act(desk, isCareful) {
      const handled = new Set<string>()
      await listen(desk, async ({ id, data }) => {
        if (isCareful && handled.has(id)) return
        handled.add(id)
        await desk.describe(`Answering ${data.thread_id}`)
      })
    },
  },
  {
    name: 'crashes-on-null-body',
    scene: 'small',
    elements: 2,
    act: (desk, isCareful) =>
      readAll(desk, ({ text }) => {
        if (!isCareful && text === null) raise("Cannot read properties of null (reading 'length')")
      }),
  },
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
          // Takes what it knows after a failure for the page that it had asked for before.
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
  {
    name: 'stops-at-total-of-many',
    scene: 'small',
    elements: 2,
    async act(desk, isCareful) {
      if (isCareful) return void (await desk.read((await desk.all()).keys()))
      const seen = new Set<string>()
      for (let offset = 0; ; offset += 10) {
        const { threads, total } = await desk.page(offset)
        for (const { id } of threads) seen.add(id)
        if (seen.size >= total || threads.length < 10) break
      }
      await desk.read(seen)
    },
  },
  {
    name: 'reads-headers-of-odd-mail',
    scene: 'small',
    elements: 2,
    act: (desk, isCareful) =>
      readAll(desk, ({ text, headers }) => {
        const isOdd = /[\u3000-\uffff]/u.test(text ?? '')
        if (!isCareful && isOdd && headers !== undefined) raise('cannot decode a header')
      }),
  },
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

/** The scenario and the client of an agent, by its name; with `, careful` behind it, of its twin. */
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
