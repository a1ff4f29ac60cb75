import { createSimulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { askHandlers, desk, type Sending, transports } from './transports.js'

const requests: [string, string, Sending?][] = [
  ['identities.get', '/api/v1/identities/support'],
  ['identities.update', '/api/v1/identities/support', { method: 'PATCH', body: '{"display_name":"Lost"}' }],
  ['threads.list', '/api/v1/mail/threads'],
  ['messages.list', '/api/v1/mail/messages'],
  ['webhooks.list', '/api/v1/webhooks'],
]

const dropped =
  'The world of this API key was dropped or belongs to another simulator; fork() and POST /_sim/worlds create one with its own key.'

describe.each(Object.entries(transports))('the key of a dropped world, %s', (_, connect) => {
  it.each(requests)('is refused by %s under every assumption', async (operation, path, init) => {
    const { simulator, ask } = await connect()
    const fork = simulator.fork()
    expect((await ask(fork.apiKey, path, init)).status).toBe(200)
    fork.close()
    for (const keys of ['any-key', 'listed-keys']) {
      for (const webhooks of ['required', 'not-required']) {
        simulator.assumptions.set({ 'auth.keys': keys, 'auth.webhooks': webhooks } as never)
        const answer = await ask(fork.apiKey, path, init)
        expect([answer.status, await answer.json()]).toEqual([
          401,
          { error: { code: 'unauthorized', message: dropped } },
        ])
      }
    }
    expect(simulator.identities.get('support').display_name).toBe('support')
    const relied = simulator.journal.exchanges({ operation: operation as 'threads.list' })
    expect(relied.flatMap(({ reliances }) => reliances).map(({ gap }) => gap)).not.toContain('auth.keys')
  })

  it('is refused like any key of its form that the scenario does not list', async () => {
    const { ask } = await connect()
    const statusOf = async (key: string) => (await ask(key, '/api/v1/mail/threads')).status
    expect(await statusOf('sim_0123456789abcdef')).toBe(401)
    expect(await statusOf('sim_short')).toBe(200)
    const listing = { ...desk, organization: { api_keys: ['sim_0123456789abcdef'] } }
    const other = await createSimulator({ scenario: listing })
    expect((await askHandlers(other, 'sim_0123456789abcdef', '/api/v1/mail/threads')).status).toBe(200)
  })

  it('triggers no fault of the first world', async () => {
    const { simulator, ask } = await connect()
    const fork = simulator.fork()
    fork.close()
    simulator.faults.add({ operation: 'threads.list', status: 503, times: 1 })
    expect((await ask(fork.apiKey, '/api/v1/mail/threads')).status).toBe(401)
    expect(simulator.faults.list()).toMatchObject([{ matched: 0, hit: 0 }])
    expect((await ask('desk-key', '/api/v1/mail/threads')).status).toBe(503)
  })
})
