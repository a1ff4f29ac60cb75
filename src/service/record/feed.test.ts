import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { EventFeed, type EventFeedGap, EventFeedReader, type WorldEvent } from './event-feed.js'

const at = Date.parse('2026-01-05T09:00:00Z')

function open(onDefect: (error: unknown) => void = () => undefined): EventFeed {
  return new EventFeed('world_1', onDefect)
}

function publish(feed: EventFeed, data: unknown = {}): void {
  feed.publish('command', at, { show: () => data })
}

/** Reads to the end: `7` for the entry of that number, `7- (2)` for a gap of two entries that ends there. */
function readAll(reader: EventFeedReader): string[] {
  const found: string[] = []
  for (let next = reader.next(); next; next = reader.next()) {
    found.push(next.type === 'gap' ? `${next.seq}- (${next.missed})` : String(next.seq))
  }
  return found
}

describe('EventFeed', () => {
  it('keeps 10,000 entries', () => {
    const feed = open()
    for (let count = 0; count < 10_002; count++) publish(feed)
    expect([feed.oldest, feed.latest]).toEqual([3, 10_002])
    expect(readAll(new EventFeedReader(feed, 9_999))).toEqual(['10000', '10001', '10002'])
    expect(readAll(new EventFeedReader(feed, 0)).slice(0, 2)).toEqual(['2- (2)', '3'])
  })

  it('renders the data of an entry only when it is read', () => {
    const feed = open()
    const show = vi.fn(() => 'shown')
    feed.publish('exchange', at, { show })
    feed.publish('clock', at, { show: () => 'clock' })
    const reader = new EventFeedReader(feed, 0, new Set(['clock']))
    expect(reader.next()).toMatchObject({ seq: 2, data: 'clock' })
    expect(show).not.toHaveBeenCalled()
    expect(feed.after(0)[0]?.data).toBe('shown')
  })

  it('renders an entry once as JSON while somebody listens, within limits', () => {
    let secrets = 0
    const feed = new EventFeed(
      'world_1',
      () => undefined,
      () => secrets,
    )
    const shown: string[] = []
    const publishLong = (name: string): void => {
      const show = () => {
        shown.push(name)
        return 'x'.repeat(7_000_000)
      }
      feed.publish('command', at, { show })
    }
    const read = (): string => {
      const reader = new EventFeedReader(feed, 0)
      for (let next = reader.nextEncoded(); next; next = reader.nextEncoded());
      return shown.splice(0).join(' ')
    }
    const stop = feed.subscribe(() => undefined)
    publishLong('a')
    publishLong('b')
    expect([read(), read()]).toEqual(['a b', ''])
    secrets++
    expect([read(), read()]).toEqual(['a b', ''])
    publishLong('c')
    expect([read(), read()]).toEqual(['c', 'a b c'])
    stop()
    expect(feed.encodedAt(3)).toBeDefined()
    expect(shown).toEqual(['c'])
  })

  it('lets subscribers read entries before they are dropped', () => {
    const feed = open()
    const reader = new EventFeedReader(feed, 0)
    const read: string[] = []
    feed.subscribe((forgetting) => forgetting && read.push(...readAll(reader)))
    publish(feed)
    publish(feed)
    feed.clear()
    publish(feed)
    expect(read).toEqual(['1', '2'])
    expect(readAll(reader)).toEqual(['3'])
  })
})

describe('EventFeedReader', () => {
  it('returns every entry once in order, or a gap', () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.constant('publish' as const) },
      { weight: 4, arbitrary: fc.constant('read' as const) },
      fc.constant('clear' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const feed = open()
        const reader = new EventFeedReader(feed, 0)
        const found: (WorldEvent | EventFeedGap)[] = []
        for (const what of [...steps, ...Array.from({ length: 61 }, () => 'read' as const)]) {
          if (what === 'publish') publish(feed)
          else if (what === 'clear') feed.clear()
          else found.push(...[reader.next()].filter((next) => next !== undefined))
        }
        let seq = 0
        for (const next of found) {
          expect(next.seq - seq).toBe(next.type === 'gap' ? next.missed : 1)
          seq = next.seq
        }
        expect(seq).toBe(feed.latest)
      }),
    )
  })
})
