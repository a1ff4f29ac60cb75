import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordedExchange } from '../../test/support/world/recorded-exchange.js'
import { annsMail, smallWorld } from '../../test/support/world/small-world.js'
import { Journal } from './journal.js'
import { Masker } from './masking/masker.js'
import { type Reliance, summarizeReliances } from './reliances.js'

const at = Date.parse('2026-01-05T09:00:00Z')

describe('a journal', () => {
  it('keeps the newest entries in order, like a plain list cut at its end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), fc.nat(40), (entries, count) => {
        const journal = new Journal('world_1', new Masker(), { entries, bodyCharacters: 10 })
        for (let index = 1; index <= count; index++) {
          journal.record(recordedExchange({ path: `/${index}` }))
          journal.recordCommand(at, { type: 'delete-webhook', webhook_id: `whk_${index}` })
        }
        const kept = Array.from({ length: count }, (_, index) => index + 1).slice(
          Math.max(0, count - entries),
        )
        const exchanges = journal.exchanges()
        expect(exchanges.map(({ seq }) => seq)).toEqual(kept)
        expect(exchanges.map(({ path }) => path)).toEqual(kept.map((seq) => `/${seq}`))
        expect(journal.commands().map(({ seq }) => seq)).toEqual(kept)
      }),
    )
  })

  it('keeps ten thousand entries when nobody says otherwise', () => {
    const journal = new Journal('world_1')
    const recorded = recordedExchange()
    for (let index = 0; index < 12_345; index++) journal.record(recorded)
    const exchanges = journal.exchanges()
    expect(exchanges).toHaveLength(10_000)
    expect(exchanges[0]?.seq).toBe(2346)
    expect(exchanges.at(-1)?.seq).toBe(12_345)
  })

  it('finds exchanges by operation and after a sequence number', () => {
    const journal = new Journal('world_1')
    const operations = ['threads.list', 'messages.list', null, 'threads.list'] as const
    for (const operation of operations) journal.record(recordedExchange({ operation }))
    const found = (filter: Parameters<Journal['exchanges']>[0]) =>
      journal.exchanges(filter).map(({ seq }) => seq)
    expect(found({})).toEqual([1, 2, 3, 4])
    expect(found({ operation: 'threads.list' })).toEqual([1, 4])
    expect(found({ operation: 'webhooks.list' })).toEqual([])
    expect(found({ since: 0 })).toEqual([1, 2, 3, 4])
    expect(found({ since: 3 })).toEqual([4])
    expect(found({ since: 4 })).toEqual([])
    expect(found({ operation: 'threads.list', since: 1 })).toEqual([4])
  })

  it('goes on counting after it was cleared, so that nobody who waits misses an exchange', () => {
    const journal = new Journal('world_1')
    journal.record(recordedExchange())
    journal.recordCommand(at, { type: 'delete-webhook', webhook_id: 'whk_x' })
    journal.clear()
    expect(journal.exchanges()).toEqual([])
    expect(journal.commands()).toEqual([])
    expect(summarizeReliances(journal.relied())).toEqual([])
    journal.record(recordedExchange())
    expect(journal.exchanges({ since: 1 }).map(({ seq }) => seq)).toEqual([2])
  })

  it('sums up what its exchanges relied on', () => {
    const total: Reliance = { gap: 'threads.total', reading: 'all-matches', instead: ['page-size'] }
    const order: Reliance = { gap: 'threads.order', reading: 'last-message-desc', instead: ['created-desc'] }
    const changed: Reliance = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'] }
    const journal = new Journal('world_1', new Masker(), { entries: 5, bodyCharacters: 10 })
    journal.record(recordedExchange({ operation: 'webhooks.list', reliances: [order] }))
    journal.record(recordedExchange({ reliances: [total] }))
    journal.record(recordedExchange({ reliances: [order, total] }))
    journal.record(recordedExchange({ operation: 'messages.list', reliances: [total] }))
    journal.record(recordedExchange({ operation: null, reliances: [total] }))
    journal.record(recordedExchange({ reliances: [changed] }))
    expect(summarizeReliances(journal.relied())).toEqual([
      {
        gap: 'threads.total',
        reading: 'all-matches',
        operations: ['threads.list', 'messages.list'],
        count: 4,
      },
      {
        gap: 'threads.order',
        reading: 'last-message-desc',
        operations: ['threads.list'],
        count: 1,
      },
      { gap: 'threads.total', reading: 'page-size', operations: ['threads.list'], count: 1 },
    ])
  })
})

describe('what a world keeps of what happened', () => {
  it('stays within its budget of bytes, however large commands and requests are', () => {
    const world = smallWorld()
    for (let turn = 0; turn < 2000; turn++) {
      const description = `${turn} ${'x'.repeat(60_000)}`
      world.apply({ type: 'update-identity', identity_id: 'ident_support', description })
      world.record(recordedExchange({ requestBody: description }))
    }
    const { usage } = world.journal
    expect(usage.bytes).toBeLessThan(64 * 1024 * 1024)
    expect(world.feed.bytes).toBeLessThan(32 * 1024 * 1024)
    expect(usage.exchanges).toBeGreaterThan(100)
    expect(world.journal.exchanges().at(-1)?.request.body).toMatch(/^1999 /)
  })

  it('has the files of mail only as long as the mailbox has them', () => {
    const world = smallWorld()
    const content = 'aGVsbG8='
    world.apply(annsMail({ attachments: [{ filename: 'a.txt', content }] }))
    const shown = (): unknown => world.journal.commands()[0]?.command
    expect(shown()).toMatchObject({ attachments: [{ filename: 'a.txt', content }] })
    world.apply({ type: 'delete-identity', identity_id: 'ident_support' })
    expect(shown()).toMatchObject({ attachments: [{ filename: 'a.txt', content: '' }] })
  })
})
