import { describe, expect, it, vi } from 'vitest'
import { ask, waitFailure } from '../../../test/support/simulator/asked-desk.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'

const scenario = {
  scenario: 'desk',
  identities: [
    { handle: 'support', threads: [{ messages: [{ at: '-1h', text: 'Hello' }] }] },
    { handle: 'sales' },
  ],
}

const listing = '/api/v1/mail/threads?agent=support'
const url = 'http://agent.test/hook'
const soon = { timeout: '20s' } as const
const atOnce = { timeout: '0s' } as const

/** Subscribes a receiver to incoming mail that responds with these statuses in turn. */
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

describe('waitFor', () => {
  it('resolves immediately for a past request', async () => {
    const sim = await createSimulator({ scenario })
    await ask(sim, listing)
    const exchange = await sim.waitFor({ operation: 'threads.list' }, { timeout: '0s' })
    expect(exchange).toMatchObject({ seq: 1, status: 200, query: { agent: 'support' } })
    await expect(sim.waitFor(({ path }) => path.endsWith('threads'), { timeout: '0s' })).resolves.toEqual(
      exchange,
    )
  })

  it('waits for mail that an agent sends', async () => {
    const sim = await createSimulator({ scenario, extend: sendingExtensions })
    const waiting = sim.waitFor({ sent: { to: 'ann@mail.example', text: /249/ } }, soon)
    const people = ['bo@mail.example', 'ann@mail.example']
    for (const text of ['Hi', '249.00']) {
      const body = JSON.stringify({ agent: 'support', people, text })
      await ask(sim, '/api/v1/circulars', { method: 'POST', body })
    }
    const sent = await waiting
    expect(sent).toMatchObject({
      agent_handle: 'support',
      exchange: sim.journal.exchanges()[1]?.seq,
      operation: 'circulars.post',
      text: '249.00',
    })
    expect(await sim.waitFor({ sent: { text: '249.00', to: 'ann@mail.example' } }, atOnce)).toEqual(sent)
    expect(await waitFailure(sim.waitFor({ sent: { to: 'cy@mail.example' } }, atOnce))).toMatchSnapshot()
  })

  it('waits for a matching request', async () => {
    const sim = await createSimulator({ scenario })
    const waiting = sim.waitFor(
      { operation: 'identities.update', body: { display_name: /^Bus/ }, status: 200 },
      { timeout: '20s' },
    )
    const first = sim.waitFor({ operation: 'identities.update' }, { timeout: '20s' })
    await ask(sim, listing)
    const rename = (name: string) => ({ method: 'PATCH', body: JSON.stringify({ display_name: name }) })
    await ask(sim, '/api/v1/identities/support', rename('Idle'))
    await ask(sim, '/api/v1/identities/support', rename('Busy'))
    const [, idle, busy] = sim.journal.exchanges()
    expect(await waiting).toEqual(busy)
    // The request after one that did not match.
    expect(await first).toEqual(idle)
  })

  it('waits for a state of a thread', async () => {
    const sim = await createSimulator({ scenario })
    const { thread } = await sim.mail.receive({ to: 'support', subject: 'News' })
    const waiting = sim.waitFor(
      { thread: thread.id, has: { unread: false, message_count: 2 } },
      { timeout: '20s' },
    )
    await sim.mail.receive({ to: 'support', thread: thread.id })
    sim.threads.markRead(thread.id)
    expect(await waiting).toMatchObject({ id: thread.id, unread: false, message_count: 2 })
    await expect(sim.waitFor({ thread: 'thrd_none', has: {} })).rejects.toThrow('no thread "thrd_none"')
  })

  it('rejects with the error of a predicate', async () => {
    const onDefect = vi.fn()
    const sim = await createSimulator({ scenario, onDefect })
    const error = new TypeError('a test that fails')
    const waiting = sim.waitFor(() => {
      throw error
    })
    const failed = expect(waiting).rejects.toBe(error)
    await ask(sim, listing)
    await failed
    expect(sim.journal.exchanges()).toMatchObject([{ status: 200 }])
    expect(onDefect).not.toHaveBeenCalled()
  })

  it('searches only its own world', async () => {
    const sim = await createSimulator({ scenario })
    const fork = sim.fork()
    await ask(sim, listing)
    expect(await waitFailure(fork.waitFor({}, { timeout: '10ms' }))).toContain('No request has come')
    await ask(fork, listing)
    await expect(fork.waitFor({})).resolves.toMatchObject({ world: fork.id })
  })
})

