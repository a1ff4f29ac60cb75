import { describe, expect, it } from 'vitest'
import { waitFailure } from '../../test/support/simulator/asked-desk.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] }
const url = 'http://agent.test/hook'
const soon = { timeout: '20s' }
const atOnce = { timeout: '0s' }

const open = (): Promise<Simulator> => createSimulator({ scenario })

/** Subscribes a receiver to incoming mail that answers with these statuses in turn. */
function subscribe(sim: Simulator, ...statuses: number[]): void {
  sim.webhooks.create({ url, events: ['message.received'] })
  if (statuses.length === 0) return
  sim.webhooks.on(url, () => {
    const [status = 200, ...others] = statuses
    if (others.length > 0) statuses.shift()
    return new Response(null, { status })
  })
}

const mailTo = async (sim: Simulator, to: string): Promise<string> => {
  return (await sim.mail.receive({ to, subject: `For ${to}`, text: 'Any news?' })).message.id
}

describe('waitFor a delivery', () => {
  it('waits for a delivery to end and returns a past one at once', async () => {
    const sim = await open()
    subscribe(sim, 200)
    const waiting = sim.waitFor({ delivery: 'message.received' }, soon)
    await mailTo(sim, 'support')
    const delivery = await waiting
    expect(delivery).toMatchObject({ status: 'succeeded', url, attempts: [{ response: { status: 200 } }] })
    expect(await sim.waitFor({ delivery: 'message.received' }, atOnce)).toEqual(delivery)
    expect(sim.deliveries.get(delivery.id)).toEqual(delivery)
  })

  it('counts any result as ended', async () => {
    const sim = await open()
    sim.readings.set({ 'events.retries': 'none' })
    subscribe(sim, 500)
    await mailTo(sim, 'support')
    expect(await sim.waitFor({ delivery: 'message.received' }, soon)).toMatchObject({ status: 'failed' })
    sim.webhooks.create({ url: 'http://nobody.test/', events: ['message.received'] })
    await mailTo(sim, 'sales')
    const captured = { delivery: 'message.received', url: /nobody/ } as const
    expect(await sim.waitFor(captured, soon)).toMatchObject({ status: 'captured' })
  })

  it('filters by message, thread, agent, subscription, URL or body', async () => {
    const sim = await open()
    subscribe(sim, 200)
    const [message, other] = [await mailTo(sim, 'support'), await mailTo(sim, 'sales')]
    const sales = await sim.waitFor({ delivery: 'message.received', message: other }, soon)
    const { id, webhook_id: webhook, thread_id: thread } = sales
    for (const wanted of [
      { agent: '@sales' },
      { thread },
      { message: other, webhook, url: 'http://AGENT.test:80/hook' },
      { body: { data: { subject: /for sales/i } } },
    ]) {
      const found = await sim.waitFor({ delivery: 'message.received', ...wanted }, soon)
      expect(found).toMatchObject({ id, agent_handle: 'sales' })
    }
    expect(await sim.waitFor({ delivery: 'message.received', message }, soon)).not.toMatchObject({ id })
  })

  it('waits for a status or a number of attempts', async () => {
    const sim = await open()
    subscribe(sim, 500, 500, 200)
    await mailTo(sim, 'support')
    const first = { delivery: 'message.received', status: 'pending', attempts: 1 } as const
    const { next_attempt_at } = await sim.waitFor(first, soon)
    expect(next_attempt_at).toMatch(/^2026-01-05T09:00:1\d/)
    const last = sim.waitFor({ delivery: 'message.received', status: 'succeeded' }, soon)
    await sim.clock.advance('2m')
    expect((await last).attempts.map(({ response }) => response?.status)).toEqual([500, 500, 200])
  })

  it('finds a URL that contains a key', async () => {
    const sim = await open()
    const secret = `${url}?token=hook-token-7`
    sim.webhooks.create({ url: secret, events: ['message.received'] })
    await mailTo(sim, 'support')
    const delivery = await sim.waitFor({ delivery: 'message.received', url: secret }, soon)
    expect(delivery.url).toBe(`${url}?token=***`)
  })
})

