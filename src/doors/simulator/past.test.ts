import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../service/time/random.js'
import { changesIn } from './changes.js'
import { createSimulator } from './create-simulator.js'
import type { SimulatorOptions } from './options.js'
import type { Simulator } from './simulator.js'

async function ask(sim: Simulator, path: string, method = 'GET', body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  return (await getResponse([...sim.handlers], new Request(new URL(path, sim.baseUrl), init))) as Response
}

/** Does something with a mailbox, as a client or beside it. */
async function act(sim: Simulator, seed: number, turn: number): Promise<void> {
  const random = createRandom(seed, `turn ${turn}`)
  const agent = random.pick(sim.identities.list()).agent_handle
  const acts = [
    () => ask(sim, `/api/v1/mail/threads?agent=${agent}`),
    () => ask(sim, `/api/v1/identities/${agent}`, 'PATCH', { display_name: `Turn ${turn}` }),
    () =>
      ask(sim, '/api/v1/mail/messages', 'POST', {
        agent,
        to: 'ann@mail.example',
        subject: 'Hi',
        text: 'Yes',
      }),
    async () => void sim.mail.receive({ to: agent, from: 'Bo <bo@mail.example>', text: `Turn ${turn}` }),
    () => sim.clock.advance(random.pick(['10s', '3m', '2h'])),
    async () => void sim.faults.add({ operation: 'threads.list', status: 503, times: 1, after: 1 }),
    async () => sim.assumptions.set({ 'threads.total': random.pick(['page-size', 'all-matches']) }),
  ]
  await random.pick(acts)()
}

/** Returns what can be read of a mailbox, as text, which is faster to compare. */
function look(sim: Simulator): string {
  const read = {
    snapshot: sim.snapshot(),
    digest: sim.digest(),
    summary: sim.summary(),
    deliveries: sim.deliveries.list(),
    timeline: [sim.timeline.played(), sim.timeline.upcoming()],
    assumptions: [sim.assumptions.current(), sim.assumptions.origins()],
    faults: sim.faults.list(),
    journal: [sim.journal.exchanges(), sim.journal.commands()],
    sent: sim.sent(),
    reliances: sim.reliances(),
  }
  return JSON.stringify(read, null, 1)
}

/** Plays some turns; returns what was seen of the mailbox just after each exchange, by its number. */
async function play(sim: Simulator, seed: number, turns: number): Promise<Map<number, string>> {
  const seen = new Map<number, string>()
  const stop = sim.events.subscribe(({ type, data }) => {
    if (type === 'exchange') queueMicrotask(() => seen.set((data as { seq: number }).seq, look(sim)))
  })
  for (let turn = 0; turn < turns; turn++) await act(sim, seed, turn)
  await new Promise((resolve) => setImmediate(resolve))
  stop()
  return seen
}

const webhooks = [
  { url: 'http://127.0.0.1:8787/hook', events: ['message.received' as const], agent_handle: 'support' },
]
const plays: readonly SimulatorOptions[] = [
  { scenario: 'refund-conversation', extend: ['common'] },
  { scenario: 'duplicate-delivery', extend: ['common'], assume: 'worst-case' },
  { scenario: { scenario: 'desk', identities: [{ handle: 'support' }], webhooks }, extend: ['common'] },
]

describe('a world as it was', () => {
  it.each(plays)('is that of a play that stopped at the exchange: $scenario', async (options) => {
    const sim = await createSimulator({ ...options, receiver: () => new Response(null, { status: 500 }) })
    const seen = await play(sim, 3, 20)
    expect(seen.size).toBeGreaterThan(5)
    for (const [seq, then] of seen) expect(look(sim.asOf(seq))).toEqual(then)
    const [middle = 0] = [...seen.keys()].slice(seen.size / 2)
    const fork = sim.fork({ at: middle })
    expect(fork.digest()).toBe(sim.asOf(middle).digest())
    sim.close()
  })
})

