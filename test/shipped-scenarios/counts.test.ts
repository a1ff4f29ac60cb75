import { describe, expect, it } from 'vitest'
import { openStory } from './story.js'

describe('pagination-edges', () => {
  it('has agents with as many threads as their names say, to be had page by page', async () => {
    const story = await openStory('pagination-edges')
    for (const count of [0, 1, 49, 50, 51, 100, 101]) {
      const agent = `threads_${count}`
      const { threads, total } = await story.threads(`agent=${agent}`)
      expect(threads).toHaveLength(Math.min(count, 50))
      expect(total).toBe(count)
      const all = await story.allThreads(agent)
      expect(new Set(all.map(({ id }) => id)).size).toBe(count)
      expect((await story.threads(`agent=${agent}&offset=${count}`)).threads).toEqual([])
    }
  })

  it('has a thread of 51 messages, more than the default page', async () => {
    const story = await openStory('pagination-edges')
    const [only, ...others] = await story.allThreads('messages_51')
    expect(others).toEqual([])
    expect(only?.message_count).toBe(51)
    expect((await story.messages(`thread_id=${only?.id}`)).messages).toHaveLength(50)
    const { messages } = await story.messages(`thread_id=${only?.id}&limit=51`)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(51)
  })

  it('has the same numbers with another seed', async () => {
    const story = await openStory('pagination-edges', { seed: 42 })
    for (const { agent_handle } of story.simulator.identities.list()) {
      const [, what, count] = /^(\w+)_(\d+)$/.exec(agent_handle) ?? []
      const list = await story[what === 'messages' ? 'messages' : 'threads'](`agent=${agent_handle}`)
      expect(list.total, agent_handle).toBe(Number(count))
    }
  })
})

describe('busy-inbox', () => {
  it('has ten thousand messages in three mailboxes with another seed', async () => {
    const story = await openStory('busy-inbox', { seed: 42 })
    expect(story.simulator.summary()).toMatchObject({ agents: 3, threads: 4100, messages: 10_000 })
    expect((await story.messages('agent=support')).total).toBe(6000)
    expect((await story.messages('agent=sales')).total).toBe(2100)
    expect((await story.messages('agent=everything-else')).total).toBe(1900)
  })

  it('has another customer with a new order every five seconds', async () => {
    const story = await openStory('busy-inbox')
    await story.simulator.clock.advance('31s')
    const { threads } = await story.threads('agent=support&limit=6')
    expect(threads.map(({ last_message_at }) => last_message_at.slice(17, 19))).toEqual([
      '30',
      '25',
      '20',
      '15',
      '10',
      '05',
    ])
    expect(new Set(threads.map(({ subject }) => subject)).size).toBe(6)
    for (const { subject } of threads)
      expect(subject).toMatch(/^(Late|Wrong paper|Torn box): order PH-\d{6}$/)
  })
})

describe('empty', () => {
  it('has no mail until the first one arrives', async () => {
    const story = await openStory('empty')
    expect(await story.threads('agent=desk')).toEqual({ threads: [], total: 0 })
    await story.play()
    expect(await story.threads('agent=desk')).toMatchObject({ threads: [{ unread: true }], total: 1 })
  })
})

describe('bounce-storm', () => {
  it('has forty-one reports, a question and forty bounces within a minute', async () => {
    const story = await openStory('bounce-storm')
    await story.simulator.clock.advance('39s')
    const before = await story.allThreads('news')
    const mailing = await story.messagesOf('news', 'Rowing trips of the summer')
    expect(new Set(mailing[0]?.to).size).toBe(41)
    await story.simulator.clock.advance('61s')
    expect(await story.allThreads('news')).toHaveLength(before.length + 42)
    const bounces = story.simulator.timeline.played().filter(({ name }) => name.includes('bounce'))
    expect(bounces).toHaveLength(40)
  })

  it('has ten machine-readable reports and one in words', async () => {
    const story = await openStory('bounce-storm')
    await story.play()
    const { messages } = await story.messages('agent=news&limit=100')
    const reports = messages.flatMap(({ attachments }) => {
      return attachments.filter(({ content_type }) => content_type === 'message/delivery-status')
    })
    const told = await Promise.all(reports.map(({ url = '' }) => story.text(new URL(url).pathname)))
    const recipients = told.map((report) => /^Final-Recipient: rfc822; (\S+)/m.exec(report)?.[1])
    const { to = [] } = (await story.messagesOf('news', 'Rowing trips of the summer'))[0] ?? {}
    expect(new Set(recipients).size).toBe(10)
    expect(to).toEqual(expect.arrayContaining(recipients))
    expect(told.filter((report) => report.includes('\nAction: delayed\r\n'))).toHaveLength(1)
    expect(told.filter((report) => report.includes('\nAction: failed\r\n'))).toHaveLength(9)
    expect(messages.find(({ subject }) => subject === 'failure notice')?.text).toContain(
      '<ida@field.example>',
    )
  })
})
