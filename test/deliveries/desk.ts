import { defineScenario, type Simulator, type Webhook } from 'agent-mailbox-sim'
import { type RunningServer, type ServerOptions, startServer } from 'agent-mailbox-sim/server'
import { onTestFinished, vi } from 'vitest'
import type { Delivery } from '../../src/service/webhooks/delivery.js'

/** A scenario with two agents and no subscriptions. */
const twoAgents = defineScenario({
  scenario: 'two-agents',
  seed: 11,
  start: '2026-01-05T09:00:00Z',
  identities: [{ handle: 'support' }, { handle: 'sales' }],
})

/** Starts a server for one test on a free port, with a frozen clock by default. */
export async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ scenario: twoAgents, port: 0, clock: 'frozen', ...options })
  onTestFinished(async () => void (await server.close()))
  return server
}

/** Subscribes a URL to incoming mail. */
export function subscribe(sim: Simulator, url: string, agentHandle?: string): Webhook {
  return sim.webhooks.create({ url, events: ['message.received'], ...(agentHandle && { agentHandle }) })
}

/** Receives a mail for an agent. */
export async function receiveMail(sim: Simulator, to = 'support', text = 'Any news?'): Promise<void> {
  await sim.mail.receive({ to, from: 'Ann <ann@mail.example>', subject: 'Order 7', text })
}

/** Waits for a condition with a generous timeout. */
export async function until<Found>(look: () => Found | undefined | false, timeout = 25_000): Promise<Found> {
  return (await vi.waitUntil(look, { timeout, interval: 5 })) as Found
}

/** Tells whether no attempt of a delivery is in flight or about to begin. */
function isSettled({ status, attempts, next_attempt_at }: Delivery): boolean {
  const between = next_attempt_at !== null
  return (status !== 'pending' || between) && attempts.every(({ duration_ms }) => duration_ms !== null)
}

/** Waits until no attempt is in flight: each delivery is finished or waits for its retry. */
export async function settledDeliveries(sim: Simulator): Promise<Delivery[]> {
  return until(() => {
    const deliveries = sim.deliveries.list()
    return deliveries.length > 0 && deliveries.every(isSettled) && deliveries
  })
}

/** Waits until no attempt of the only delivery is in flight. */
export async function settledDelivery(sim: Simulator): Promise<Delivery> {
  const [delivery, ...others] = await settledDeliveries(sim)
  if (!delivery || others.length > 0) throw new Error('There is more than one delivery.')
  return delivery
}
