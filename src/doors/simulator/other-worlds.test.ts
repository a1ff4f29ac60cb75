import { describe, expect, it } from 'vitest'
import { createSimulator } from './create-simulator.js'

const scenario = {
  scenario: 'desk',
  seed: 3,
  assume: { 'threads.order': 'created-asc' as const },
  identities: [{ handle: 'support', generate: { threads: 5 } }],
  organizations: [
    {
      name: 'Rival',
      api_keys: ['rival-key'],
      identities: [{ handle: 'support', mailbox_address: 'help@rival.example' }],
      webhooks: [{ url: 'http://127.0.0.1:9/rival', events: ['message.bounced' as const] }],
    },
  ],
}
const attic = { scenario: 'attic', seed: 8, identities: [{ handle: 'ghost', generate: { threads: 2 } }] }

describe('a fork', () => {
  it('has the clock mode of its original world or the given one', async () => {
    const sim = await createSimulator({ scenario })
    expect(sim.fork().clock.mode).toBe('frozen')
    const fast = sim.fork({ clock: '10x' })
    expect([fast.clock.mode, fast.fork().clock.mode]).toEqual(['10x', '10x'])
    expect(() => sim.fork({ clock: 'fastx' as '1x' })).toThrow(
      expect.objectContaining({ code: 'unknown-mode' }),
    )
    expect(sim.worlds()).toHaveLength(4)
    sim.close()
  })

  it('begins with the scenario of its original world', async () => {
    const sim = await createSimulator({ scenario })
    const other = await sim.addWorld({ scenario: attic })
    const before = other.digest()
    await other.mail.receive({ to: 'ghost', text: 'Boo' })
    other.assumptions.set({ 'threads.total': 'page-size' })
    const fork = other.fork()
    expect([fork.scenario, fork.isFirst, fork.digest()]).toEqual(['attic', false, before])
    expect([sim.isFirst, sim.fork().scenario]).toEqual([true, 'desk'])
    sim.close()
  })
})

describe('addWorld', () => {
  it('takes omitted options from its original world', async () => {
    const sim = await createSimulator({ scenario })
    const other = await sim.addWorld({
      scenario: attic,
      assume: { 'threads.total': 'page-size' },
      clock: '5x',
    })
    const further = await other.addWorld({ seed: 9 })
    expect([further.scenario, further.seed, further.clock.mode]).toEqual(['attic', 9, '5x'])
    expect(further.summary()).toEqual({ ...other.summary(), messages: expect.any(Number) })
    expect(further.digest()).not.toBe(other.digest())
    const read = await other.addWorld({ assume: 'threads.unscoped=empty' })
    expect(read.assumptions.current()).toMatchObject({
      'threads.total': 'page-size',
      'threads.unscoped': 'empty',
    })
    expect([read.scenario, read.seed, read.summary()]).toEqual(['attic', 8, other.summary()])
    sim.close()
  })

  it.each([
    ['nothing else', { seed: undefined }],
    ['no extension', { extend: [] }],
    ['a delivery format', { deliveryFormat: { token_header: 'x-token' } }],
  ])('keeps scenario, seed and assumptions with %s', async (_, more) => {
    const sim = await createSimulator({ scenario, seed: 5 })
    const other = await sim.addWorld({ seed: 6, assume: { 'threads.total': 'page-size' } })
    const further = await other.addWorld(more)
    const kept = [further.scenario, further.seed, further.assumptions.current()['threads.total']]
    expect(kept).toEqual(['desk', 6, 'page-size'])
    expect(further.assumptions.origins()).toEqual(other.assumptions.origins())
    expect(further.summary()).toEqual(other.summary())
    sim.close()
  })

  it('uses its own assumptions over those of its scenario, not those set meanwhile', async () => {
    const sim = await createSimulator({ scenario, assume: { 'threads.total': 'page-size' } })
    sim.assumptions.set({ 'threads.unscoped': 'empty' })
    const { assumptions } = await sim.addWorld({ assume: { 'threads.total': 'all-threads' } })
    expect(assumptions.current()).toMatchObject({
      'threads.order': 'created-asc',
      'threads.total': 'all-threads',
      'threads.unscoped': 'all',
    })
    expect(assumptions.origins()).toMatchObject({ 'threads.order': 'scenario', 'threads.total': 'options' })
    sim.close()
  })

  it('shares the base of the last world with the same scenario and seed', async () => {
    const sim = await createSimulator({ scenario })
    const bases: unknown[] = [sim.view.story.base]
    for (const seed of [1, 1, 2, 1])
      bases.push((await sim.addWorld({ scenario: 'empty', seed })).view.story.base)
    bases.push((await sim.addWorld({ assume: 'worst-case' })).view.story.base)
    bases.push((await sim.addWorld({ seed: sim.seed })).view.story.base)
    expect(bases.map((base) => bases.indexOf(base))).toEqual([0, 1, 1, 3, 4, 0, 0])
    sim.close()
  })
})
