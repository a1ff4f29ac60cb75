import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSupport, mailText, type WrittenIdentity } from '../../../test/support/mail-on-disk.js'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { formatInstant } from '../../service/time/time.js'

type Thread = NonNullable<WrittenIdentity['threads']>[number]

describe('mail in a written thread', () => {
  const inThread = (...messages: Thread['messages']) =>
    loadSupport({ threads: [{ subject: 'Shade', messages }] })

  it('is sorted by date among the written messages', async () => {
    const maildir = await folderOf({
      'a.eml': mailText('late', '4', 'Subject: Other'),
      'b.eml': mailText('early', '2', 'From: SUPPORT@agents.example'),
      'c.eml': mailText('undated', '', 'In-Reply-To: <early@x>'),
    })
    const store = await inThread({ at: '2026-01-03T00:00:00Z', text: 'written' }, { maildir })
    const texts = [...store.all('message')].map(({ text }) => text)
    expect(texts).toEqual(['early', 'undated', 'written', 'late'])
    const directions = [...store.all('message')].map(({ direction }) => direction)
    expect(directions).toEqual(['outbound', 'inbound', 'inbound', 'inbound'])
    expect([...store.all('thread')]).toMatchObject([{ subject: 'Shade', message_count: 4, unread: true }])
  })

  it('can come from several directories with equal names', async () => {
    const maildir = await folderOf({ 'a.eml': mailText('a', '1') })
    const [thread] = [...(await inThread({ maildir }, { maildir }, { text: 'written' })).all('thread')]
    expect(thread?.message_count).toBe(3)
  })

  it('can be read already and can have a given direction', async () => {
    const maildir = await folderOf({ 'cur/1:2,S': mailText('one', '1'), 'new/.keep': '' })
    expect([...(await inThread({ maildir })).all('thread')]).toMatchObject([{ unread: false }])
    const said = await inThread({ maildir, direction: 'outbound' })
    expect([...said.all('message')]).toMatchObject([{ direction: 'outbound' }])
  })

  it('is outbound if it is from the agent, also as an .eml file', async () => {
    const directory = await folderOf({
      'a.eml': mailText('a', '1', 'From: Support <Support@Agents.Example>'),
    })
    const eml = join(directory, 'a.eml')
    const store = await inThread({ eml }, { eml, direction: 'inbound' }, { eml, from: 'bea@hotel.example' })
    const ways = [...store.all('message')].map(({ direction, from }) => [direction, from])
    expect(ways).toEqual([
      ['outbound', 'Support <Support@Agents.Example>'],
      ['inbound', 'Support <Support@Agents.Example>'],
      ['inbound', 'bea <bea@hotel.example>'],
    ])
  })

  it('is dated after the message it replies to if it has no date', async () => {
    const directory = await folderOf({
      'a.eml': mailText('a', '1'),
      'b.eml': mailText('b', '', 'References: <a@x>'),
    })
    const store = await inThread({ eml: join(directory, 'a.eml') }, { eml: join(directory, 'b.eml') })
    const times = [...store.all('message')].map(({ created_at }) => formatInstant(created_at).slice(0, 16))
    expect(times).toEqual(['2026-01-01T00:00', '2026-01-01T00:01'])
  })
})