describe('waitFor a delivery', () => {
  it('waits for a delivery to end and returns a past one immediately', async () => {
    const sim = await createSimulator({ scenario })
    subscribe(sim, 200)
    const waiting = sim.waitFor({ delivery: 'message.received' }, soon)
    await mailTo(sim, 'support')
    const delivery = await waiting
    expect(delivery).toMatchObject({ status: 'succeeded', url, attempts: [{ response: { status: 200 } }] })
    expect(await sim.waitFor({ delivery: 'message.received' }, atOnce)).toEqual(delivery)
    expect(sim.deliveries.get(delivery.id)).toEqual(delivery)
  })

  it('filters by message, thread, agent, subscription, URL or body', async () => {
    const sim = await createSimulator({ scenario })
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
    const secret = `${url}?token=hook-token-7`
    sim.webhooks.create({ url: secret, events: ['message.received'] })
    await mailTo(sim, 'support')
    const delivery = await sim.waitFor({ delivery: 'message.received', url: secret }, soon)
    expect(delivery.url).toBe(`${url}?token=***`)
  })

  it('waits for a status or a number of attempts', async () => {
    const sim = await createSimulator({ scenario })
    subscribe(sim, 500, 500, 200)
    await mailTo(sim, 'support')
    const first = { delivery: 'message.received', status: 'pending', attempts: 1 } as const
    const { next_attempt_at } = await sim.waitFor(first, soon)
    expect(next_attempt_at).toMatch(/^2026-01-05T09:00:1\d/)
    const last = sim.waitFor({ delivery: 'message.received', status: 'succeeded' }, soon)
    await sim.clock.advance('2m')
    expect((await last).attempts.map(({ response }) => response?.status)).toEqual([500, 500, 200])
  })
})

describe('the error of waitFor', () => {
  it('shows the requests or the thread that came instead', async () => {
    const sim = await createSimulator({ scenario })
    const errorOf = (...wanted: Parameters<typeof sim.waitFor>) => waitFailure(sim.waitFor(...wanted))
    const none = await errorOf({ operation: 'threads.list' }, atOnce)
    await ask(sim, `${listing}&limit=5`)
    await ask(sim, '/api/v1/webhooks')
    const { thread } = await sim.mail.receive({ to: 'support', subject: 'News' })
    expect([
      none,
      await errorOf({ operation: 'threads.list', query: { limit: '50' } }, { timeout: '10ms' }),
      await waitFailure(sim.waitFor(({ status }) => status === 404, atOnce)),
      await waitFailure(sim.waitFor({ thread: thread.id, has: { unread: false } }, atOnce)),
    ]).toMatchSnapshot()
    await expect(sim.waitFor({}, { timeout: 'long' as never })).rejects.toThrow(TypeError)
  })

  it('explains why there is no delivery', async () => {
    const sim = await createSimulator({ scenario })
    const nothing = () => waitFailure(sim.waitFor({ delivery: 'message.received' }, atOnce))
    const unsent = await nothing()
    await mailTo(sim, 'support')
    const unsubscribed = await nothing()
    sim.webhooks.create({ url, events: ['message.received'], agentHandle: 'sales' })
    await mailTo(sim, 'support')
    expect([unsent, unsubscribed, await nothing()]).toMatchSnapshot()
  })

  it('explains what a delivery waits for, or why it was not made', async () => {
    const sim = await createSimulator({ scenario })
    const wanted = { delivery: 'message.received', status: 'succeeded' } as const
    subscribe(sim, 500)
    await mailTo(sim, 'support')
    await sim.waitFor({ delivery: 'message.received', status: 'any', attempts: 1 }, soon)
    const frozen = await waitFailure(sim.waitFor(wanted, atOnce))
    await sim.clock.advance('11s')
    const again = await waitFailure(sim.waitFor(wanted, atOnce))
    sim.clock.setMode('real')
    const running = await waitFailure(sim.waitFor(wanted, atOnce))
    sim.close()
    const captured = await createSimulator({ scenario })
    subscribe(captured)
    await mailTo(captured, 'sales')
    await captured.clock.advance(0)
    expect([frozen, again, running, await waitFailure(captured.waitFor(wanted, atOnce))]).toMatchSnapshot()
  })
})
