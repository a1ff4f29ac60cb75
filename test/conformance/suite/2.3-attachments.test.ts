import type { AttachmentEntry } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { attachmentEntrySchema } from '../../../src/contract/resources.js'
import { expectError, expectKeys, expectToFit } from '../assertions.js'
import { type Mailbox, openMailbox, type Sending } from '../mailbox.js'
import { keys, lampFiles } from '../scenario.js'
import type { Answer } from '../transport.js'

/** The attachment entries of the message of a subject, in eva's mailbox. */
async function entriesOf(mailbox: Mailbox, subject = 'Broken lamp'): Promise<AttachmentEntry[]> {
  return (await mailbox.messagesOf(subject)).flatMap(({ attachments }) => attachments)
}

/** Fetches the URL of an entry. */
function download(mailbox: Mailbox, { url = '' }: AttachmentEntry, sending?: Sending): Promise<Answer> {
  expect(url.startsWith(`${mailbox.baseUrl}/`), url).toBe(true)
  return mailbox.get(url.slice(mailbox.baseUrl.length), sending)
}

async function expectLampFiles(mailbox: Mailbox, entries: AttachmentEntry[]): Promise<void> {
  expect(entries).toHaveLength(lampFiles.length)
  for (const [index, { bytes }] of lampFiles.entries()) {
    const answer = await download(mailbox, entries[index] ?? {})
    expect(answer.status).toBe(200)
    expect([...answer.body]).toEqual([...bytes])
  }
}

describe('2.3 attachments', () => {
  it('2.3 attachments is empty without attachments', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.messagesOf('Thanks')).toMatchObject([{ attachments: [] }])
  })

  it('2.3 an entry has six fields (messages.attachment-entry=full)', async () => {
    const mailbox = await openMailbox()
    const entries = await entriesOf(mailbox)
    expect(entries).toHaveLength(2)
    for (const [index, { bytes, ...described }] of lampFiles.entries()) {
      const entry = entries[index] ?? {}
      expectKeys(entry, ['id', 'filename', 'content_type', 'size_bytes', 'content_id', 'url'])
      expectToFit(attachmentEntrySchema(), entry)
      expect(entry).toMatchObject({ ...described, size_bytes: bytes.length })
      expect(entry.id).toMatch(/^att_[A-Za-z0-9]{8,}$/)
    }
    await expectLampFiles(mailbox, entries)
  })

  it('2.3 a stored file is served with its type and name', async () => {
    const mailbox = await openMailbox()
    const [photo, text] = await entriesOf(mailbox)
    const answers = [await download(mailbox, photo ?? {}), await download(mailbox, text ?? {})]
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(['image/png', 'text/plain'])
    expect(answers.map(({ headers }) => headers.get('content-disposition'))).toEqual([
      "attachment; filename*=UTF-8''lamp%20photo.png",
      "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%26%20Ma%C3%9F%20%281%29%27s.txt",
    ])
    // A browser that opens a file from a stranger must not run it.
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toBe('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('2.3 a file received later is stored', async () => {
    const mailbox = await openMailbox()
    const content = Uint8Array.of(0, 255, 10, 13)
    const attachments = [{ filename: 'raw', content }]
    await mailbox.simulator.mail.receive({ to: 'eva', subject: 'Raw', text: 'Raw', attachments })
    const [entry] = await entriesOf(mailbox, 'Raw')
    expect(entry).toMatchObject({
      filename: 'raw',
      content_type: 'application/octet-stream',
      size_bytes: 4,
    })
    expect([...(await download(mailbox, entry ?? {})).body]).toEqual([...content])
  })

  it('2.3 a file of any name can be fetched by its URL', async () => {
    const mailbox = await openMailbox()
    const names = [
      '..',
      '.',
      '/etc/passwd',
      'a\\b?c#d%2e',
      'line\r\nbreak',
      ' ',
      '💡',
      '\ud800',
      `${'x'.repeat(300)}.txt`,
    ]
    const attachments = names.map((filename, index) => ({ filename, content: Uint8Array.of(index) }))
    await mailbox.simulator.mail.receive({ to: 'eva', subject: 'Odd names', attachments })
    const entries = await entriesOf(mailbox, 'Odd names')
    expect(entries).toHaveLength(names.length)
    for (const [index, entry] of entries.entries()) {
      const answer = await download(mailbox, entry)
      expect(answer.status, names[index]).toBe(200)
      expect([...answer.body]).toEqual([index])
    }
  })

  it('2.3 a file with an invalid type is served', async () => {
    const mailbox = await openMailbox()
    for (const contentType of ['text/plain\r\nx-evil: 1', 'text/€', ' ', 'text/html', 'nonsense']) {
      const attachments = [{ filename: 'a', content: Uint8Array.of(7), contentType }]
      const { message } = await mailbox.simulator.mail.receive({
        to: 'eva',
        subject: contentType,
        attachments,
      })
      const { messages } = await mailbox.messages({ thread_id: message.thread_id })
      const answer = await download(mailbox, messages[0]?.attachments[0] ?? {})
      expect(answer.status).toBe(200)
      expect([...answer.body]).toEqual([7])
      expect(answer.headers.has('x-evil')).toBe(false)
    }
  })

  it('2.3 the files of an agent are deleted with the agent', async () => {
    const mailbox = await openMailbox()
    const [photo] = await entriesOf(mailbox)
    mailbox.simulator.identities.delete('eva')
    expectError(await download(mailbox, photo ?? {}), 404)
  })

  it('2.3 an unknown file is not found', async () => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get('/attachments/att_000000000000/a.txt'), 404)
  })
})

describe('2.3 messages.attachment-url', () => {
  it('2.3 the URL refuses an unknown key (required, auth.keys=listed-keys)', async () => {
    const assumptions = { 'messages.attachment-url': 'required', 'auth.keys': 'listed-keys' } as const
    const mailbox = await openMailbox(assumptions)
    const [photo] = await entriesOf(mailbox)
    expectError(await download(mailbox, photo ?? {}, { key: 'whoever' }), 401)
    expect((await download(mailbox, photo ?? {})).status).toBe(200)
  })

  it('2.3 the URL does not exist for a key of another organization (required)', async () => {
    const mailbox = await openMailbox({ 'messages.attachment-url': 'required' })
    const [photo] = await entriesOf(mailbox)
    expectError(await download(mailbox, photo ?? {}, { key: keys.other }), 404)
  })
})
