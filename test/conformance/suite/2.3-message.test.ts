import { describe, expect, it } from 'vitest'
import { messageSchema } from '../../../src/contract/resources.js'
import { expectKeys, expectToFit, isoMilliseconds } from '../assertions.js'
import { openMailbox } from '../mailbox.js'

const fields = [
  'id',
  'thread_id',
  'direction',
  'from',
  'to',
  'subject',
  'text',
  'html',
  'attachments',
  'created_at',
]

describe('2.3 Message', () => {
  it('2.3 a message has the ten fields', async () => {
    const mailbox = await openMailbox()
    const { messages } = await mailbox.messages({ limit: 100 })
    expect(messages).toHaveLength(100)
    for (const message of messages) {
      expectKeys(message, fields)
      expectToFit(messageSchema(), message)
    }
  })

  it('2.3 id is prefixed msg_ followed by an opaque string', async () => {
    const mailbox = await openMailbox()
    const ids = (await mailbox.messages({ limit: 100 })).messages.map(({ id }) => id)
    for (const id of ids) expect(id).toMatch(/^msg_[A-Za-z0-9]{8,}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('2.3 thread_id is the id of the thread of the message', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ agent: 'eva' })
    const { messages } = await mailbox.messages({ agent: 'eva' })
    const subjects = new Map(threads.map(({ id, subject }) => [id, subject]))
    for (const message of messages) {
      expect(message.subject.replace(/^Re: /, '')).toBe(subjects.get(message.thread_id))
    }
  })

  it('2.3 from has the form DISPLAY_NAME <EMAIL>', async () => {
    const mailbox = await openMailbox()
    const { messages } = await mailbox.messages({ agent: 'eva' })
    expect(messages.map(({ from }) => from).toSorted()).toEqual([
      '"Lee, Ann" <ann@shop.example>',
      'Ann Lee <ann@shop.example>',
      'Ann Lee <ann@shop.example>',
      'Eva Lind <Eva.Lind@harbour.example>',
      'Lumen Post <news@lumenpost.example>',
      'solo <solo@shop.example>',
    ])
    for (const { from } of messages) expect(from).toMatch(/^\S.* <[^<>\s]+@[^<>\s]+>$/)
  })

  it.each([
    ['Eva L.', '"Eva L." <Eva.Lind@harbour.example>'],
    ['Lind, "Eva"\r\n', '"Lind, \\"Eva\\"" <Eva.Lind@harbour.example>'],
    ['<b>', '"<b>" <Eva.Lind@harbour.example>'],
    ['Evá 💡', 'Evá 💡 <Eva.Lind@harbour.example>'],
    ['', '"Eva.Lind" <Eva.Lind@harbour.example>'],
  ])('2.3 from of what an agent named %j sends', async (display_name, from) => {
    const mailbox = await openMailbox()
    expect((await mailbox.patch('eva', { display_name })).status).toBe(200)
    await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', subject: 'Mine', text: 'Hi' })
    expect(await mailbox.messagesOf('Mine')).toMatchObject([{ from, direction: 'outbound' }])
  })

  it('2.3 to is an array of recipient email addresses', async () => {
    const mailbox = await openMailbox()
    const recipients = (await mailbox.messagesOf('Where is my lamp?')).map(({ to }) => to)
    expect(recipients).toEqual([
      ['Eva.Lind@harbour.example', 'ben@shop.example'],
      [expect.stringMatching(/^[^<>\s]+@[^<>\s]+$/)],
      ['Eva.Lind@harbour.example'],
    ])
  })

  it('2.3 subject is the subject of the message', async () => {
    const mailbox = await openMailbox()
    const subjects = (await mailbox.messagesOf('Where is my lamp?')).map(({ subject }) => subject)
    expect(subjects).toEqual(['Re: Where is my lamp?', 'Re: Where is my lamp?', 'Where is my lamp?'])
  })

  it('2.3 text and html are the plain-text and the HTML body', async () => {
    const mailbox = await openMailbox()
    const [latest] = await mailbox.messagesOf('Where is my lamp?')
    expect(latest).toMatchObject({ text: 'Thank you!', html: '<p>Thank <b>you</b>!</p>' })
  })

  it('2.3 created_at is an ISO 8601 UTC timestamp', async () => {
    const mailbox = await openMailbox()
    const times = (await mailbox.messagesOf('Where is my lamp?')).map(({ created_at }) => created_at)
    expect(times).toEqual([
      '2026-02-27T11:45:10.999Z',
      '2026-02-26T09:00:00.000Z',
      '2026-02-25T08:15:30.250Z',
    ])
    for (const time of times) expect(time).toMatch(isoMilliseconds)
  })
})
