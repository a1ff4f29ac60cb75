import type { Message, Thread } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { expectError, expectSameAnswer } from '../assertions.js'
import { jsonOf, type Mailbox, messagesPath, openMailbox, type Query, threadsPath } from '../mailbox.js'
import { bulk, keys } from '../scenario.js'

type Row = Thread | Message

/** A page of a list; the request must succeed. */
async function page(mailbox: Mailbox, list: List, query: Query, key?: string) {
  const answer = await mailbox.get(list.pathOf(query), key === undefined ? {} : { key })
  expect(answer.status).toBe(200)
  const body = jsonOf<{ total: number } & Record<string, Row[]>>(answer)
  return { rows: body[list.rows] as Row[], total: body.total }
}

/** All rows of a list, page by page. */
async function all(mailbox: Mailbox, list: List, limit: number, query: Record<string, string> = {}) {
  const rows: Row[] = []
  const { total } = await page(mailbox, list, query)
  for (let offset = 0; offset < total; offset += limit) {
    rows.push(...(await page(mailbox, list, { ...query, limit, offset })).rows)
  }
  return rows
}

const lists = [
  { section: '4.3', pathOf: threadsPath, rows: 'threads', own: bulk.threads + 4, max: bulk.threads },
  {
    section: '4.4',
    pathOf: messagesPath,
    rows: 'messages',
    own: bulk.threads * bulk.messagesPerThread + 6,
    max: bulk.threads * bulk.messagesPerThread,
  },
] as const
type List = (typeof lists)[number]

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
const honoured = { 'messages.offset': 'honoured' } as const
const none = { messages: [], total: 0 }
const conversation = 'Where is my lamp?'

describe.each(lists.map((list) => [list.section, list] as const))('%s', (_, list) => {
  it('limit is the number of rows, 50 by default', async () => {
    const mailbox = await openMailbox()
    const { rows } = await page(mailbox, list, { limit: 100 })
    for (const limit of [1, 2, 50, 99, 100]) {
      expect((await page(mailbox, list, { limit })).rows).toEqual(rows.slice(0, limit))
    }
    expectSameAnswer(await mailbox.get(list.pathOf()), await mailbox.get(list.pathOf({ limit: 50 })))
  })

  it('offset skips that many rows, 0 by default', async () => {
    const mailbox = await openMailbox(honoured)
    const { rows } = await page(mailbox, list, { limit: 100 })
    for (const offset of [0, 1, 37, 90]) {
      const { rows: later, total } = await page(mailbox, list, { offset, limit: 10 })
      expect(later).toEqual(rows.slice(offset, offset + 10))
      expect(total).toBe(list.own)
    }
    expect((await page(mailbox, list, { offset: list.own - 3 })).rows).toHaveLength(3)
    expect(await page(mailbox, list, { offset: list.own })).toEqual({ rows: [], total: list.own })
  })

  it('agent selects its rows, and no key shows those of another organization', async () => {
    const mailbox = await openMailbox(honoured)
    const [own, max] = [await all(mailbox, list, 100), await all(mailbox, list, 100, { agent: 'max' })]
    expect(new Set(ids(own)).size).toBe(list.own)
    expect(max).toHaveLength(list.max)
    expect(max.filter(({ subject }) => !/^(Re: )?Bulk \d+$/.test(subject))).toEqual([])
    expect(JSON.stringify(own)).not.toContain('Secret')
    const { rows, total } = await page(mailbox, list, {}, keys.other)
    expect([rows.map(({ subject }) => subject), total]).toEqual([['Secret 1', 'Secret 2', 'Secret 3'], 3])
  })
})

describe('4.4 thread_id', () => {
  it('4.4 selects the messages of this thread, together with agent those of both', async () => {
    const mailbox = await openMailbox()
    for (const { id, message_count } of (await mailbox.threads({ limit: 20 })).threads) {
      const { messages, total } = await mailbox.messages({ thread_id: id })
      expect(messages.map(({ thread_id }) => thread_id)).toEqual(Array(message_count).fill(id))
      expect(total).toBe(message_count)
    }
    const { id } = await mailbox.thread(conversation)
    const ofThread = await mailbox.messages({ thread_id: id })
    expect(await mailbox.messages({ thread_id: id, agent: 'eva' })).toEqual(ofThread)
    expect(await mailbox.messages({ thread_id: id, agent: 'max' })).toEqual(none)
  })

  it('4.4 matches no prefix and no other id', async () => {
    const mailbox = await openMailbox()
    const { id } = await mailbox.thread(conversation)
    const [message] = await mailbox.messagesOf(conversation)
    const others = ['', id.slice(0, -1), id.slice(5), `${id}x`, id.toUpperCase(), message?.id ?? '']
    for (const thread_id of others) expect(await mailbox.messages({ thread_id })).toEqual(none)
  })

  it.each(['empty', 'not-found'])('4.4 of another organization is unknown (%s)', async (assumption) => {
    const mailbox = await openMailbox({ 'messages.unknown-thread': assumption } as never)
    const { threads } = await mailbox.threads({}, { key: keys.other })
    for (const { id } of threads) {
      for (const query of [{ thread_id: id }, { thread_id: id, agent: 'eva' }]) {
        const answer = await mailbox.get(messagesPath(query))
        if (assumption === 'empty') expect(jsonOf(answer)).toEqual(none)
        else expectError(answer, 404)
      }
    }
    if (assumption === 'empty') return
    const { id } = await mailbox.thread('Thanks')
    expectError(await mailbox.get(messagesPath({ thread_id: id, agent: 'nobody' })), 404)
  })
})
