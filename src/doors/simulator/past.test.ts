import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { changesIn } from '../controls/log.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'

async function ask(sim: Simulator, path: string, method = 'GET', body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  return (await getResponse([...sim.handlers], new Request(new URL(path, sim.baseUrl), init))) as Response
}

const webhooks = [
  { url: 'http://127.0.0.1:8787/hook', events: ['message.received' as const], agent_handle: 'support' },
]

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
      seq: sim.journal.exchanges()[0]?.seq,
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
    for (const { seq } of sim.journal.exchanges()) {
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

  it('is the number of an entry, from which a fork goes on', async () => {
    const sim = await createSimulator({ scenario: desk, receiver: () => new Response() })
    await rename(sim, 'One')
    await sim.clock.advance('1m')
    sim.mail.receive({ to: 'support', from: 'bo@mail.example', text: 'Hi' })
    await sim.clock.advance('1m')
    await rename(sim, 'Two')
    const [one, two] = sim.journal.exchanges().map(({ seq }) => seq)
    expect([one, two].map((at) => nameOf(sim.fork({ at })))).toEqual(['One', 'Two'])
    const fork = sim.fork({ at: one })
    await fork.clock.advance('1m')
    fork.mail.receive({ to: 'support', from: 'bo@mail.example', text: 'Hi' })
    await fork.clock.advance('1m')
    await rename(fork, 'Two')
    expect(fork.digest()).toBe(sim.fork({ at: two }).digest())
  })

  it('that cannot be had is refused with why, and with the earliest that can', async () => {
    const sim = await createSimulator({ scenario: desk })
    const why = (at: number): string => {
      try {
        return `${sim.fork({ at })}`
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(why(1)).toBe('There is no entry 1 in its log yet; the latest is 0.')
    for (const name of ['One', 'Two', 'Three']) await rename(sim, name)
    sim.restore(sim.snapshot())
    expect(why(2)).toBe('What "world_1" was at 2 is no longer known; the earliest is 6.')
    await rename(sim, 'Four')
    sim.journal.clear()
    expect(why(8)).toBe('What "world_1" was at 8 is no longer known; the earliest is 9.')
    expect(nameOf(sim.fork({ at: 9 }))).toBe('Four')
  })
})
