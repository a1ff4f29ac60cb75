import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
import { serveDesk } from './desk.js'

const threads = async ({ url }: RunningServer, key: string) => {
  const answer = await fetch(`${url}/api/v1/mail/threads`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()).threads.map(({ subject }: { subject: string }) => subject)
}

const idsOf = ({ simulator }: RunningServer) => simulator.worlds().map(({ id }) => id)

describe('POST /_sim/worlds', () => {
  it('creates a separate world with its own key', async () => {
    const server = await serveDesk()
    const made = await ask(server, 'POST', '/worlds')
    const { api_key: key } = made.body
    expect(made).toEqual({
      status: 201,
      body: { id: 'world_2', api_key: expect.stringMatching(/^sim_/), scenario: 'desk', seed: 3 },
    })
    const mail = { to: 'support', subject: 'For one' }
    expect((await ask(server, 'POST', '/messages', { world: 'world_2', body: mail })).status).toBe(201)
    expect(await threads(server, key)).toEqual(['For one', 'Where is my order?'])
    expect(await threads(server, 'desk-key')).toEqual(['Where is my order?'])
    const other = await ask(server, 'POST', '/worlds', { body: {} })
    expect(await threads(server, other.body.api_key)).toEqual(['Where is my order?'])
  })

  it('accepts attacks by name, and no empty list of them', async () => {
    const server = await serveDesk()
    const under = (attack: readonly string[]) => {
      return ask(server, 'POST', '/worlds', { body: { scenario: 'prompt-injection', attack } })
    }
    expect((await under([])).status).toBe(400)
    const names = ['voice-of-the-system', 'tokens-wanted']
    expect((await under(names)).status).toBe(201)
    expect(
      server.simulator
        .worlds()
        .at(-1)
        ?.laidAttacks.map(({ name }) => name),
    ).toEqual(names)
  })

  it('accepts another scenario, seed, assumptions and clock', async () => {
    const server = await serveDesk()
    const body = {
      scenario: 'refund-request',
      seed: 4,
      assume: 'threads.total=page-size,threads.order=created-asc',
      clock: '10x',
    }
    const { status, body: made } = await ask(server, 'POST', '/worlds', { body })
    expect([status, made.scenario, made.seed]).toEqual([201, 'refund-request', 4])
    const { id: world } = made
    expect((await ask(server, 'GET', '/clock', { world })).body.mode).toBe('10x')
    const { assumptions, origins } = (await ask(server, 'GET', '/assumptions', { world })).body
    expect(assumptions['threads.total']).toBe('page-size')
    expect([origins['threads.total'], origins['threads.order']]).toEqual(['options', 'options'])
    expect((await ask(server, 'GET', '/assumptions')).body.assumptions['threads.total']).toBe('all-matches')
  })
})

