import { describe, expect, it, vi } from 'vitest'
import { ask, waitFailure } from '../../test/support/simulator/asked-desk.js'
import { createSimulator } from './create-simulator.js'

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ at: '-1h', text: 'Hello' }] }] }],
}

const listing = '/api/v1/mail/threads?agent=support'

describe('waitFor', () => {
  it('resolves at once for a past request', async () => {
    const sim = await createSimulator({ scenario })
    await ask(sim, listing)
    const exchange = await sim.waitFor({ operation: 'threads.list' }, { timeout: '0s' })
    expect(exchange).toMatchObject({ seq: 1, status: 200, query: { agent: 'support' } })
    await expect(sim.waitFor(({ path }) => path.endsWith('threads'), { timeout: '0s' })).resolves.toEqual(
      exchange,
    )
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
    expect(await waiting).toMatchObject({ seq: 3 })
    // The request after one that did not match.
    expect(await first).toMatchObject({ seq: 2 })
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

  it('describes the nearest request or thread when it times out', async () => {
    const sim = await createSimulator({ scenario })
    const timeout = { timeout: '10ms' }
    expect(await waitFailure(sim.waitFor({ operation: 'threads.list' }, timeout))).toMatch(
      /^Nothing matched within 10ms\. No request has come to this world; does the client use/,
    )
    await ask(sim, `${listing}&limit=5`)
    await ask(sim, '/api/v1/webhooks')
    expect(
      await waitFailure(sim.waitFor({ operation: 'threads.list', query: { limit: '50' } }, timeout)),
    ).toBe(
      [
        'Nothing matched within 10ms. None of the requests fits. Nearest is GET /api/v1/mail/threads?agent=support&limit=5 200:',
        '  query.limit: expected "50", found "5"',
        '2 requests have come:',
        '  GET /api/v1/mail/threads?agent=support&limit=5 200',
        '  GET /api/v1/webhooks 200',
      ].join('\n'),
    )
    const { thread } = await sim.mail.receive({ to: 'support', subject: 'News' })
    expect(await waitFailure(sim.waitFor({ thread: thread.id, has: { unread: false } }, timeout))).toBe(
      `Nothing matched within 10ms. The thread "${thread.id}" differs: thread.unread: expected false, found true.`,
    )
    await expect(sim.waitFor({}, { timeout: 'long' })).rejects.toThrow(TypeError)
  })

  it.each([
    [5, '5 requests have come:'],
    [6, '6 requests have come; the latest:'],
  ])('lists the last five of %i requests', async (count, line) => {
    const sim = await createSimulator({ scenario })
    for (let time = 0; time < count; time++) await ask(sim, listing)
    const text = await waitFailure(sim.waitFor({ operation: 'webhooks.list' }, { timeout: '0s' }))
    expect(text.split('\n').slice(-6)).toEqual([line, ...Array(5).fill(`  GET ${listing} 200`)])
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
