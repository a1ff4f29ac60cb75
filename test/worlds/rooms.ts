import { createSimulator, defineScenario, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { getResponse } from 'msw'
import { controlDoer, type Doer, libraryDoer } from './deeds.js'

/** A story with mail for two agents, some of it yet to come. */
export const office = defineScenario({
  scenario: 'office',
  seed: 7,
  start: '2026-01-05T09:00:00Z',
  organization: { api_keys: ['office-key'] },
  identities: ['eva', 'tom'].map((handle) => ({
    handle,
    threads: [
      {
        key: `order-of-${handle}`,
        subject: 'An order',
        messages: [
          {
            from: 'Ann <ann@mail.example>',
            at: '-2d',
            attachments: [{ filename: 'order.txt', text: `7 for ${handle}` }],
          },
          { direction: 'outbound' as const, at: '-1d', text: 'On its way.' },
        ],
      },
    ],
    generate: { threads: 4, messages: [1, 3] as [number, number], over: '20d', attachments: 0.3 },
  })),
  webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received'], auth_token: 'secret' }],
  timeline: [
    {
      after: '20m',
      receive: { to: 'eva', from: 'Ann <ann@mail.example>', subject: 'News', text: 'Any news?' },
    },
    { after: '1h', fault: { handle: 'tom', status: 503, times: 2 } },
    { after: '2h', readings: { 'threads.total': 'page-size' } },
    { after: '3h', receive: { to: 'tom', thread: 'order-of-tom', text: 'And now?' } },
  ],
})

/** One world, as its clients reach it, and whoever holds it. */
export interface Room {
  readonly simulator: Simulator
  /** A request of a client: the origin is added, and the key. */
  ask(method: string, path: string, body?: unknown): Promise<Response>
  readonly act: Doer
  /** A text as a client got it, without what hangs on where it got it. */
  plain(text: string): string
}

/** A simulator with room for worlds. */
export interface House {
  readonly simulator: Simulator
  /** A world for a story of that seed. */
  room(seed: number | undefined): Promise<Room>
  close(): unknown
}

/** Every way to reach a simulator's worlds. */
export const houses: Readonly<Record<string, () => Promise<House>>> = {
  'over HTTP': async () => {
    // Nothing is delivered from here either: it is to become what it becomes in-process.
    const receiver = (): undefined => undefined
    const server = await startServer({ scenario: office, port: 0, clock: 'frozen', receiver })
    const { url, simulator } = server
    return {
      simulator,
      async room(seed) {
        const headers = { 'content-type': 'application/json' }
        const made = await fetch(`${url}/_sim/worlds`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ seed }),
        })
        const { id, api_key: key } = await made.json()
        return {
          simulator: simulator.world(id) as Simulator,
          ask: (method, path, body) => fetch(`${url}${path}`, requestOf(key, method, body)),
          act: await controlDoer(url, id),
          plain: (text) => text.replaceAll(url, ''),
        }
      },
      close: () => server.close(),
    }
  },
  'in-process': async () => {
    const simulator = await listen({
      scenario: office,
      baseUrl: 'http://office.test',
      onUnhandledRequest: 'error',
    })
    return {
      simulator,
      async room(seed) {
        const world = seed === undefined ? simulator.fork() : await simulator.addWorld({ seed })
        return libraryRoom(world, (request) => fetch(request))
      },
      close: () => simulator.close(),
    }
  },
}

/** A simulator of its own for one story. */
export async function roomOfItsOwn(seed: number | undefined): Promise<Room> {
  const simulator = await createSimulator({ scenario: office, seed, baseUrl: 'http://office.test' })
  return libraryRoom(simulator, async (request) => {
    const response = await getResponse(simulator.handlers, request)
    // What `fetch` makes of it.
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  })
}

function libraryRoom(simulator: Simulator, send: (request: Request) => Promise<Response>): Room {
  const { apiKey, baseUrl } = simulator
  return {
    simulator,
    ask: (method, path, body) => send(new Request(`${baseUrl}${path}`, requestOf(apiKey, method, body))),
    act: libraryDoer(simulator),
    plain: (text) => text.replaceAll(baseUrl, ''),
  }
}

function requestOf(key: string, method: string, body: unknown): RequestInit {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
}
