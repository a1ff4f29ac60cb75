import type { Message } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { expectError, expectSameAnswer } from '../assertions.js'
import { type Mailbox, messagesPath, openMailbox, type Query } from '../mailbox.js'
import { bulk, keys } from '../scenario.js'

const everyCount = bulk.threads * bulk.messagesPerThread + 6
const digits = '9'.repeat(1000)

/** Limits below 1. */
const wrongLimits = ['0', '-1', 'abc', '1e2', '1.5', '', `-${digits}`]

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)
const times = (messages: readonly Message[]) => messages.map(({ created_at }) => created_at)

const lengthOf = async (mailbox: Mailbox, query: Query) => (await mailbox.messages(query)).messages.length

describe('4.4 limit', () => {
  it('4.4 limit defaults to 50', async () => {
    const mailbox = await openMailbox()
    expect(await lengthOf(mailbox, {})).toBe(50)
    expectSameAnswer(await mailbox.get(messagesPath()), await mailbox.get(messagesPath({ limit: 50 })))
  })

  it.each([1, 2, 50, 99, 100])('4.4 limit=%i is the number of messages returned', async (limit) => {
    const mailbox = await openMailbox()
    const { messages } = await mailbox.messages({ limit })
    expect(messages).toHaveLength(limit)
    expect((await mailbox.messages({ limit: 100 })).messages.slice(0, limit)).toEqual(messages)
  })

  it.each(wrongLimits)('4.4 limit=%s (messages.limit-out-of-range=rejected)', async (limit) => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get(messagesPath(`limit=${limit}`)), 400)
  })
})

describe('4.4 messages.limit-maximum', () => {
  it.each([
    ['100', ['101', '501', digits]],
    ['500', ['501', '5000', digits]],
  ])('4.4 a limit above %s (rejected)', async (maximum, limits) => {
    const mailbox = await openMailbox({ 'messages.limit-maximum': maximum })
    expect(await lengthOf(mailbox, { limit: maximum })).toBe(Number(maximum))
    for (const limit of limits) expectError(await mailbox.get(messagesPath({ limit })), 400)
  })
})

describe('4.4 messages.offset', () => {
  it('4.4 offset has no effect (ignored)', async () => {
    const mailbox = await openMailbox()
    const first = await mailbox.messages()
    for (const offset of ['0', '50', '9000', '-1', 'abc', digits]) {
      expect(await mailbox.messages({ offset })).toEqual(first)
    }
  })

  it('4.4 offset skips that many messages (honoured)', async () => {
    const mailbox = await openMailbox({ 'messages.offset': 'honoured' })
    const seen: string[] = []
    for (let offset = 0; offset < everyCount; offset += 100) {
      seen.push(...ids((await mailbox.messages({ limit: 100, offset })).messages))
    }
    expect(new Set(seen).size).toBe(everyCount)
    expect(seen.slice(37, 47)).toEqual(ids((await mailbox.messages({ limit: 10, offset: 37 })).messages))
    expect(await mailbox.messages({ offset: everyCount })).toEqual({ messages: [], total: everyCount })
    for (const offset of ['-1', 'abc', '']) expectError(await mailbox.get(messagesPath({ offset })), 400)
  })
})

describe('4.4 messages.order', () => {
  const everything = { 'messages.limit-maximum': 'none' } as const

  it.each([
    ['created-desc', 'newest first', 'newest first'],
    ['created-asc', 'oldest first', 'oldest first'],
    ['chronological-in-thread', 'newest first', 'oldest first'],
  ])('4.4 every message once (%s): %s, in a thread %s', async (order, inAll, inThread) => {
    const mailbox = await openMailbox({ ...everything, 'messages.order': order })
    const { id } = await mailbox.thread('Where is my lamp?')
    for (const [direction, query] of [
      [inAll, {}],
      [inAll, { agent: 'max' }],
      [inThread, { thread_id: id }],
    ] as const) {
      const { messages } = await mailbox.messages({ ...query, limit: 5000 })
      const oldestFirst = times(messages).toSorted()
      expect(times(messages)).toEqual(direction === 'oldest first' ? oldestFirst : oldestFirst.toReversed())
      expect(new Set(ids(messages)).size).toBe(messages.length)
    }
    expect(await lengthOf(mailbox, { limit: 5000 })).toBe(everyCount)
  })
})

describe('4.4 messages.total', () => {
  it.each([
    ['all-matches', [everyCount, everyCount, 6, 3, 0]],
    ['page-size', [50, 10, 6, 3, 0]],
    ['all-messages', [everyCount, everyCount, everyCount, everyCount, everyCount]],
  ])('4.4 total (%s)', async (reading, totals) => {
    const mailbox = await openMailbox({ 'messages.total': reading })
    const { id } = await mailbox.thread('Where is my lamp?')
    const queries = ['', 'limit=10', 'agent=eva', `thread_id=${id}`, 'agent=nobody']
    const lists = await Promise.all(queries.map((query) => mailbox.messages(query)))
    expect(lists.map(({ total }) => total)).toEqual(totals)
    expect((await mailbox.messages({}, { key: keys.other })).total).toBe(3)
  })
})