describe('the error of waitFor a delivery', () => {
  it('explains that an event did not happen or had no subscription', async () => {
    const sim = await open()
    const nothing = (delivery: 'message.received' | 'message.bounced') => {
      return waitFailure(sim.waitFor({ delivery }, atOnce))
    }
    expect(await nothing('message.received')).toBe(
      'Nothing matched within 0s. No message.received has happened in world_1; mail.receive(…) causes one.',
    )
    await mailTo(sim, 'support')
    expect(await nothing('message.received')).toBe(
      'Nothing matched within 0s. message.received has happened once in world_1, but no subscription was notified; ' +
        "webhooks.create({ url, events: ['message.received'] }) subscribes a URL.",
    )
    sim.webhooks.create({ url, events: ['message.received'], agentHandle: 'sales' })
    await mailTo(sim, 'support')
    expect(await nothing('message.received')).toBe(
      'Nothing matched within 0s. message.received has happened 2 times in world_1, but no subscription was notified; ' +
        'those to it are scoped to sales.',
    )
    expect(await nothing('message.bounced')).toContain('mail.bounced(id) causes one')
  })

  it('explains when the next attempt is due and that the clock is frozen', async () => {
    const sim = await open()
    subscribe(sim, 500)
    await mailTo(sim, 'support')
    const { next_attempt_at: due } = await sim.waitFor(
      { delivery: 'message.received', status: 'any', attempts: 1 },
      soon,
    )
    const wanted = { delivery: 'message.received', status: 'succeeded' } as const
    expect(await waitFailure(sim.waitFor(wanted, atOnce))).toBe(
      [
        `Nothing matched within 0s. None of the deliveries fits. Nearest is message.received to ${url} pending after 1 attempt, answered 500:`,
        '  status: expected "succeeded", found "pending"',
        `  Its next attempt is due at ${due}, and the clock is frozen: advance it by 11s.`,
      ].join('\n'),
    )
    // A running clock needs no advice.
    sim.clock.setMode('real')
    expect(await waitFailure(sim.waitFor(wanted, atOnce))).toMatch(new RegExp(`is due at ${due}\\.$`))
    sim.clock.setMode('frozen')
    await sim.clock.advance('11s')
    expect(await waitFailure(sim.waitFor(wanted, atOnce))).toContain('after 2 attempts, answered 500')
  })

  it('explains that a delivery was captured and lists others', async () => {
    const sim = await open()
    subscribe(sim)
    for (const agent of ['sales', 'support', 'sales', 'sales', 'sales', 'sales']) await mailTo(sim, agent)
    await sim.clock.advance(0)
    const text = await waitFailure(
      sim.waitFor({ delivery: 'message.received', agent: 'support', status: 'succeeded' }, atOnce),
    )
    const line = `message.received to ${url} captured`
    expect(text.split('\n')).toEqual([
      `Nothing matched within 0s. None of the deliveries fits. Nearest is ${line}:`,
      '  status: expected "succeeded", found "captured"',
      expect.stringMatching(/^ {2}Nothing in this process receives it; sim\.webhooks\.on/),
      '6 deliveries were made; the latest:',
      ...Array.from({ length: 5 }, () => `  ${line}`),
    ])
  })

  it('explains that a receiver has not answered yet', async () => {
    const sim = await open()
    sim.webhooks.create({ url, events: ['message.received'] })
    let begun = false
    sim.webhooks.on(url, () => {
      begun = true
      return new Promise<undefined>(() => undefined)
    })
    const waiting = sim.waitFor({ delivery: 'message.received', status: 'succeeded' }, { timeout: '300ms' })
    await mailTo(sim, 'support')
    const message = await waitFailure(waiting)
    expect(begun).toBe(true)
    expect(message).toContain('pending after 1 attempt, not answered yet:')
    expect(message).toContain('Its receiver has not answered yet.')
    sim.close()
  })
})
