import type { EventType } from '../../../src/contract/resources.js'
import type { AssumptionChoices } from '../../../src/service/assumptions/assumptions.js'
import type { ClockMode } from '../../../src/service/time/time.js'
import { yieldToEventLoop } from '../../../src/service/time/wall-time.js'
import type { Delivery } from '../../../src/service/webhooks/delivery.js'
import type { CommandOf } from '../../../src/service/world/commands/commands.js'
import { World } from '../../../src/service/world/world.js'
import { defaultHost } from '../../../src/service/world/world-host.js'
import { smallBeginning } from '../world/small-world.js'

/** A subscription of the first organization, at `http://<name>.test/hook`. */
export interface Subscribing {
  readonly name: string
  readonly events?: readonly EventType[]
  readonly scope?: string
  readonly token?: string
}

/** Options of a world with subscriptions. */
export interface HookedOptions {
  readonly clock?: ClockMode
  readonly assumptions?: AssumptionChoices
  readonly seed?: number
  readonly subscriptions?: readonly Subscribing[]
}

/** Returns the URL of a subscription. */
export function hookOf(name: string): string {
  return `http://${name}.test/hook`
}

const every: readonly EventType[] = ['message.received', 'message.delivered', 'message.bounced']

/** Creates a small world with these subscriptions only, by default `agent` with every event of every agent. */
export function hookedWorld({ clock = 'frozen', assumptions = {}, seed = 7, ...more }: HookedOptions = {}) {
  const defects: unknown[] = []
  const around = { ...defaultHost, onDefect: (error: unknown) => void defects.push(error) }
  const world = new World('world_1', smallBeginning({ seed }), clock, around)
  subscribe(world, more.subscriptions)
  world.setAssumptions(assumptions)
  return { world, defects, requests: (name: string, answer?: Answering) => receiving(world, name, answer) }
}

/** Replaces the subscriptions of a world. */
export function subscribe(world: World, subscriptions: readonly Subscribing[] = [{ name: 'agent' }]): void {
  for (const { id } of [...world.store.all('webhook')]) {
    world.apply({ type: 'delete-webhook', webhook_id: id })
  }
  for (const { name, events = every, scope = null, token = null } of subscriptions) {
    const fields = { events: [...events], agent_handle: scope, auth_token: token }
    world.apply({ type: 'create-webhook', url: hookOf(name), ...fields })
  }
}

/** A request as its receiver sees it. */
export interface Seen {
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer of a receiver: a status or a response. */
type Answered = number | Response

/** Answers the n-th request of a receiver, counted from 0. */
export type Answering = (request: Request, n: number, body: string) => Answered | Promise<Answered>

/** Registers a receiver, which answers 200 by default; returns the list of its requests. */
export function receiving(world: World, name: string, answer: Answering = () => 200): Seen[] {
  const seen: Seen[] = []
  world.receivers.on(hookOf(name), async (request) => {
    const n = seen.length
    const headers = Object.fromEntries(request.headers)
    const entry = { at: world.clock.now(), headers, body: '' }
    seen.push(entry)
    entry.body = await request.text()
    const given = await answer(request, n, entry.body)
    return typeof given === 'number' ? new Response(null, { status: given }) : given
  })
  return seen
}

/** Returns the parts of a delivery that do not depend on the speed of its receiver. */
export function gist({ status, reason, attempts, next_attempt_at }: Delivery) {
  return {
    status,
    reason,
    next: next_attempt_at,
    attempts: attempts.map(({ cause, response, error }) => [cause, error?.code ?? response?.status ?? null]),
  }
}

/** A command for mail from `support`. */
export const sent: CommandOf<'send-message'> = {
  type: 'send-message',
  identity_id: 'ident_support',
  to: ['ann@shop.example'],
  text: 'Soon.',
}

/** Waits for everything that takes no time. */
export async function followUp(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
}
