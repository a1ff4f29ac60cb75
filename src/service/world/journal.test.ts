import { describe, expect, it } from 'vitest'
import { recordedExchange } from '../../../test/support/world/recorded-exchange.js'
import { annsMail, smallWorld } from '../../../test/support/world/small-world.js'
import { type Reliance, summarizeReliances } from '../assumptions/settle.js'
import { Journal } from './journal.js'

describe('Journal', () => {
  it('keeps 10,000 exchanges by default', () => {
    const journal = new Journal('world_1')
    const recorded = recordedExchange()
    for (let index = 0; index < 12_345; index++) journal.record(recorded)
    const exchanges = journal.exchanges()
    expect(exchanges).toHaveLength(10_000)
    expect(exchanges[0]?.seq).toBe(2346)
    expect(exchanges.at(-1)?.seq).toBe(12_345)
  })

  it('summarizes the reliances of its exchanges', () => {
    const total: Reliance = { gap: 'threads.total', assumption: 'all-matches', instead: ['page-size'] }
    const order: Reliance = {
      gap: 'threads.order',
      assumption: 'last-message-desc',
      instead: ['created-desc'],
    }
    const changed: Reliance = { gap: 'threads.total', assumption: 'page-size', instead: ['all-matches'] }
    const journal = new Journal('world_1')
    journal.record(recordedExchange({ operation: 'webhooks.list', reliances: [order] }))
    journal.record(recordedExchange({ reliances: [total] }))
    journal.record(recordedExchange({ reliances: [order, total] }))
    journal.record(recordedExchange({ operation: 'messages.list', reliances: [total] }))
    journal.record(recordedExchange({ operation: null, reliances: [total] }))
    journal.record(recordedExchange({ reliances: [changed] }))
    expect(summarizeReliances(journal.relied())).toEqual([
      {
        gap: 'threads.order',
        assumption: 'last-message-desc',
        operations: ['webhooks.list', 'threads.list'],
        count: 2,
      },
      {
        gap: 'threads.total',
        assumption: 'all-matches',
        operations: ['threads.list', 'messages.list'],
        count: 4,
      },
      { gap: 'threads.total', assumption: 'page-size', operations: ['threads.list'], count: 1 },
    ])
  })
})

describe('the memory of a world', () => {
  it('stays within its limits for large commands and requests', () => {
    const world = smallWorld()
    for (let turn = 0; turn < 1200; turn++) {
      const description = `${turn} ${'x'.repeat(60_000)}`
      world.apply({ type: 'update-identity', identity_id: 'ident_support', description })
      world.record(recordedExchange({ requestBody: description }))
    }
    const { usage } = world.journal
    expect(usage.bytes).toBeLessThan(64 * 1024 * 1024)
    // Each turn adds two events, and each event about as many bytes as the description.
    expect((world.feed.latest - world.feed.oldest) * 60_000).toBeLessThan(32 * 1024 * 1024)
    expect(usage.exchanges).toBeGreaterThan(100)
    expect(world.journal.exchanges().at(-1)?.request.body).toMatch(/^1199 /)
  })

  it('drops the files of deleted mail', () => {
    const world = smallWorld()
    const content = 'aGVsbG8='
    world.apply(annsMail({ attachments: [{ filename: 'a.txt', content }] }))
    const shown = (): unknown => world.journal.commands()[0]?.command
    expect(shown()).toMatchObject({ attachments: [{ filename: 'a.txt', content }] })
    world.apply({ type: 'delete-identity', identity_id: 'ident_support' })
    expect(shown()).toMatchObject({ attachments: [{ filename: 'a.txt', content: '' }] })
  })
})
