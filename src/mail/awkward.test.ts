import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { awkwardFiles } from '../../test/support/mail/awkward-files.js'
import { awkwardLines } from '../../test/support/mail/awkward-lines.js'
import { type AwkwardMail, type AwkwardTable, plainLetter } from '../../test/support/mail/awkward-mail.js'
import { awkwardParts } from '../../test/support/mail/awkward-parts.js'
import { awkwardPeople } from '../../test/support/mail/awkward-people.js'
import { awkwardWords } from '../../test/support/mail/awkward-words.js'
import { formatMailbox } from './address.js'
import type { ParsedAttachment } from './attachment.js'
import { parseEml } from './parse-eml.js'
import { sizeOfBase64 } from './transfer-encoding.js'

const folder = new URL('../../fixtures/mail/awkward/', import.meta.url)
const parseAwkward = (name: string) => parseEml(readFileSync(new URL(`${name}.eml`, folder)))
const subjects: Readonly<Record<string, AwkwardTable>> = {
  words: awkwardWords,
  files: awkwardFiles,
  parts: awkwardParts,
  lines: awkwardLines,
  people: awkwardPeople,
}

function matching(value: string | RegExp | null): unknown {
  return value instanceof RegExp ? expect.stringMatching(value) : value
}

function fileOf({ filename, contentType, content, disposition, contentId }: ParsedAttachment): unknown[] {
  return [filename, contentType, sizeOfBase64(content), disposition, contentId]
}

async function expectReading(name: string, given: AwkwardMail): Promise<void> {
  const mail = await parseAwkward(name)
  const { attachments, headers, ...expected } = { ...plainLetter(name), ...given }
  expect({ ...mail, from: formatMailbox(mail.from), to: mail.to.length, cc: mail.cc.length }).toMatchObject({
    from: expected.from,
    to: expected.to,
    cc: expected.cc,
    subject: matching(expected.subject),
    text: matching(expected.text),
    html: matching(expected.html),
    date: expected.date,
    messageId: expected.messageId,
    inReplyTo: expected.inReplyTo,
    references: expected.references,
  })
  const files = attachments.map(([filename, type, bytes, disposition = 'attachment', contentId = null]) => {
    return [filename, type, bytes, disposition, contentId]
  })
  expect(mail.attachments.map(fileOf)).toEqual(files)
  expect(mail.headers).toEqual(expect.arrayContaining([...headers]))
}

describe.each(Object.entries(subjects))('awkward %s', (_, table) => {
  const rows = Object.entries(table).map(([name, mail]) => {
    return { title: mail.poor === undefined ? name : `${name} (${mail.poor})`, name, mail }
  })
  it.each(rows)('$title', ({ name, mail }) => expectReading(name, mail))
})

describe('the folder of awkward mail', () => {
  const files = readdirSync(folder)

  it('holds no mail without an expectation, and each under one subject', () => {
    const names = Object.values(subjects).flatMap((table) => Object.keys(table))
    expect(names.toSorted()).toEqual(files.map((name) => name.replace(/\.eml$/, '')).toSorted())
  })

  it('stays small', () => {
    const sizes = files.map((name) => statSync(new URL(name, folder)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
  })
})

describe('a mail in a mail in a mail', () => {
  it('is read one level at a time', async () => {
    const source = ({ attachments: [first] }: { attachments: ParsedAttachment[] }) =>
      Buffer.from(first?.content ?? '', 'base64')
    const inner = await parseEml(source(await parseAwkward('message-in-message')))
    expect(inner).toMatchObject({
      subject: 'Inner',
      text: 'Inner words.',
      messageId: '<inner-1@hotel.example>',
    })
    expect(inner.attachments[0]?.filename).toBe('deep.eml')
    const innermost = await parseEml(source(inner))
    expect(innermost).toMatchObject({ subject: 'Innermost', text: 'Deepest words.', date: null })
  })
})
