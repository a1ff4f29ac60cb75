import type { Thread } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { expectError, expectSameAnswer } from '../assertions.js'
import { type Mailbox, openMailbox, threadsPath } from '../mailbox.js'
import { bulk, keys } from '../scenario.js'

const everyCount = bulk.threads + 4
const digits = '9'.repeat(1000)

/** Limits outside 1 to 100. */
const wrongLimits = ['0', '101', '-1', 'abc', '1e2', '1.5', '', '%20', '+5', '0x10', digits, `-${digits}`]

/** Every thread, page by page. */
async function allThreads(mailbox: Mailbox, limit: number): Promise<Thread[]> {
  const threads: Thread[] = []
  for (let offset = 0; offset < everyCount; offset += limit) {
    threads.push(...(await mailbox.threads({ limit, offset })).threads)
  }
  return threads
}

const keyOf = {
  'last-message-desc': (thread: Thread) => -Date.parse(thread.last_message_at),
  'last-message-asc': (thread: Thread) => Date.parse(thread.last_message_at),
  'created-desc': (thread: Thread) => -Date.parse(thread.created_at),
  'created-asc': (thread: Thread) => Date.parse(thread.created_at),
}

const ids = (threads: readonly Thread[]) => threads.map(({ id }) => id)

describe('4.3 limit', () => {
  it('4.3 limit defaults to 50', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.threads()).threads).toHaveLength(50)
    expectSameAnswer(
      await mailbox.get(threadsPath()),
      await mailbox.get(threadsPath({ limit: 50, offset: 0 })),
    )
  })

  it.each([1, 2, 50, 99, 100])('4.3 limit=%i is the number of threads returned', async (limit) => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ limit })
    expect(threads).toHaveLength(limit)
    expect((await mailbox.threads({ limit: 100 })).threads.slice(0, limit)).toEqual(threads)
  })

  it('4.3 limit may have leading zeros', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.threads('limit=007')).threads).toHaveLength(7)
  })

  it.each(wrongLimits)('4.3 limit=%s (threads.limit-out-of-range=rejected)', async (limit) => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get(threadsPath(`limit=${limit}`)), 400)
  })
})

describe('4.3 offset', () => {
  it('4.3 offset defaults to 0', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.threads({ offset: 0 })).toEqual(await mailbox.threads())
    expect(await mailbox.threads({ offset: '-0' })).toEqual(await mailbox.threads())
  })

  it('4.3 offset skips that many threads', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ limit: 100 })
    for (const offset of [1, 37, 90]) {
      const page = await mailbox.threads({ offset, limit: 10 })
      expect(page.threads).toEqual(threads.slice(offset, offset + 10))
      expect(page.total).toBe(everyCount)
    }
  })

  it('4.3 the last page has the rest, and later pages are empty', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.threads({ offset: everyCount - 3 })).threads).toHaveLength(3)
    for (const offset of [everyCount, everyCount + 1, 9_007_199_254_740_991]) {
      expect(await mailbox.threads({ offset })).toEqual({ threads: [], total: everyCount })
    }
  })

  it.each(['-1', 'abc', '1e2', '1.5', '', `-${digits}`, digits])(
    '4.3 offset=%s (threads.offset-out-of-range=rejected)',
    async (offset) => {
      const mailbox = await openMailbox()
      const answer = await mailbox.get(threadsPath(`offset=${offset}`))
      expectError(answer, 400)
    },
  )
})

describe('4.3 threads.order', () => {
  const sorted = Object.entries(keyOf)

  it.each(sorted)('4.3 every thread once, in order (%s)', async (order, key) => {
    const mailbox = await openMailbox({ 'threads.order': order })
    const threads = await allThreads(mailbox, 30)
    expect(new Set(ids(threads)).size).toBe(everyCount)
    expect(ids(threads)).toEqual(ids(threads.toSorted((a, b) => key(a) - key(b))))
    expect(ids(await allThreads(mailbox, 100))).toEqual(ids(threads))
  })
})

describe('4.3 threads.total', () => {
  it.each([
    ['all-matches', [everyCount, everyCount, bulk.threads, 4, everyCount, 0]],
    ['page-size', [50, 10, 50, 4, 0, 0]],
    ['all-threads', [everyCount, everyCount, everyCount, everyCount, everyCount, everyCount]],
  ])('4.3 total (%s)', async (reading, totals) => {
    const mailbox = await openMailbox({ 'threads.total': reading })
    const queries = ['', 'limit=10', 'agent=max', 'agent=eva', 'offset=500', 'agent=nobody']
    const lists = await Promise.all(queries.map((query) => mailbox.threads(query)))
    expect(lists.map(({ total }) => total)).toEqual(totals)
    expect((await mailbox.threads({}, { key: keys.other })).total).toBe(3)
  })
})
