import { createSimulator, defineScenario, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { getResponse } from 'msw'

/** A scenario with mail for two agents and a timeline. */
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
    generate: { threads: 4, messages: [1, 3] as [number, number], over: '20d' as const, attachments: 0.3 },
  })),
  webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received'], auth_token: 'secret' }],
  timeline: [
    {
      after: '20m' as const,
      receive: { to: 'eva', from: 'Ann <ann@mail.example>', subject: 'News', text: 'Any news?' },
    },
    { after: '1h' as const, fault: { handle: 'tom', status: 503, times: 2 } },
    { after: '2h' as const, assume: { 'threads.total': 'page-size' } },
    { after: '3h' as const, receive: { to: 'tom', thread: 'order-of-tom', text: 'And now?' } },
  ],
})

/** A world with a way to send requests to it. */
export interface ScriptWorld {
  readonly simulator: Simulator
  /** The snapshot that a script restores. */
  kept: object
  ask(method: string, path: string, body?: unknown): Promise<Response>
  /** Removes the base URL from a text. */
  plain(text: string): string
}

/** A simulator with any number of worlds. */
export interface Host {
  readonly simulator: Simulator
  world(seed: number | undefined): Promise<ScriptWorld>
  close(): unknown
}

/** The transports to the worlds of one simulator. */
export const hosts: Readonly<Record<string, () => Promise<Host>>> = {
  'over HTTP': async () => {
    // Captures deliveries, as the library does.
    const server = await startServer({
      scenario: office,
      port: 0,
      clock: 'frozen',
      receiver: () => undefined,
    })
    return hostOf(server.simulator, server.url, () => server.close())
  },
  'in-process': async () => {
    const baseUrl = 'http://office.test'
    const simulator = await listen({ scenario: office, baseUrl, onUnhandledRequest: 'error' })
    return hostOf(simulator, baseUrl, () => simulator.close())
  },
}

function hostOf(simulator: Simulator, baseUrl: string, close: () => unknown): Host {
  return {
    simulator,
    async world(seed) {
      const world = seed === undefined ? simulator.fork() : await simulator.addWorld({ seed })
      return scriptWorld(world, baseUrl, (request) => fetch(request))
    },
    close,
  }
}

/** Creates a separate simulator for one script. */
export async function separateWorld(seed: number | undefined): Promise<ScriptWorld> {
  const baseUrl = 'http://office.test'
  const simulator = await createSimulator({ scenario: office, seed, baseUrl })
  return scriptWorld(simulator, baseUrl, async (request) => {
    const response = await getResponse(simulator.handlers, request)
    // As `fetch` fails.
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  })
}

function scriptWorld(
  simulator: Simulator,
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
): ScriptWorld {
  const { apiKey } = simulator
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return {
    simulator,
    kept: simulator.snapshot(),
    ask(method, path, body) {
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      return send(new Request(`${baseUrl}${path}`, init))
    },
    plain: (text) => text.replaceAll(baseUrl, ''),
  }
}
