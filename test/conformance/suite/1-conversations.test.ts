import { describe, expect, it } from 'vitest'
import { openMailbox } from '../mailbox.js'

const ann = 'Ann Lee <ann@shop.example>'

describe('1 messages are grouped into conversation threads', () => {
  it('1 mail that answers nothing starts a thread', async () => {
    const mailbox = await openMailbox()
    const { total } = await mailbox.threads({ agent: 'eva' })
    const { thread, message } = await mailbox.simulator.mail.receive({
      to: 'eva',
      from: ann,
      subject: 'New',
    })
    expect((await mailbox.threads({ agent: 'eva' })).total).toBe(total + 1)
    expect(await mailbox.thread('New')).toEqual(thread)
    expect(thread).toMatchObject({ message_count: 1, created_at: message.created_at })
  })

  it('1 an answer by message id joins the thread of the answered message', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.thread('Thanks')
    const [answered] = await mailbox.messagesOf('Thanks')
    await mailbox.simulator.clock.advance('5m')
    const { message } = await mailbox.simulator.mail.send({
      from: 'eva',
      to: 'ann@shop.example',
      inReplyTo: answered?.id ?? '',
      text: 'Welcome',
    })
    expect(await mailbox.thread('Thanks')).toEqual({
      ...before,
      snippet: 'Welcome',
      message_count: 2,
      last_message_at: '2026-03-02T10:05:00.000Z',
    })
    expect(message).toMatchObject({ thread_id: before.id, subject: 'Re: Thanks', direction: 'outbound' })
    expect(await mailbox.messagesOf('Thanks')).toEqual([message, answered])
  })

  it('1 an answer by RFC 5322 Message-ID joins the thread of the answered message', async () => {
    const mailbox = await openMailbox()
    const head = `From: ${ann}\r\nTo: Eva.Lind@harbour.example\r\nSubject: Shade\r\n`
    await mailbox.simulator.mail.receive({ eml: `${head}Message-ID: <a1@shop.example>\r\n\r\nOne` })
    await mailbox.simulator.mail.receive({ eml: `${head}In-Reply-To: <a1@shop.example>\r\n\r\nTwo` })
    await mailbox.simulator.mail.receive({ eml: `${head}References: <a1@shop.example>\r\n\r\nThree` })
    await mailbox.simulator.mail.receive({ eml: `${head}In-Reply-To: <other@shop.example>\r\n\r\nFour` })
    const { threads } = await mailbox.threads({ agent: 'eva' })
    const shades = threads.filter(({ subject }) => subject === 'Shade')
    expect(shades.map(({ message_count }) => message_count).toSorted()).toEqual([1, 3])
  })

  it('1 mail with an earlier date does not become the latest', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.thread('Where is my lamp?')
    const at = '2026-02-26T12:00:00Z'
    const { message } = await mailbox.simulator.mail.receive({
      to: 'eva',
      thread: before.id,
      text: 'Late',
      at,
    })
    expect(message.created_at).toBe('2026-02-26T12:00:00.000Z')
    expect(await mailbox.thread('Where is my lamp?')).toEqual({ ...before, message_count: 4 })
    const ids = (await mailbox.messagesOf('Where is my lamp?')).map(({ id }) => id)
    expect(ids.indexOf(message.id)).toBe(1)
  })

  it('1 mail to two agents is a message in the mailbox of each', async () => {
    const mailbox = await openMailbox()
    await mailbox.simulator.mail.receive({ to: ['eva', 'max'], from: ann, subject: 'Both', text: 'Hi' })
    const [toEva, toMax] = [
      await mailbox.messages({ agent: 'eva', limit: 1 }),
      await mailbox.messages({ agent: 'max', limit: 1 }),
    ]
    for (const { messages } of [toEva, toMax]) {
      expect(messages[0]).toMatchObject({
        subject: 'Both',
        to: ['Eva.Lind@harbour.example', 'max@harbour.example'],
      })
    }
    expect(toEva.messages[0]?.id).not.toBe(toMax.messages[0]?.id)
    expect(toEva.messages[0]?.thread_id).not.toBe(toMax.messages[0]?.thread_id)
  })

  it('1 a reset removes received and sent mail and nothing else', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.dump()
    await mailbox.simulator.mail.receive({ to: 'eva', from: ann, subject: 'Gone', text: 'Gone' })
    await mailbox.patch('eva', { description: 'Gone' })
    expect(await mailbox.dump()).not.toBe(before)
    mailbox.simulator.reset()
    expect(await mailbox.dump()).toBe(before)
  })
})
