import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadSupport, mailText } from '../../../test/support/mail-on-disk.js'
import { folderOf } from '../../../test/support/temporary-folder.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { MessageRow, ThreadRow } from '../../service/model/rows.js'
import { formatInstant } from '../../service/time/time.js'

const helpdesk = fileURLToPath(new URL('../../../fixtures/mail/helpdesk', import.meta.url))

function messagesOf(store: MailboxStore, thread: ThreadRow): MessageRow[] {
  return store.rows('message', store.messages(thread.id).page({ order: 'created', offset: 0, limit: 100 }))
}

describe('the mail of a directory', () => {
  it('becomes threads with directions, dates and attachments', async () => {
    const store = await loadSupport({ maildir: helpdesk })
    const shown = [...store.all('thread')].map((thread) => {
      const messages = messagesOf(store, thread)
      const ways = messages.map(({ direction }) => (direction === 'inbound' ? '<' : '>')).join('')
      const times = [thread.created_at, thread.last_message_at].map((time) =>
        formatInstant(time).slice(5, 16),
      )
      return `${thread.subject}: ${ways} ${times.join(' ')} ${thread.unread} ${thread.message_count}`
    })
    expect(shown).toEqual([
      'Your summary: < 01-01T06:00 01-01T06:00 true 1',
      'Invoice 2026-014: <>< 01-02T08:00 01-05T06:10 true 3',
      'Cracked lamp shade: <><< 01-02T10:12 01-03T08:30 true 4',
      'Re: Your quote for twelve desk lamps: << 01-03T10:20 01-04T08:05 true 2',
      'フロアランプの納期: << 01-04T01:00 01-05T00:30 true 2',
      'Your summary: < 01-04T06:00 01-04T06:00 true 1',
      'Shop answers slowly: < 01-05T03:12 01-05T03:12 true 1',
      'Re: Invoice 2026-014: < 01-05T07:15 01-05T07:15 true 1',
    ])
    expect([...store.all('attachment')].map(({ filename }) => filename)).toEqual(['crack.png'])
    const [answer] = [...store.all('message')].filter(
      ({ message_id }) => message_id === '<shade-2@agents.example>',
    )
    expect(answer).toMatchObject({
      direction: 'outbound',
      from: 'Support <support@agents.example>',
      to: ['ann.lee@shop.example'],
      in_reply_to: '<shade-1@shop.example>',
    })
    expect(answer?.headers).toContainEqual(['References', '<shade-1@shop.example>'])
  })

  it('can come from several directories, threaded together, beside written threads', async () => {
    const maildir = [join(helpdesk, 'inbox'), join(helpdesk, 'sent')]
    const store = await loadSupport({
      maildir,
      threads: [{ subject: 'Re: Invoice 2026-014', messages: [{ at: '-1h' }] }],
    })
    const counts = [...store.all('thread')].map(({ message_count }) => message_count)
    expect(counts).toEqual([1, 1, 3, 4, 2, 2, 1, 1, 1])
  })

  it('includes .eml files of any name in any subfolder', async () => {
    const maildir = await folderOf({
      'b/c/d.EML': mailText('one', '3'),
      'b #1?/50%.eml': mailText('two', '2'),
      'ä.eml': mailText('three', '1'),
      'notes.txt': 'no mail',
      '.hidden.eml': 'no mail',
      '.git/x.eml': 'no mail',
      'broken.eml': Uint8Array.of(0, 255, 13, 10, 62),
      'empty.eml': '',
    })
    for (const named of [maildir, `${maildir}/`, pathToFileURL(maildir).href]) {
      const messages = [...(await loadSupport({ maildir: named })).all('message')]
      expect(messages.map(({ text }) => text).slice(0, 3)).toEqual(['three', 'two', 'one'])
      expect(messages.map(({ from }) => from).slice(3)).toEqual(Array(2).fill('unknown <unknown@invalid>'))
    }
  })

  it('is dated by Received, by the message it replies to, or by the start if it has no date', async () => {
    const maildir = await folderOf({
      'a.eml': mailText('a', '', 'In-Reply-To: <b@x>'),
      'b.eml': mailText('b', '', 'Received: by x; Fri, 2 Jan 2026 10:00:00 +0000'),
      'c.eml': mailText('c', '', 'Date: whenever'),
      'd.eml': mailText('d', '3', 'In-Reply-To: <b@x>'),
    })
    const dates = [...(await loadSupport({ maildir })).all('message')].map(({ created_at }) =>
      formatInstant(created_at),
    )
    expect(dates).toEqual([
      '2026-01-02T10:00:00.000Z',
      '2026-01-02T10:01:00.000Z',
      '2026-01-03T00:00:00.000Z',
      '2026-01-05T09:00:00.000Z',
    ])
  })

  it('keeps its values when files are added or the directory moves', async () => {
    const files = {
      'b.eml': mailText('b', '2', 'References: <a@x>', 'Subject: Re: Lamp'),
      'c.eml': mailText('c', '3', 'Subject: Another'),
      'd/e.eml': mailText('e', '4', 'Subject: Third'),
    }
    const valuesOf = async (maildir: string): Promise<[string, unknown][]> => {
      return [...(await loadSupport({ maildir })).all('message')].map(({ id, ordinal, ...row }) => [id, row])
    }
    const before = await valuesOf(await folderOf(files))
    const more = {
      'a.eml': mailText('a', '1', 'Subject: Lamp'),
      'd/d.eml': mailText('d', '5', 'In-Reply-To: <e@x>'),
    }
    const after = await valuesOf(await folderOf({ ...files, ...more }))
    expect(before).toHaveLength(3)
    expect(after).toHaveLength(5)
    for (const row of before) expect(after).toContainEqual(row)
  })
})

