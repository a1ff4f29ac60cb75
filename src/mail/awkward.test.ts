import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formatMailbox } from './address.js'
import { parseEml } from './parse-eml.js'
import type { ParsedAttachment } from './parsed-mail.js'
import { sizeOfBase64 } from './transfer-encoding.js'

/** The expected fields of a parsed mail; omitted ones are those of a plain letter. */
interface AwkwardMail {
  readonly poor?: string
  readonly subject: unknown
  readonly references?: readonly string[] | { readonly count: number }
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
  readonly attachments?: ReadonlyArray<readonly unknown[]>
}

const folder = new URL('../../fixtures/mail/awkward/', import.meta.url)
const parseAwkward = (name: string) => parseEml(readFileSync(new URL(`${name}.eml`, folder)))
const expectations = new URL('../../test/fixtures/awkward-mails.yaml', import.meta.url)
const subjects: Record<string, Record<string, AwkwardMail>> = parse(readFileSync(expectations, 'utf8'))

/** The fields that most of the mails share. */
function plainLetter(name: string) {
  return {
    from: 'Ann Lee <ann@shop.example>',
    to: 1,
    cc: 0,
    text: 'Hello',
    html: null,
    date: '2026-01-05T09:00:00.000Z',
    messageId: `<${name}@shop.example>`,
    inReplyTo: null,
    references: [],
    headers: [],
    attachments: [],
  }
}

function matching(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('matches' in value) return expect.stringMatching(new RegExp(String(value.matches)))
  if ('count' in value) return Array.from({ length: Number(value.count) }, (_, n) => `<r${n}@shop.example>`)
  return value
}

function fileOf({ filename, contentType, content, disposition, contentId }: ParsedAttachment): unknown[] {
  return [filename, contentType, sizeOfBase64(content), disposition, contentId]
}

async function expectReading(name: string, { poor: _, ...given }: AwkwardMail): Promise<void> {
  const mail = await parseAwkward(name)
  const { attachments, headers, ...expected } = { ...plainLetter(name), ...given }
  const date = mail.date && new Date(mail.date).toISOString()
  expect({
    ...mail,
    date,
    from: formatMailbox(mail.from),
    to: mail.to.length,
    cc: mail.cc.length,
  }).toMatchObject(
    Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, matching(value)])),
  )
  const files = attachments.map(([filename, type, bytes, disposition = 'attachment', contentId = null]) => {
    return [matching(filename), type, bytes, disposition, contentId]
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

  it('has exactly one expectation for each mail', () => {
    const names = Object.values(subjects).flatMap((table) => Object.keys(table))
    expect(names.toSorted()).toEqual(files.map((name) => name.replace(/\.eml$/, '')).toSorted())
  })

  it('is smaller than 300,000 bytes', () => {
    const sizes = files.map((name) => statSync(new URL(name, folder)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
  })
})

describe('a mail nested in a mail', () => {
  it('is parsed one level at a time', async () => {
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
