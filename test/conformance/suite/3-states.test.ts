import { describe, expect, it } from 'vitest'
import { expectError } from '../assertions.js'
import { type Mailbox, messagesPath, openMailbox } from '../mailbox.js'
import { keys } from '../scenario.js'

const subject = 'Where is my lamp?'

async function isUnread(mailbox: Mailbox): Promise<boolean> {
  return (await mailbox.thread(subject)).unread
}

async function reply(mailbox: Mailbox): Promise<void> {
  const { id } = await mailbox.thread(subject)
  await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', thread: id, text: 'On its way.' })
}

describe('3 unread of a thread', () => {
  it('3 a new thread is unread, as is one that receives mail', async () => {
    const mailbox = await openMailbox()
    const { thread } = await mailbox.simulator.mail.receive({ to: 'eva', subject: 'News', text: 'News' })
    expect(thread.unread).toBe(true)
    expect((await mailbox.thread('News')).unread).toBe(true)
    const { id } = await mailbox.thread('Thanks')
    await mailbox.simulator.mail.receive({ to: 'eva', thread: id, text: 'One more thing' })
    expect((await mailbox.thread('Thanks')).unread).toBe(true)
  })

  it('3 a thread started by the agent is not unread', async () => {
    const mailbox = await openMailbox()
    await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', subject: 'Offer', text: 'Hi' })
    expect((await mailbox.thread('Offer')).unread).toBe(false)
  })

  it('3 marking changes unread and nothing else', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.thread(subject)
    mailbox.simulator.threads.markRead(before.id)
    expect(await mailbox.thread(subject)).toEqual({ ...before, unread: false })
    mailbox.simulator.threads.markUnread(before.id)
    expect(await mailbox.thread(subject)).toEqual(before)
  })

  it('3 listing threads, reading an identity and listing webhooks do not change unread', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    await mailbox.threads({ agent: 'eva' })
    await mailbox.identity('eva')
    await mailbox.webhooks()
    expect(await isUnread(mailbox)).toBe(true)
  })
})

describe('3 threads.unread-after-read', () => {
  it('3 only the listed thread becomes read (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    const { id } = await mailbox.thread('Broken lamp')
    await mailbox.messages({ thread_id: id })
    expect((await mailbox.thread('Broken lamp')).unread).toBe(false)
    expect(await isUnread(mailbox)).toBe(true)
  })

  it('3 listing without thread_id reads nothing (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    await mailbox.messages()
    await mailbox.messages({ agent: 'eva' })
    expect(await isUnread(mailbox)).toBe(true)
  })

  it('3 a list that shows none of its messages does not read a thread (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    const { id } = await mailbox.thread(subject)
    expect(await mailbox.messages({ thread_id: id, agent: 'max' })).toEqual({ messages: [], total: 0 })
    expect(await isUnread(mailbox)).toBe(true)
  })

  it('3 a refused list does not read a thread (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    const { id } = await mailbox.thread(subject)
    expectError(await mailbox.get(messagesPath({ thread_id: id, limit: 0 })), 400)
    expectError(await mailbox.get(messagesPath({ thread_id: id }), { key: null }), 401)
    expect(await isUnread(mailbox)).toBe(true)
  })

  it('3 another organization does not read a thread (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    const { id } = await mailbox.thread(subject)
    await mailbox.messages({ thread_id: id }, { key: keys.other })
    expect(await isUnread(mailbox)).toBe(true)
  })

  it('3 mail makes a read thread unread again (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    const { id } = await mailbox.thread(subject)
    await mailbox.messages({ thread_id: id })
    await mailbox.simulator.mail.receive({ to: 'eva', thread: id, text: 'Any news?' })
    expect(await isUnread(mailbox)).toBe(true)
  })
})

describe('3 threads.unread-after-reply', () => {
  it('3 mail after the reply makes it unread again (becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-reply': 'becomes-read' })
    await reply(mailbox)
    const { id } = await mailbox.thread(subject)
    await mailbox.simulator.mail.receive({ to: 'eva', thread: id, text: 'Thanks' })
    expect(await isUnread(mailbox)).toBe(true)
  })

  it.each(['stays-unread', 'becomes-read'])(
    '3 a reply does not make a read thread unread (%s)',
    async (reading) => {
      const mailbox = await openMailbox({ 'threads.unread-after-reply': reading })
      mailbox.simulator.threads.markRead((await mailbox.thread(subject)).id)
      await reply(mailbox)
      expect(await isUnread(mailbox)).toBe(false)
    },
  )
})
