import { defineScenario } from 'agent-mailbox-sim'
import { type RunningServer, type ServerOptions, startServer } from 'agent-mailbox-sim/server'
import { onTestFinished } from 'vitest'

/** A scenario that loads at once. */
export const desk = defineScenario({
  scenario: 'desk',
  seed: 3,
  start: '2026-01-05T09:00:00Z',
  organization: { name: 'Desk', api_keys: ['desk-key'] },
  identities: [
    {
      handle: 'support',
      display_name: 'Support',
      threads: [
        {
          key: 'order',
          subject: 'Where is my order?',
          messages: [
            {
              from: 'Ann <ann@mail.example>',
              at: '-1d',
              text: 'It is late – where is it?',
              attachments: [{ filename: 'größe.txt', text: 'ä', content_type: 'text/plain' }],
            },
            { direction: 'outbound', at: '-2h', text: 'On its way.' },
          ],
        },
      ],
    },
  ],
  webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received'], auth_token: 'secret' }],
})

/** Starts a server for one test on a free port with a frozen clock. */
export async function serveDesk(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ scenario: desk, port: 0, clock: 'frozen', ...options })
  onTestFinished(async () => void (await server.close()))
  return server
}

/** The headers of a client of the service. */
export const authorized = { authorization: 'Bearer desk-key' }

/** Tells whether the world is unchanged and the server still answers. */
export async function isUntouched({ url, simulator }: RunningServer): Promise<boolean> {
  const named = simulator.identities.get('support').display_name === 'Support'
  const silent = simulator.journal.exchanges().length === 0
  const { status } = await fetch(`${url}/_sim/health`)
  return named && silent && status === 200
}
