import { describe, expect, it } from 'vitest'
import { messageSchema } from '../../../src/contract/resources.js'
import { expectToFit } from '../assertions.js'
import { type Mailbox, openMailbox } from '../mailbox.js'

const eml = [
  'Received: from mx1.shop.example',
  'Received: from mx2.shop.example',
  'Message-ID: <order-1@shop.example>',
  'Date: Mon, 2 Mar 2026 09:59:00 +0000',
  'From: Ann Lee <ann@shop.example>',
  'To: Eva Lind <Eva.Lind@harbour.example>',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'X-Priority: 3',
  '',
  'Hello',
  '',
].join('\r\n')

/** The headers as the sender wrote them. */
const asWritten = { 'messages.authentication': 'omitted' } as const

async function headersOf(mailbox: Mailbox, subject: string): Promise<unknown> {
  const [message] = await mailbox.messagesOf(subject)
  expectToFit(messageSchema(), message)
  return message?.headers
}

describe('2.3 messages.headers', () => {
  it('2.3 headers by name, repeated ones as a list (messages.headers=object)', async () => {
    const mailbox = await openMailbox({ ...asWritten, 'messages.headers': 'object' })
    await mailbox.simulator.mail.receive({ eml })
    expect(await headersOf(mailbox, 'Grüße')).toEqual({
      received: ['from mx1.shop.example', 'from mx2.shop.example'],
      'message-id': '<order-1@shop.example>',
      date: 'Mon, 2 Mar 2026 09:59:00 +0000',
      from: 'Ann Lee <ann@shop.example>',
      to: 'Eva Lind <Eva.Lind@harbour.example>',
      subject: 'Grüße',
      'x-priority': '3',
    })
  })

  it('2.3 headers one by one, in the order of the message (messages.headers=list)', async () => {
    const mailbox = await openMailbox({ ...asWritten, 'messages.headers': 'list' })
    await mailbox.simulator.mail.receive({ eml })
    expect(await headersOf(mailbox, 'Grüße')).toEqual([
      { name: 'Received', value: 'from mx1.shop.example' },
      { name: 'Received', value: 'from mx2.shop.example' },
      { name: 'Message-ID', value: '<order-1@shop.example>' },
      { name: 'Date', value: 'Mon, 2 Mar 2026 09:59:00 +0000' },
      { name: 'From', value: 'Ann Lee <ann@shop.example>' },
      { name: 'To', value: 'Eva Lind <Eva.Lind@harbour.example>' },
      { name: 'Subject', value: 'Grüße' },
      { name: 'X-Priority', value: '3' },
    ])
  })

  it('2.3 a message without headers has those of its fields', async () => {
    const mailbox = await openMailbox({ ...asWritten, 'messages.headers': 'object' })
    const [message] = await mailbox.messagesOf('Thanks')
    expect(message?.headers).toEqual({
      'message-id': `<${message?.id}@shop.example>`,
      date: 'Tue, 10 Feb 2026 12:00:00 +0000',
      from: 'Ann Lee <ann@shop.example>',
      to: 'Eva.Lind@harbour.example',
      subject: 'Thanks',
      'mime-version': '1.0',
    })
  })

  it('2.3 an answer names the answered message (messages.headers=object)', async () => {
    const mailbox = await openMailbox({ ...asWritten, 'messages.headers': 'object' })
    await mailbox.simulator.mail.receive({ eml })
    await mailbox.simulator.mail.send({
      from: 'eva',
      to: 'ann@shop.example',
      inReplyTo: '<order-1@shop.example>',
      text: 'Welcome',
    })
    const [answer] = await mailbox.messagesOf('Grüße')
    expect(answer?.headers).toMatchObject({
      'in-reply-to': '<order-1@shop.example>',
      from: 'Eva Lind <Eva.Lind@harbour.example>',
    })
  })
})
