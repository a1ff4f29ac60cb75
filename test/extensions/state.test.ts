import { describe, expect, it } from 'vitest'
import drafts from '../../examples/extensions/drafts.js'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { defineExtension } from '../../src/service/extensions/define-extension.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { askHandlers } from '../support/ask-handlers.js'

const scenario: ScenarioInput = {
  scenario: 'desk',
  identities: [{ handle: 'support' }, { handle: 'sales' }],
  organizations: [{ name: 'Other', api_keys: ['other-key'], identities: [{ handle: 'support' }] }],
}

const labels = defineExtension(({ operation, z }) => [
  operation({
    id: 'labels.put',
    method: 'PUT',
    path: '/api/v1/labels/{name}',
    body: z.object({ color: z.string().nullable() }),
    perform({ params, body, state }) {
      state.set(`labels/${params.name}`, body.color === null ? undefined : { color: body.color })
      return state.get(`labels/${params.name}`) ?? null
    },
  }),
  operation({
    id: 'labels.list',
    method: 'GET',
    path: '/api/v1/labels',
    perform: ({ state }) => state.list('labels/'),
  }),
  operation({
    id: 'labels.break',
    method: 'POST',
    path: '/api/v1/labels/break',
    perform({ state }) {
      const kept = state.get<{ color: string }>('labels/vip')
      if (kept) kept.color = 'changed in place'
      state.set('labels/function', () => undefined)
    },
  }),
])

async function put(
  sim: Pick<Simulator, 'apiKey' | 'baseUrl' | 'handlers'>,
  name: string,
  color: string | null,
) {
  return (await askHandlers(sim as never, 'PUT', `/labels/${name}`, { color })).body
}

async function labelsOf(sim: unknown, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await askHandlers(sim as never, 'GET', '/labels', undefined, headers)
  return body.map(({ key, value }: never) => `${key} ${(value as { color: string }).color}`).join(', ')
}

describe('the state of an extension', () => {
  it('is part of the world: of its forks, its past, its snapshots, its digest and its organization', async () => {
    const sim = await createSimulator({ scenario, extend: [labels], onDefect: () => undefined })
    const [empty, start] = [sim.digest(), sim.snapshot()]
    expect(start.rows).not.toHaveProperty('value')
    expect(await put(sim, 'vip', 'red')).toEqual({ color: 'red' })
    await put(sim, 'spam', 'grey')
    await put(sim, 'vip', 'gold')
    expect(await labelsOf(sim)).toBe('labels/vip gold, labels/spam grey')
    expect(await labelsOf(sim, { authorization: 'Bearer other-key' })).toBe('')
    expect(sim.digest()).not.toBe(empty)
    const snapshot = JSON.parse(JSON.stringify(sim.snapshot()))
    const fork = sim.fork()
    expect(await labelsOf(fork)).toBe('')
    await put(fork, 'fork', 'blue')
    const at = sim.journal.exchanges()[1]?.seq
    expect(await labelsOf(sim.fork({ at }))).toBe('labels/vip red, labels/spam grey')
    expect(await put(sim, 'spam', null)).toBe(null)
    expect(await labelsOf(sim)).toBe('labels/vip gold')
    expect(await askHandlers(sim, 'POST', '/labels/break')).toMatchObject({
      status: 500,
      body: { error: { message: expect.stringContaining('needs a value that JSON can express') } },
    })
    expect(await labelsOf(sim)).toBe('labels/vip gold')
    sim.reset()
    expect([await labelsOf(sim), sim.digest()]).toEqual(['', empty])
    sim.restore(snapshot)
    expect(await labelsOf(sim)).toBe('labels/vip gold, labels/spam grey')
    sim.close()
  })
})

describe('drafts', () => {
  const mail = { agent: 'support', to: 'ann@example.com', subject: 'Refund', text: 'Here it is.' }

  it('are sent once a person of the story has approved them', async () => {
    const timeline: ScenarioInput['timeline'] = [
      { when: { request: 'drafts.get', nth: 2 }, approve: 'drafts' },
      { when: { request: 'drafts.list' }, reject: { of: 'drafts', reason: 'Too short.' } },
      { after: '1h', approve: 'drafts' },
    ]
    const sim = await createSimulator({ scenario: { ...scenario, timeline }, extend: [drafts] })
    const ask = (method: string, path: string, body?: unknown) => askHandlers(sim, method, path, body)
    const draft = await ask('POST', '/mail/drafts', mail)
    expect(draft).toMatchObject({
      status: 201,
      body: { id: 'draft_1', to: ['ann@example.com'], status: 'pending' },
    })
    const early = await ask('POST', '/mail/drafts/draft_1/send')
    expect([early.status, early.body.error.message]).toEqual([
      409,
      'The draft draft_1 is pending; only an approved one is sent.',
    ])
    const statuses = []
    for (let time = 0; time < 2; time++) {
      statuses.push((await ask('GET', '/mail/drafts/draft_1')).body.status)
    }
    expect(statuses).toEqual(['pending', 'approved'])
    const sent = await ask('POST', '/mail/drafts/draft_1/send')
    expect(sent.body).toMatchObject({ status: 'sent' })
    expect(sim.sent().map(({ id }) => id)).toEqual([sent.body.message_id])
    await ask('POST', '/mail/drafts', { ...mail, agent: 'sales' })
    expect((await ask('GET', '/mail/drafts?status=rejected')).body).toMatchObject({
      drafts: [{ id: 'draft_2', decided_at: sim.clock.now() }],
      total: 1,
    })
    expect((await ask('POST', '/mail/drafts/draft_2/send')).body.error.message).toBe(
      'The draft draft_2 is rejected (Too short.); only an approved one is sent.',
    )
    await sim.clock.advance('1h')
    expect(sim.timeline.played().at(-1)?.problem).toMatch(/^Nothing of "drafts" is pending/)
    sim.close()
  })
})