it('keeps rows that do not change once, however many states its history has', async () => {
  const sim = await createSimulator({ scenario: { scenario: 'many', identities: [{ handle: 'support' }] } })
  sim.webhooks.on('https://hooks.example/mail', () => new Response(null, { status: 500 }))
  sim.webhooks.create({ url: 'https://hooks.example/mail', events: ['message.received'] })
  const receive = (from: number, to: number): void => {
    for (let number = from; number < to; number++)
      sim.mail.receive({ to: 'support', from: 'bo@mail.example', subject: `${number}`, text: 'Hi' })
  }
  receive(0, 600)
  const [thread] = sim.mailbox.threads().threads
  sim.threads.markRead(thread?.id ?? '')
  const then = sim.digest()
  await ask(sim, '/api/v1/identities/support')
  receive(600, 750)
  const { history } = sim.paced
  const chunksAt = (position: number) => history.until(position)?.state.written.rows.message ?? []
  const [early, late] = [chunksAt(history.here() - 140), chunksAt(history.here())]
  expect([early[0]?.length, late.at(-1) === early.at(-1)]).toEqual([512, false])
  expect(late[0]).toBe(early[0])
  expect(sim.asOf(1).digest()).toBe(then)
})

describe('what requests and entries of the story changed', () => {
  it('is told as the rows before and after, of one request as of all', async () => {
    const token = 'hook-secret-7'
    const timeline = [
      { key: 'news', after: '1m' as const, receive: { to: 'support', from: 'bo@mail.example', text: 'Hi' } },
      {
        key: 'seen',
        when: { request: 'identities.update' as const, nth: 2 },
        receive: { to: 'support', from: 'bo@mail.example', text: 'Seen' },
      },
      {
        key: 'moved',
        when: { request: 'identities.update' as const, nth: 2 },
        update: { identity: 'sales', display_name: 'Moved' },
      },
      {
        key: 'thanks',
        when: { sent: { to: 'ann@mail.example' } },
        receive: { in_reply_to: 'sent' as const, text: 'Thanks' },
      },
    ]
    const hook = { url: 'http://127.0.0.1:8787/', events: ['message.received' as const], auth_token: token }
    const identities = [{ handle: 'support' }, { handle: 'sales' }]
    const scenario = { scenario: 'desk', identities, webhooks: [hook], timeline }
    const sim = await createSimulator({ scenario, extend: ['common'], receiver: () => new Response() })
    const rename = (name: string) => ask(sim, '/api/v1/identities/support', 'PATCH', { display_name: name })
    await rename('One')
    await ask(sim, '/api/v1/identities/support')
    await sim.clock.advance('2m')
    for (let turn = 0; turn < 300; turn++) await rename(`Turn ${turn}`)
    await ask(sim, '/api/v1/mail/messages', 'POST', { agent: 'support', to: 'ann@mail.example', text: 'Yes' })
    const { exchanges, entries } = changesIn(sim)
    expect(exchanges).toHaveLength(302)
    expect(exchanges[0]).toEqual({
      seq: 1,
      rows: [
        {
          model: 'identity',
          id: sim.identities.get('support').id,
          before: { display_name: 'support', updated_at: '2025-01-05T09:00:00.000Z' },
          after: { display_name: 'One', updated_at: '2026-01-05T09:00:00.000Z' },
        },
      ],
    })
    expect(
      exchanges.at(-1)?.rows.map(({ model, before, after }) => [model, before, after?.['text']]),
    ).toEqual(expect.arrayContaining([['message', null, 'Yes']]))
    const changed = entries.map(({ name, at, rows }) => [name, at, rows.map(({ model }) => model).sort()])
    const [first, second] = ['2026-01-05T09:01:00.000Z', '2026-01-05T09:02:00.000Z']
    expect(changed).toEqual([
      ['news', first, ['message', 'thread']],
      ['seen', second, ['message', 'thread']],
      ['moved', second, ['identity']],
      ['thanks', second, ['message', 'thread']],
    ])
    expect(entries.map(({ rows }) => rows.find(({ model }) => model === 'message')?.after?.['text'])).toEqual(
      ['Hi', 'Seen', undefined, expect.stringContaining('Thanks')],
    )
    for (const seq of [1, 2, 3, 130, 302, 303]) {
      expect(changesIn(sim, seq)).toEqual({
        exchanges: exchanges.filter((one) => one.seq === seq),
        entries: [],
      })
    }
    expect(JSON.stringify(changesIn(sim))).not.toContain(token)
    sim.close()
  })
})

