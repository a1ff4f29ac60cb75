import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { startServer } from 'agent-mailbox-sim/server'
import { getResponse } from 'msw'
import { onTestFinished } from 'vitest'

/** A small scenario with a listed key. */
export const desk = {
  scenario: 'desk',
  organization: { api_keys: ['desk-key'] },
  identities: [{ handle: 'support', threads: [{ key: 'order', messages: [{ at: '-1h', text: 'Hello' }] }] }],
  timeline: [{ after: '1m' as const, receive: { to: 'support', subject: 'News' } }],
}

/** The options of a request besides its key. */
export type Sending = RequestInit & { readonly duplex?: 'half' }

/** A simulator with a way to send requests to it. */
export interface Transport {
  readonly simulator: Simulator
  ask(key: string | undefined, path: string, sending?: Sending): Promise<Response>
}

/** The ways to reach a simulator, each opened for one test. */
export const transports: Readonly<Record<string, () => Promise<Transport>>> = {
  'in-process': async () => {
    const simulator = await createSimulator({ scenario: desk })
    return { simulator, ask: (key, path, sending) => askHandlers(simulator, key, path, sending) }
  },
  'over HTTP': async () => {
    const { url, controlUrl, simulator, close } = await startServer({
      scenario: desk,
      port: 0,
      clock: 'frozen',
    })
    onTestFinished(async () => void (await close()))
    // Loads what the first request needs.
    await fetch(`${controlUrl}/health`)
    return { simulator, ask: (key, path, sending) => fetch(url + path, withKey(key, sending)) }
  },
}

/** Sends a request to the handlers of a simulator. */
export async function askHandlers(
  { handlers, baseUrl }: Simulator,
  key: string | undefined,
  path: string,
  sending?: Sending,
): Promise<Response> {
  const response = await getResponse(handlers, new Request(baseUrl + path, withKey(key, sending)))
  if (!response) throw new Error(`No handler takes ${path}.`)
  return response
}

function withKey(key: string | undefined, sending: Sending = {}): Sending {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return { ...sending, headers: { ...authorization, 'content-type': 'application/json' } }
}
