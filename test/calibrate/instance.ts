import { getResponse } from 'msw'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import type { Fetch } from '../../src/live/service-client.js'

/** A mailbox with two agents, mail, attachments and webhooks of every kind. */
export function mailboxOf(threads: number): object {
  const generate = { unread: 0.3, attachments: 0.1 }
  const webhook = (path: string, ...events: string[]) => ({ url: `http://127.0.0.1:9/${path}`, events })
  return {
    scenario: 'rich',
    start: '2026-01-05T09:00:00Z',
    organization: { name: 'Rich', api_keys: ['rich-key'] },
    identities: [
      {
        ...{ handle: 'support', display_name: 'Support', description: 'Answers customers' },
        mailbox_address: 'support@agents.example',
        generate: { ...generate, threads, messages: [1, 5], over: '90d' },
      },
      {
        ...{ handle: 'sales', display_name: 'Sales', description: 'Sells' },
        mailbox_address: 'sales@agents.example',
        generate: { ...generate, threads: Math.ceil(threads / 4), messages: [1, 4], over: '60d' },
      },
    ],
    webhooks: [
      { ...webhook('a', 'message.received'), agent_handle: 'support', auth_token: 'secret' },
      { ...webhook('b', 'message.received', 'message.bounced'), agent_handle: 'sales' },
      webhook('c', 'message.delivered'),
      ...Array.from({ length: 8 }, (_, index) => webhook(`more${(index * 7) % 8}`, 'message.received')),
    ],
  }
}

/** A simulated service with a client. */
export interface Instance {
  readonly simulator: Simulator
  readonly apiKey: string
  readonly fetch: Fetch
}

/** Starts a service for requests in process. */
export async function instanceOf(
  scenario: object | string,
  assumptions: string | Record<string, string>,
  apiKey = 'rich-key',
): Promise<Instance> {
  const simulator = await createSimulator({
    scenario: scenario as string,
    assume: assumptions,
    clock: 'frozen',
    baseUrl: 'http://mail.test',
    // Probes request undocumented paths.
    onUndocumented: () => undefined,
  })
  return {
    simulator,
    apiKey,
    fetch: async (request) => {
      const response = await getResponse([...simulator.handlers], request)
      if (!response) throw new Error(`Nobody answers ${request.url}`)
      return response
    },
  }
}

/** A service with changed lists: `change` gets the body of every 200 answer to such a path. */
export function changing(
  path: string,
  change: (body: Record<string, unknown>) => object,
): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (response.status !== 200 || new URL(request.url).pathname !== path) return response
    const body = (await response.json()) as Record<string, unknown>
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(JSON.stringify(change(body)), { status: 200, headers })
  }
}
