import { expect } from 'vitest'
import { createSimulator } from '../../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../../src/doors/simulator/simulator.js'
import { WaitError } from '../../../src/doors/simulator/wait-for.js'

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

/** Sends a request to a simulator with its own key. */
export async function ask(sim: Simulator, path: string, init: RequestInit = {}): Promise<void> {
  const own = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const headers = { ...own, ...(init.headers as Readonly<Record<string, string>>) }
  const request = new Request(new URL(path, sim.baseUrl), { ...init, headers })
  for (const handler of sim.handlers) if (await handler.run({ request, requestId: '1' })) return
}

/** Returns the message of a failed `expect`. */
export function failure(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  return 'The expectation did not fail.'
}

/** Returns the message of the `WaitError` with which a wait ends. */
export async function waitFailure(waiting: Promise<unknown>): Promise<string> {
  const error = await waiting.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(WaitError)
  return (error as Error).message
}
