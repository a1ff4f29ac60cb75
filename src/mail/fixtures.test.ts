import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseEml } from './parse-eml.js'
import type { Mailbox } from './parsed-mail.js'
import { snippetOf } from './snippet.js'

const folder = new URL('../../fixtures/mail/', import.meta.url)
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.eml'))
  .toSorted()

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 16)

/** Formats a long text as its start, its length and a digest. */
function cut(text: string | null): unknown {
  return text === null || text.length <= 300
    ? text
    : `${text.slice(0, 300)}… ${text.length} ${digestOf(text)}`
}

const shown = ({ name, address }: Mailbox): string => `${name} <${address}>`

/** Formats a parsed message in lines, one for each field. */
function linesOf(name: string): string[] {
  const mail = parseEml(readFileSync(new URL(name, folder)))
  const { from, to, cc, bcc, text, html, date, headers, attachments } = mail
  const fields = {
    ...mail,
    source: null,
    from: shown(from),
    to: [to.length, to.slice(0, 3).map(shown)],
    cc: cc.map(shown),
    bcc: bcc.map(shown),
    ...{ text: cut(text), html: cut(html), snippet: snippetOf(mail) },
    date: date && new Date(date).toISOString(),
    references: cut(mail.references.join(' ') || null),
    headers: headers.map(([field, value]) => `${field}: ${value}`.slice(0, 200)),
    attachments: attachments.map(({ content, ...file }) => ({ ...file, content: digestOf(content) })),
  }
  const isShown = (value: unknown): boolean => value !== null && JSON.stringify(value) !== '[]'
  return Object.entries(fields).flatMap(([field, value]) => {
    return isShown(value) ? [`${field}: ${JSON.stringify(value)}`] : []
  })
}

it('parses each shipped message as in test/fixtures/parsed-mails.txt', async () => {
  const parsed = names.map((name) => [`# ${name}`, ...linesOf(name), ''].join('\n')).join('\n')
  await expect(parsed).toMatchFileSnapshot('../../test/fixtures/parsed-mails.txt')
})

it('parses a message in a message in a message one level at a time', () => {
  let source: Uint8Array = readFileSync(new URL('awkward/message-in-message.eml', folder))
  const subjects = [0, 1, 2].map(() => {
    const { subject, attachments } = parseEml(source)
    source = Buffer.from(attachments[0]?.content ?? '', 'base64')
    return subject
  })
  expect(subjects.slice(1)).toEqual(['Inner', 'Innermost'])
})

it('ships messages with CRLF line ends to the agent', () => {
  for (const name of names.filter((one) => !one.includes('/'))) {
    const source = readFileSync(new URL(name, folder), 'latin1')
    expect(source.replaceAll('\r\n', ''), name).not.toMatch(/[\r\n]/)
    expect(parseEml(Buffer.from(source, 'latin1')).to.map(({ address }) => address)).toContain(
      'support@agents.example',
    )
  }
})
