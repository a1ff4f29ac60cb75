import { describe, expect, it } from 'vitest'
import { type Mailbox, messagesPath, openMailbox } from '../mailbox.js'
import { keys } from '../scenario.js'

const subject = 'Where is my lamp?'

const idOf = async (mailbox: Mailbox) => (await mailbox.thread(subject)).id
const receive = async (mailbox: Mailbox) =>
  mailbox.simulator.mail.receive({ to: 'eva', thread: await idOf(mailbox), text: 'Any news?' })
const reply = async ({ simulator }: Mailbox, thread: string) =>
  simulator.mail.send({ from: 'eva', to: 'ann@shop.example', thread, text: 'On its way.' })

type Act = (mailbox: Mailbox) => Promise<unknown>

describe('3 unread of a thread', () => {
  it('3 a new thread is unread, as is one that receives mail, but not one started by the agent', async () => {
    const mailbox = await openMailbox()
    const { thread } = await mailbox.simulator.mail.receive({ to: 'eva', subject: 'News', text: 'News' })
    expect([thread.unread, (await mailbox.thread('News')).unread]).toEqual([true, true])
    const { id } = await mailbox.thread('Thanks')
    await mailbox.simulator.mail.receive({ to: 'eva', thread: id, text: 'One more thing' })
    expect((await mailbox.thread('Thanks')).unread).toBe(true)
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

  const assumption: readonly [act: string, isUnread: boolean, Act][] = [
    ['listing threads', true, (mailbox) => mailbox.threads({ agent: 'eva' })],
    ['reading an identity', true, (mailbox) => mailbox.identity('eva')],
    ['listing webhooks', true, (mailbox) => mailbox.webhooks()],
    ['listing all messages', true, (mailbox) => mailbox.messages()],
    ['listing the messages of an agent', true, (mailbox) => mailbox.messages({ agent: 'eva' })],
    ['listing another thread', true, (mailbox) => mailbox.messagesOf('Broken lamp')],
    [
      'a list that shows none of its messages',
      true,
      async (mailbox) => mailbox.messages({ thread_id: await idOf(mailbox), agent: 'max' }),
    ],
    [
      'a refused list',
      true,
      async (mailbox) => mailbox.get(messagesPath({ thread_id: await idOf(mailbox), limit: 0 })),
    ],
    [
      'a list without a key',
      true,
      async (mailbox) => mailbox.get(messagesPath({ thread_id: await idOf(mailbox) }), { key: null }),
    ],
    [
      'another organization',
      true,
      async (mailbox) => mailbox.messages({ thread_id: await idOf(mailbox) }, { key: keys.other }),
    ],
    ['listing its messages', false, (mailbox) => mailbox.messagesOf(subject)],
    [
      'mail after listing its messages',
      true,
      async (mailbox) => {
        await mailbox.messagesOf(subject)
        await receive(mailbox)
      },
    ],
  ]

  it.each(assumption)('3 after %s: %s (threads.unread-after-read=becomes-read)', async (_, isUnread, act) => {
    const mailbox = await openMailbox({ 'threads.unread-after-read': 'becomes-read' })
    await act(mailbox)
    expect((await mailbox.thread(subject)).unread).toBe(isUnread)
  })

  it('3 mail after the reply makes it unread again (threads.unread-after-reply=becomes-read)', async () => {
    const mailbox = await openMailbox({ 'threads.unread-after-reply': 'becomes-read' })
    await reply(mailbox, await idOf(mailbox))
    expect((await mailbox.thread(subject)).unread).toBe(false)
    await receive(mailbox)
    expect((await mailbox.thread(subject)).unread).toBe(true)
  })

  it.each(['stays-unread', 'becomes-read'])(
    '3 a reply does not make a read thread unread (%s)',
    async (unread) => {
      const mailbox = await openMailbox({ 'threads.unread-after-reply': unread } as never)
      mailbox.simulator.threads.markRead(await idOf(mailbox))
      await reply(mailbox, await idOf(mailbox))
      expect((await mailbox.thread(subject)).unread).toBe(false)
    },
  )
})
