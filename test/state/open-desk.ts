import { defineScenario } from 'agent-mailbox-sim'
import type { RunningServer, ServerOptions } from 'agent-mailbox-sim/server'
import { openServer } from '../../src/doors/server/start-server.js'
import { openState } from '../../src/doors/state/logged-worlds.js'

/** A small scenario with two agents, a subscription and a timeline. */
export const desk = defineScenario({
  scenario: 'desk',
  seed: 4,
  start: '2026-01-05T09:00:00Z',
  organization: { api_keys: ['desk-key'] },
  identities: [
    { handle: 'eva', threads: [{ subject: 'Hello', messages: [{ at: '-1h' }] }] },
    { handle: 'tom' },
  ],
  timeline: [{ after: '10m', receive: { to: 'eva', from: 'Ann <ann@example.com>', text: 'Any news?' } }],
})

/** A server with its state in a folder, and its warnings. */
export async function openDesk(
  directory: string,
  options: ServerOptions & { readonly reset?: boolean } = {},
): Promise<RunningServer & { readonly warnings: readonly string[] }> {
  const warnings: string[] = []
  const { reset, ...further } = options
  const state = openState({ place: directory, reset, warn: (message) => void warnings.push(message) })
  const server = await openServer({ scenario: desk, port: 0, clock: 'frozen', state, ...further })
  return Object.assign(server, { warnings })
}

/** Sets the description of an agent; returns the status of the answer. */
export async function describe(
  server: { readonly url: string },
  description: string,
  key = 'desk-key',
  handle = 'eva',
) {
  const answer = await fetch(`${server.url}/api/v1/identities/${handle}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  })
  await answer.text()
  return answer.status
}

/** Reads the description of an agent. */
export async function descriptionOf(server: { readonly url: string }, key = 'desk-key', handle = 'eva') {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${server.url}/api/v1/identities/${handle}`, { headers })
  const body = (await answer.json()) as { description?: string; error?: { code: string; message: string } }
  return { status: answer.status, description: body.description, error: body.error }
}