describe('a Maildir', () => {
  const box = {
    'cur/1767200000.a.host:2,S': mailText('read', '1', 'Subject: Read'),
    'cur/1767200001.b.host:2,RF': mailText('flagged', '2', 'Subject: Flagged'),
    'new/1767200002.c.host': mailText('new', '3', 'Subject: New'),
    'tmp/1767200003.d.host': mailText('half', '4', 'Subject: Half'),
    'cur/1767200004.e.host:2,S': mailText('asked', '1', 'Subject: Mixed'),
    'new/1767200005.f.host': mailText('again', '2', 'Subject: Re: Mixed'),
    'cur/1767200006.g.host:2,': mailText('sent', '3', 'Subject: Sent', 'From: support@agents.example'),
    'cur/.lock': '',
  }
  const unreadOf = (store: MailboxStore) => {
    return Object.fromEntries([...store.all('thread')].map(({ subject, unread }) => [subject, unread]))
  }

  it('is read from cur and new with its flags', async () => {
    const store = await loadSupport({ maildir: await folderOf(box) })
    expect(unreadOf(store)).toEqual({ Read: false, Flagged: true, New: true, Mixed: true, Sent: false })
  })

  it('keeps its values when a message is read', async () => {
    const { 'new/1767200002.c.host': fresh, ...others } = box
    const idsOf = async (files: Parameters<typeof folderOf>[0]) =>
      [...(await loadSupport({ maildir: await folderOf(files) })).all('message')].map(({ id }) => id)
    const before = await idsOf(box)
    expect(await idsOf({ ...others, 'cur/1767200002.c.host:2,S': fresh })).toEqual(before)
    expect(new Set(before).size).toBe(6)
  })

  it('can lack a directory unless it has .eml files', async () => {
    const half = await folderOf({ 'cur/1:2,S': mailText('one', '1', 'Subject: One') })
    expect(unreadOf(await loadSupport({ maildir: half }))).toEqual({ One: false })
    const named = await folderOf({ 'new/1.eml': mailText('one', '1', 'Subject: One'), 'new/2': 'no mail' })
    expect(unreadOf(await loadSupport({ maildir: named }))).toEqual({ One: true })
  })
})
