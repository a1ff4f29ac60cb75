import { defineScenario, type Simulator, type Webhook } from 'agent-mailbox-sim'
import { type RunningServer, type ServerOptions, startServer } from 'agent-mailbox-sim/server'
import { onTestFinished, vi } from 'vitest'
import type { Delivery } from '../../src/world/index.js'

/** A scenario with two agents, and nobody who is told of anything. */
export const twoAgents = defineScenario({
  scenario: 'two-agents',
  seed: 11,
  start: '2026-01-05T09:00:00Z',
  identities: [{ handle: 'support' }, { handle: 'sales' }],
})

/** A server for one test, on a free port; its clock stands still unless the test has it go. */
export async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ scenario: twoAgents, port: 0, clock: 'frozen', ...options })
  onTestFinished(async () => void (await server.close()))
  return server
}

/** Subscribes a URL to incoming mail. */
export function subscribe(sim: Simulator, url: string, agentHandle?: string): Webhook {
  return sim.webhooks.create({ url, events: ['message.received'], ...(agentHandle && { agentHandle }) })
}

/** Has a mail come in for an agent. */
export async function mailComes(sim: Simulator, to = 'support', text = 'Any news?'): Promise<void> {
  await sim.mail.receive({ to, from: 'Ann <ann@mail.example>', subject: 'Order 7', text })
}

/** Waits, as long as a busy machine may take. */
export async function until<Found>(look: () => Found | undefined | false, timeout = 25_000): Promise<Found> {
  return (await vi.waitUntil(look, { timeout, interval: 5 })) as Found
}

/** Whether no attempt of a delivery is under way, nor about to be. */
function rests({ status, attempts, next_attempt_at }: Delivery): boolean {
  const between = next_attempt_at !== null
  return (status !== 'pending' || between) && attempts.every(({ duration_ms }) => duration_ms !== null)
}

/** The deliveries, once no attempt is under way: each is over, or waits for an instant to come. */
export async function atRest(sim: Simulator): Promise<Delivery[]> {
  return until(() => {
    const deliveries = sim.deliveries.list()
    return deliveries.length > 0 && deliveries.every(rests) && deliveries
  })
}

/** The only delivery, once no attempt is under way. */
export async function restingDelivery(sim: Simulator): Promise<Delivery> {
  const [delivery, ...others] = await atRest(sim)
  if (!delivery || others.length > 0) throw new Error('There is more than one delivery.')
  return delivery
}

/** Moves the clock from one attempt to the next until the only delivery is over, and gives it back. */
export async function playedToTheEnd(sim: Simulator): Promise<Delivery> {
  for (;;) {
    const delivery = await restingDelivery(sim)
    if (delivery.next_attempt_at === null) return delivery
    await sim.clock.advanceTo(delivery.next_attempt_at)
  }
}

/** Milliseconds from each attempt to the next. */
export function waitsOf({ attempts }: Delivery): number[] {
  const instants = attempts.map(({ at }) => Date.parse(at))
  return instants.slice(1).map((at, index) => at - (instants[index] as number))
}
