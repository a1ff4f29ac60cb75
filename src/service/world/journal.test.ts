import { describe, expect, it } from 'vitest'
import { recordedExchange } from '../../../test/support/world/recorded-exchange.js'
import { annsMail, smallWorld } from '../../../test/support/world/small-world.js'

describe('the journal', () => {
  it('keeps 10,000 exchanges by default', () => {
    const world = smallWorld()
    const recorded = recordedExchange()
    for (let index = 0; index < 12_345; index++) world.record(recorded)
    const exchanges = world.journal.exchanges()
    expect(exchanges).toHaveLength(10_000)
    expect(exchanges[0]?.seq).toBe(2346)
    expect(exchanges.at(-1)?.seq).toBe(12_345)
  })
})

describe('the log of a world', () => {
  it('stays within its limits for large commands and requests, of which bodies go first', () => {
    const world = smallWorld()
    for (let turn = 0; turn < 1200; turn++) {
      const description = `${turn} ${'x'.repeat(60_000)}`
      world.apply({ type: 'update-identity', identity_id: 'ident_support', description })
      world.record(recordedExchange({ requestBody: description }))
    }
    const exchanges = world.journal.exchanges()
    expect(exchanges.at(-1)?.request.body).toMatch(/^1199 /)
    expect(exchanges[0]?.request.body).toBeNull()
    expect(world.journal.usage.commands * 60_000).toBeLessThan(64 * 1024 * 1024)
    expect(world.journal.usage.commands).toBeGreaterThan(900)
    expect(world.log.forgotten('threads.list')).toBe(1200 - exchanges.length)
  })

  it('gives the state after each entry that is kept, and none before', () => {
    const world = smallWorld()
    for (let turn = 0; turn < 10_050; turn++) {
      if (turn % 100 === 0) world.apply(annsMail({ text: `${turn}` }))
      world.record(recordedExchange())
    }
    const { oldest, latest } = world.log
    expect(() => world.stateAt(oldest - 2)).toThrow('is no longer known')
    const counts = [oldest - 1, latest].map((seq) => [...world.stateAt(seq).store.all('message')].length)
    expect(counts[1]).toBe([...world.store.all('message')].length)
    expect((counts[1] as number) - (counts[0] as number)).toBe(world.journal.usage.commands)
  })
})
