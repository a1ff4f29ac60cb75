import { describe, expect, it } from 'vitest'
import { messageListSchema } from '../../../src/contract/resources.js'
import { expectError, expectKeys, expectToFit } from '../assertions.js'
import { jsonOf, messagesPath, openMailbox, type Query } from '../mailbox.js'
import { bulk, keys } from '../scenario.js'

const bulkCount = bulk.threads * bulk.messagesPerThread
const evaCount = 6
const none = { messages: [], total: 0 }

describe('4.4 List messages', () => {
  it('4.4 GET /api/v1/mail/messages answers 200 with messages and total', async () => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get('/api/v1/mail/messages')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const list = jsonOf<object>(answer)
    expectKeys(list, ['messages', 'total'])
    expectToFit(messageListSchema(), list)
    expect(list).toMatchObject({ total: bulkCount + evaCount })
  })

  it('4.4 thread_id: only messages of this thread', async () => {
    const mailbox = await openMailbox()
    for (const { id, message_count } of (await mailbox.threads({ limit: 20 })).threads) {
      const { messages, total } = await mailbox.messages({ thread_id: id })
      expect(messages.map(({ thread_id }) => thread_id)).toEqual(Array(message_count).fill(id))
      expect(total).toBe(message_count)
    }
  })

  it('4.4 agent: only messages of this agent handle', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ agent: 'eva' })
    const { messages, total } = await mailbox.messages({ agent: 'eva' })
    expect(messages).toHaveLength(evaCount)
    expect(total).toBe(evaCount)
    const threadIds = new Set(threads.map(({ id }) => id))
    for (const { thread_id } of messages) expect(threadIds).toContain(thread_id)
    expect((await mailbox.messages({ agent: 'max' })).total).toBe(bulkCount)
    expect(await mailbox.messages({ agent: 'Night_Shift.bot-1' })).toEqual(none)
  })

  it('4.4 thread_id and agent: only messages of both', async () => {
    const mailbox = await openMailbox()
    const { id } = await mailbox.thread('Where is my lamp?')
    expect(await mailbox.messages({ thread_id: id, agent: 'eva' })).toEqual(
      await mailbox.messages({ thread_id: id }),
    )
    expect(await mailbox.messages({ thread_id: id, agent: 'max' })).toEqual(none)
  })

  it('4.4 thread_id matches no prefix and no other id', async () => {
    const mailbox = await openMailbox()
    const { id } = await mailbox.thread('Where is my lamp?')
    const [message] = await mailbox.messagesOf('Where is my lamp?')
    for (const thread_id of [
      '',
      id.slice(0, -1),
      id.slice(5),
      `${id}x`,
      id.toUpperCase(),
      message?.id ?? '',
    ]) {
      expect(await mailbox.messages({ thread_id })).toEqual(none)
    }
  })
})

describe('4.4 organizations', () => {
  it('4.4 nothing of another organization is listed or counted', async () => {
    const mailbox = await openMailbox({ 'messages.limit-maximum': 'none' })
    const { messages, total } = await mailbox.messages({}, { key: keys.other })
    expect(messages.map(({ text }) => text)).toEqual(['Secret plans', 'Secret plans', 'Secret plans'])
    expect(total).toBe(3)
    const own = await mailbox.messages({ limit: 10_000 })
    expect(own.messages).toHaveLength(bulkCount + evaCount)
    expect(JSON.stringify(own)).not.toContain('Secret')
  })

  it.each([
    ['empty', 200],
    ['not-found', 404],
  ] as const)('4.4 the thread of another organization is unknown (%s)', async (reading, status) => {
    const mailbox = await openMailbox({ 'messages.unknown-thread': reading })
    const { threads } = await mailbox.threads({}, { key: keys.other })
    for (const { id } of threads) {
      const answer = await mailbox.get(messagesPath({ thread_id: id }))
      expect(answer.status).toBe(status)
      if (status === 200) expect(jsonOf(answer)).toEqual(none)
      const withAgent = await mailbox.get(messagesPath({ thread_id: id, agent: 'eva' }))
      expect(withAgent.status).toBe(status)
    }
  })

  it('4.4 an agent of another organization has no messages, one of both has its own', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.messages({ agent: 'rival' })).toEqual(none)
    expect(await mailbox.messages({ agent: 'max' }, { key: keys.other })).toEqual(none)
    const { messages } = await mailbox.messages({ agent: 'eva' }, { key: keys.other })
    expect(messages.map(({ to }) => to)).toEqual([['eva@works.example']])
  })
})

it('4.4 an unknown thread or agent (not-found)', async () => {
  const mailbox = await openMailbox({ 'messages.unknown-thread': 'not-found' })
  const { id } = await mailbox.thread('Thanks')
  for (const query of unknownIn(id)) expectError(await mailbox.get(messagesPath(query)), 404)
})

/** Filters with one unknown value. */
function unknownIn(thread_id: string): Query[] {
  return [
    { thread_id: 'thrd_gone' },
    { thread_id: 'nonsense' },
    { agent: 'nobody' },
    { agent: 'rival' },
    { thread_id: 'thrd_gone', agent: 'eva' },
    { thread_id, agent: 'nobody' },
  ]
}
