import { describe, expect, it } from 'vitest'
import { threadSchema } from '../../../src/contract/resources.js'
import { expectKeys, expectToFit, isoMilliseconds } from '../assertions.js'
import { type Mailbox, openMailbox } from '../mailbox.js'

const fields = ['id', 'subject', 'snippet', 'unread', 'message_count', 'last_message_at', 'created_at']

async function snippetOf(mailbox: Mailbox, subject: string): Promise<string> {
  return (await mailbox.thread(subject)).snippet
}

describe('2.2 Thread', () => {
  it('2.2 a thread has the seven fields', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ limit: 100 })
    expect(threads).toHaveLength(100)
    for (const thread of threads) {
      expectKeys(thread, fields)
      expectToFit(threadSchema(), thread)
    }
  })

  it('2.2 id is prefixed thrd_ followed by an opaque string', async () => {
    const mailbox = await openMailbox()
    const ids = (await mailbox.threads({ limit: 100 })).threads.map(({ id }) => id)
    for (const id of ids) expect(id).toMatch(/^thrd_[A-Za-z0-9]{8,}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('2.2 subject is the subject of the conversation', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ agent: 'eva' })
    expect(threads.map(({ subject }) => subject).toSorted()).toEqual([
      'Broken lamp',
      'Spring lights',
      'Thanks',
      'Where is my lamp?',
    ])
  })

  it('2.2 unread is a boolean', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.thread('Where is my lamp?')).unread).toBe(true)
    expect((await mailbox.thread('Thanks')).unread).toBe(false)
  })

  it('2.2 message_count is the number of messages in the thread', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ agent: 'eva' })
    for (const thread of threads) {
      const { messages } = await mailbox.messages({ thread_id: thread.id })
      expect(thread.message_count).toBe(messages.length)
    }
    expect((await mailbox.thread('Where is my lamp?')).message_count).toBe(3)
  })

  it('2.2 created_at and last_message_at are those of the first and the latest message', async () => {
    const mailbox = await openMailbox()
    const { created_at, last_message_at } = await mailbox.thread('Where is my lamp?')
    expect(created_at).toBe('2026-02-25T08:15:30.250Z')
    expect(last_message_at).toBe('2026-02-27T11:45:10.999Z')
    for (const time of [created_at, last_message_at]) expect(time).toMatch(isoMilliseconds)
  })
})

describe('2.2 snippet', () => {
  it('2.2 snippet of an HTML-only mail is text, not HTML', async () => {
    const mailbox = await openMailbox()
    expect(await snippetOf(mailbox, 'Spring lights')).toBe('Spring Lights & shades')
  })

  it('2.2 snippet of a long mail is an excerpt of it', async () => {
    const mailbox = await openMailbox()
    const text = 'All work and no play makes Jack a dull boy. '.repeat(100)
    await mailbox.simulator.mail.receive({ to: 'eva', subject: 'Long', text })
    const snippet = await snippetOf(mailbox, 'Long')
    expect(snippet.length).toBeGreaterThan(40)
    expect(snippet.length).toBeLessThan(200)
    expect(text).toContain(snippet.replace('…', ''))
  })
})
