import { createSimulator, type Simulator, WorldError } from 'agent-mailbox-sim'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { followFakeTimers } from '../support/fake-timers.js'
import { askHandlers, desk } from './transports.js'

followFakeTimers()

afterEach(() => {
  vi.useRealTimers()
})

const listing = async (simulator: Simulator, key = simulator.apiKey): Promise<string> =>
  (await askHandlers(simulator, key, '/api/v1/mail/threads')).text()

/** Everything that changes a world. */
const changes: [string, (world: Simulator) => unknown][] = [
  ['mail.receive', (world) => world.mail.receive({ to: 'support', text: 'Late' })],
  ['mail.send', (world) => world.mail.send({ from: 'support', to: 'ann@mail.example', text: 'Late' })],
  ['identities.create', (world) => world.identities.create({ handle: 'late' })],
  ['identities.delete', (world) => world.identities.delete('support')],
  [
    'webhooks.create',
    (world) => world.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['message.received'] }),
  ],
  ['deliveries.redeliver', (world) => world.deliveries.redeliver('dlv_none')],
  ['faults.add', (world) => world.faults.add({ reset: true })],
  ['assumptions.set', (world) => world.assumptions.set({ 'threads.total': 'page-size' })],
  ['restore', (world) => world.restore(world.snapshot())],
  ['reset', (world) => world.reset()],
  ['reload', (world) => world.reload()],
]

const clockChanges: [string, (world: Simulator) => unknown][] = [
  ['clock.advance', (world) => world.clock.advance('5m')],
  ['clock.advanceTo', (world) => world.clock.advanceTo('2099-01-01T00:00:00Z')],
  ['clock.setMode', (world) => world.clock.setMode('10x')],
]

describe('a closed fork', () => {
  it('can be closed again, as can the first world', async () => {
    const simulator = await createSimulator({ scenario: desk })
    const fork = simulator.fork()
    for (let time = 0; time < 2; time++) {
      fork.close()
      expect(simulator.world(fork.id)).toBeUndefined()
      expect(simulator.worlds().map(({ id }) => id)).toEqual(['world_1'])
    }
    simulator.close()
    fork.close()
    simulator.close()
  })

  it('can still be read', async () => {
    const simulator = await createSimulator({ scenario: desk })
    const fork = simulator.fork()
    await listing(fork)
    await fork.clock.advance('1m')
    const { digest, now } = { digest: fork.digest(), now: fork.clock.now() }
    fork.close()
    expect(fork.journal.exchanges()).toHaveLength(1)
    expect(fork.timeline.played()).toHaveLength(1)
    expect([fork.digest(), fork.clock.now()]).toEqual([digest, now])
    const copy = simulator.fork()
    copy.restore(fork.snapshot())
    expect(copy.digest()).toBe(digest)
  })

  it.each(changes)('refuses changes: %s', async (_, change) => {
    const fork = (await createSimulator({ scenario: desk })).fork()
    fork.close()
    const before = fork.digest()
    await expect(Promise.resolve(fork).then(change)).rejects.toMatchObject({
      name: 'WorldError',
      code: 'closed',
      message:
        'The world "world_2" was closed and can no longer change; fork() of another world creates a new one.',
    })
    expect(fork.digest()).toBe(before)
  })

  it.each(clockChanges)('refuses changes of the clock: %s', async (_, change) => {
    const fork = (await createSimulator({ scenario: desk })).fork()
    fork.close()
    await expect(Promise.resolve(fork).then(change)).rejects.toMatchObject({
      name: 'WorldError',
      code: 'stopped',
    })
  })

  it('leaves no timers', async () => {
    vi.useFakeTimers()
    const simulator = await createSimulator({ scenario: desk, clock: '10x' })
    const fork = simulator.fork()
    fork.close()
    expect(() => fork.reset()).toThrow(WorldError)
    await vi.advanceTimersByTimeAsync(6000)
    expect(fork.timeline.left).toBe(1)
    expect(simulator.timeline.left).toBe(0)
    simulator.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects waits', async () => {
    const simulator = await createSimulator({ scenario: desk })
    const fork = simulator.fork()
    const waiting = fork.waitFor({ operation: 'threads.list' }, { timeout: '1h' })
    fork.close()
    await expect(waiting).rejects.toThrow(/^The world was closed during the wait\.[\s\S]*No request has come/)
    const late = fork.waitFor({ operation: 'threads.list' }, { timeout: '1h' })
    await expect(late).rejects.toThrow(/^The world was closed during the wait\./)
  })
})

describe('a closed simulator', () => {
  it('closes its forks and creates no more', async () => {
    const simulator = await createSimulator({ scenario: desk })
    const fork = simulator.fork()
    simulator.close()
    expect(() => fork.reset()).toThrow(WorldError)
    expect(simulator.worlds().map(({ id }) => id)).toEqual(['world_1'])
    expect(() => simulator.fork()).toThrow(
      'The simulator was closed and cannot create worlds; create another simulator.',
    )
    await expect(simulator.addWorld({ seed: 4 })).rejects.toThrow(WorldError)
    expect(() => fork.fork()).toThrow(WorldError)
  })

  it('refuses requests with any key', async () => {
    const simulator = await createSimulator({ scenario: desk })
    const { apiKey } = simulator.fork()
    simulator.close()
    for (const key of ['desk-key', 'anything', apiKey]) {
      expect(await listing(simulator, key)).toContain('The simulator was closed.')
    }
  })
})