describe('the worlds', () => {
  it('are listed with their keys, oldest first', async () => {
    const server = await serveDesk()
    const made = [await ask(server, 'POST', '/worlds'), await ask(server, 'POST', '/worlds')]
    const first = { id: 'world_1', api_key: 'desk-key', scenario: 'desk', seed: 3 }
    const worlds = [first, ...made.map(({ body }) => body)]
    expect(await ask(server, 'GET', '/worlds')).toEqual({ status: 200, body: { worlds } })
    for (const body of worlds)
      expect(await ask(server, 'GET', `/worlds/${body.id}`)).toEqual({ status: 200, body })
  })

  it('are deleted one by one, with their keys', async () => {
    const server = await serveDesk()
    const { id, api_key: key } = (await ask(server, 'POST', '/worlds')).body
    expect(await threads(server, key)).toHaveLength(1)
    expect((await ask(server, 'DELETE', `/worlds/${id}`)).status).toBe(204)
    expect(idsOf(server)).toEqual(['world_1'])
    for (const [method, path, world] of [
      ['DELETE', `/worlds/${id}`],
      ['GET', `/worlds/${id}`],
      ['GET', '/world', id],
      ['POST', '/reset', id],
    ] as const) {
      expect(await refusal(server, method, path, world ? { world } : {})).toMatch(
        /^404 unknown_world: There is no world "world_2"; POST \/_sim\/worlds creates one/,
      )
    }
    const answer = await fetch(`${server.url}/api/v1/mail/threads`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(401)
    expect((await ask(server, 'POST', '/worlds')).body.id).toBe('world_3')
  })
})

describe('GET /_sim/world', () => {
  it('returns the scenario, time and counts of a world', async () => {
    const server = await serveDesk()
    const world = {
      id: 'world_1',
      scenario: 'desk',
      seed: 3,
      start: '2026-01-05T09:00:00.000Z',
      now: '2026-01-05T09:00:00.000Z',
      clock: 'frozen',
      counts: { agents: 1, threads: 1, messages: 2, webhooks: 1, deliveries: 0 },
      journal: { exchanges: 0, commands: 0 },
    }
    expect(await ask(server, 'GET', '/world')).toEqual({ status: 200, body: world })
    expect((await ask(server, 'GET', '/world?digest=false')).body).toEqual(world)
    await ask(server, 'POST', '/clock', { body: { advance: '1h' } })
    await ask(server, 'POST', '/messages', { body: { to: 'support' } })
    const later = { ...world, now: '2026-01-05T10:00:00.000Z' }
    const counts = { ...world.counts, threads: 2, messages: 3, deliveries: 1 }
    expect((await ask(server, 'GET', '/world')).body).toEqual({
      ...later,
      counts,
      journal: { exchanges: 0, commands: 1 },
    })
  })
})

describe('requests for a selected world', () => {
  it('neither show nor change another world', async () => {
    const server = await serveDesk()
    const { id: world, api_key: key } = (await ask(server, 'POST', '/worlds')).body
    const paths = ['/clock', '/deliveries', '/faults', '/journal', '/journal/commands', '/timeline']
    const shown = async (sent: object = {}) =>
      Promise.all(paths.map(async (path) => (await ask(server, 'GET', path, sent)).body))
    const before = await shown()
    await ask(server, 'POST', '/messages', { world, body: { to: 'support' } })
    await ask(server, 'POST', '/clock', { world, body: { advance: '1d' } })
    await ask(server, 'POST', '/faults', { world, body: { status: 500 } })
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${server.url}/api/v1/mail/threads`, { headers })).status).toBe(500)
    expect(await shown()).toEqual(before)
    expect(await shown({ world })).toMatchObject([
      { now: '2026-01-06T09:00:00.000Z' },
      { deliveries: [{ event: { type: 'message.received' } }] },
      { faults: [{ hit: 1 }] },
      { exchanges: [{ world }] },
      { commands: [{ command: { type: 'receive-message' } }] },
      { played: [] },
    ])
    expect(await threads(server, 'desk-key')).toHaveLength(1)
    const { deliveries } = (await ask(server, 'GET', `/deliveries?world=${world}`)).body
    expect(deliveries).toHaveLength(1)
    await ask(server, 'POST', '/reset', { world })
    expect((await ask(server, 'GET', '/deliveries', { world })).body).toEqual({ deliveries: [] })
  })
})

describe('a moment (at)', () => {
  const rename = async ({ url }: RunningServer, name: string, key = 'desk-key') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ display_name: name })
    await (await fetch(`${url}/api/v1/identities/support`, { method: 'PATCH', headers, body })).text()
  }

  it('is where another world goes on', async () => {
    const server = await serveDesk()
    await rename(server, 'One')
    const { digest } = (await ask(server, 'GET', '/world?digest=true')).body
    const [{ seq }] = (await ask(server, 'GET', '/journal')).body.exchanges
    await ask(server, 'PATCH', '/assumptions', { body: { 'threads.total': 'page-size' } })
    await ask(server, 'POST', '/messages', { body: { to: 'support', subject: 'Later' } })
    await rename(server, 'Two')
    const { api_key: key, id: world } = (await ask(server, 'POST', '/worlds', { body: { at: seq } })).body
    expect((await ask(server, 'GET', '/world?digest=true', { world })).body.digest).toBe(digest)
    expect((await ask(server, 'GET', '/assumptions', { world })).body.assumptions['threads.total']).toBe(
      'all-matches',
    )
    expect(await threads(server, key)).toEqual(['Where is my order?'])
  })
})