describe('a moment', () => {
  const desk = { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }], webhooks }
  const rename = (sim: Simulator, name: string) =>
    ask(sim, '/api/v1/identities/support', 'PATCH', { display_name: name })
  const nameOf = (sim: Simulator): string | null => sim.identities.get('support').display_name

  it('is an exchange, a delivery or an instant; a fork goes on from it, and a past world only reads', async () => {
    const sim = await createSimulator({ scenario: desk, receiver: () => new Response() })
    await rename(sim, 'One')
    await sim.clock.advance('1m')
    sim.mail.receive({ to: 'support', from: 'bo@mail.example', text: 'Hi' })
    await sim.clock.advance('1m')
    await rename(sim, 'Two')
    await ask(sim, '/api/v1/identities/support')
    const [delivery] = sim.deliveries.list()
    const moments = [1, 2, 3, '2026-01-05T09:00:30Z', sim.clock.now(), delivery?.id ?? '']
    expect(moments.map((at) => nameOf(sim.asOf(at)))).toEqual(['One', 'Two', 'Two', 'One', 'Two', 'One'])
    expect(sim.asOf('2026-01-05T09:00:30Z').clock.now()).toBe('2026-01-05T09:00:30.000Z')
    expect(sim.asOf(delivery?.id ?? '').deliveries.list()).toEqual([delivery])
    expect(sim.asOf(1).deliveries.list()).toEqual([])
    expect(() => sim.asOf(1).faults.add({ status: 503 })).toThrow(
      '"world_1" as it was at 1 can only be read; fork({ at: 1 }) creates a world that goes on from there.',
    )
    const fork = sim.fork({ at: 1 })
    await fork.clock.advance('1m')
    fork.mail.receive({ to: 'support', from: 'bo@mail.example', text: 'Hi' })
    await fork.clock.advance('1m')
    await rename(fork, 'Two')
    expect(fork.digest()).toBe(sim.asOf(2).digest())
  })

  it('that cannot be had is refused with why, and with the earliest that can', async () => {
    const sim = await createSimulator({ scenario: desk })
    const why = (at: number | string): string => {
      try {
        return `${sim.asOf(at)}`
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(why(1)).toBe('There is no exchange 1 yet; the latest is 0.')
    for (const name of ['One', 'Two', 'Three']) await rename(sim, name)
    const snapshot = sim.snapshot()
    sim.restore(snapshot)
    expect(why(2)).toBe(
      'Exchange 2 is no longer known. "world_1" has no exchange that can be gone back to: it was restored from a snapshot before that.',
    )
    await rename(sim, 'Four')
    const reasons = [2, 9, 'del_x', '2027-01-01T00:00:00Z'].map(why)
    expect(reasons).toMatchInlineSnapshot(`
      [
        "Exchange 2 is no longer known. The earliest exchange of "world_1" that can be gone back to is 4: it was restored from a snapshot before that.",
        "There is no exchange 9 yet; the latest is 4.",
        "There is no delivery "del_x" that is still known; a moment is the seq of an exchange, the id of a delivery, or an instant such as 2026-01-05T09:00:00Z. The earliest exchange of "world_1" that can be gone back to is 4: it was restored from a snapshot before that.",
        "2027-01-01T00:00:00Z has not come yet: it is 2026-01-05T09:00:00.000Z.",
      ]
    `)
    sim.journal.clear()
    expect(why(4)).toContain('its journal was cleared before that')
  })
})
