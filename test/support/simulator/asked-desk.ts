import { createSimulator } from '../../../src/simulator/create-simulator.js'
import type { Simulator } from '../../../src/simulator/simulator.js'

/** A simulator of two agents with three threads. */
export function createDesk(): Promise<Simulator> {
  const thread = (subject: string, at: string, unread = true) => ({
    subject,
    unread,
    messages: [{ at, from: 'Ann Lee <ann@mail.example>', text: 'Hello' }],
  })
  return createSimulator({
    scenario: {
      scenario: 'desk',
      identities: [
        {
          handle: 'support',
          threads: [thread('Refund for order 4711', '-2h'), thread('Where is my parcel?', '-1h', false)],
        },
        { handle: 'sales', threads: [thread('A quote for ten chairs', '-3h')] },
      ],
    },
  })
}

/** Asks a simulator for something with its own key. */
export async function ask(sim: Simulator, path: string, init: RequestInit = {}): Promise<void> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const request = new Request(new URL(path, sim.baseUrl), { headers, ...init })
  for (const handler of sim.handlers) if (await handler.run({ request, requestId: '1' })) return
}

/** What `expect` says when it fails. */
export function failure(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  return 'It did not fail.'
}
