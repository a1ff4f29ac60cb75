import { createSimulator, defineScenario, type EventType, type Simulator } from 'agent-mailbox-sim'
import { vi } from 'vitest'
import type { Assumptions } from '../../../src/contract/gaps.js'
import type { Duration } from '../../../src/service/time/time.js'

const every: EventType[] = ['message.received', 'message.delivered', 'message.bounced']

/** The URLs of the subscriptions of the desk; `bounces` receives only bounces, the others everything. */
export const hooks = {
  all: 'http://all.test/hook',
  eva: 'http://eva.test/hook',
  max: 'http://max.test/hook',
  bounces: 'http://bounces.test/hook',
} as const

/** The name of a subscription of the desk: of every agent, of eva with a token, of max, of bounces alone. */
export type HookName = keyof typeof hooks

const scenario = defineScenario({
  scenario: 'event-desk',
  seed: 11,
  identities: [{ handle: 'eva' }, { handle: 'max' }],
  webhooks: [
    { url: hooks.all, events: every },
    { url: hooks.eva, events: every, agent_handle: 'eva', auth_token: 's3cret-token' },
    { url: hooks.max, events: every, agent_handle: 'max' },
    { url: hooks.bounces, events: ['message.bounced'] },
  ],
})

/** A request as its receiver sees it. */
export interface Received {
  /** Seconds of the story. */
  readonly at: number
  readonly headers: Headers
  readonly text: string
}

/** The answer of a receiver to its n-th request, from 0. */
export type Answers = (n: number) => Response | number | Promise<Response | number>

/** A simulator with receivers of its deliveries. */
export class Desk {
  readonly simulator: Simulator
  readonly received: Readonly<Record<HookName, Received[]>> = { all: [], eva: [], max: [], bounces: [] }

  constructor(simulator: Simulator) {
    this.simulator = simulator
    for (const name of Object.keys(hooks) as HookName[]) this.answer(name, () => 200)
  }

  /** Sets the answers of a receiver. */
  answer(name: HookName, answers: Answers): void {
    const { received, simulator } = this
    simulator.webhooks.on(hooks[name], async (request) => {
      const at = (Date.parse(simulator.clock.now()) - Date.parse(simulator.start)) / 1000
      const place = received[name].push({ at, headers: request.headers, text: await request.text() })
      const answer = await answers(place - 1)
      return typeof answer === 'number' ? new Response(null, { status: answer }) : answer
    })
  }

  /** Receives mail for an agent. */
  async receive(to: 'eva' | 'max', text = 'Hello'): Promise<string> {
    return (await this.simulator.mail.receive({ to, text })).message.id
  }

  /** Reports mail of an agent as bounced or delivered. */
  async outcome(from: 'eva' | 'max', how: 'bounced' | 'delivered'): Promise<void> {
    const { message } = await this.simulator.mail.send({ from, to: 'ann@shop.example', text: 'Soon.' })
    await this.simulator.mail[how](message.id)
  }

  /** Moves the clock on. */
  advance(duration: string): Promise<void> {
    return this.simulator.clock.advance(duration as Duration)
  }

  /** Lets wall time pass for timers. */
  async pass(seconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
  }

  /** The bodies that a receiver has got. */
  bodies(name: HookName): Record<string, unknown>[] {
    return this.received[name].map(({ text }) => JSON.parse(text))
  }
}

/** Opens a desk under some assumptions; a defect of the simulator fails the test. */
export async function openDesk(
  assumptions: Partial<Assumptions> | Readonly<Record<string, string>>,
): Promise<Desk> {
  const onDefect = (error: unknown) => {
    throw error
  }
  return new Desk(await createSimulator({ scenario, assume: { ...assumptions }, onDefect }))
}

/** Answers after some seconds of wall time. */
export async function answerAfter(seconds: number, status = 200): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return status
}
