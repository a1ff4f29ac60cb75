import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRandom } from '../service/time/random.js'
import { formatMailbox, isAddress } from './address.js'
import { parseEml } from './parse-eml.js'
import type { ParsedMail } from './parsed-mail.js'
import { snippetOf } from './snippet.js'

// MAIL_FUZZ_RUNS=20000 npx vitest run src/mail/fuzz.test.ts runs longer
const runs = Number(process.env['MAIL_FUZZ_RUNS'] ?? 150)
const longest = 60_000 + runs * 10
const random = createRandom(4187, 'mails')

const folder = new URL('../../fixtures/mail/', import.meta.url)
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.eml'))
  .map((name) => name.replaceAll('\\', '/'))
  .toSorted()
const mails = names.map((name) => readFileSync(new URL(name, folder), 'latin1'))

// Pieces that are hard to parse.
const snippets = [
  ...['=?utf-8?Q?=C3?=', '=?utf-8?B?////?=', '=?x?Q?=', '\r\n\r\n', '\r\n--b\r\n', '\r\n--\r\n', '\xff\xfe'],
  ...'"\\(<>;:,@\r\n\0\x1b',
  ...['multipart/mixed; boundary=b', 'message/rfc822'].map((type) => `Content-Type: ${type}\r\n`),
  ...['base64', 'quoted-printable'].map((encoding) => `Content-Transfer-Encoding: ${encoding}\r\n`),
  ...['; charset=utf-16', '; charset=us-ascii', "; filename*0*=utf-8''%C3; filename*1=x"],
]

/** Mutates one to six places of a mail, given as a binary string: a byte, a cut, a piece, a run, or the end of another. */
function mutate(mail: string, left = random.integer(1, 6)): string {
  const at = random.integer(0, mail.length)
  const [before, after] = [mail.slice(0, at), mail.slice(at)]
  const other = random.pick(mails)
  const mutated = random.pick([
    () => before + String.fromCharCode(random.integer(0, 255)) + after.slice(1),
    () => before,
    () => before + random.pick(snippets) + after,
    () => before + after.slice(0, random.integer(1, 80)).repeat(random.integer(0, 300)) + after,
    () => before + other.slice(random.integer(0, other.length)),
  ])()
  return left === 1 ? mutated : mutate(mutated, left - 1)
}

/** Returns the promises of ParsedMail that a parsed message breaks. */
function brokenPromises(mail: ParsedMail): string[] {
  const broken: string[] = []
  const promise = (name: string, kept: boolean) => kept || broken.push(name)
  const mailboxes = [mail.from, ...mail.to, ...mail.cc]
  promise(
    'addresses',
    [...mail.to, ...mail.cc].every(({ address }) => isAddress(address) || /^[^\s@<>]{1,64}$/.test(address)),
  )
  promise('names', !/\p{Cc}/u.test(mailboxes.map(formatMailbox).join('')))
  promise('headers', !/\p{Cc}/u.test(mail.headers.flat().join('') + mail.subject))
  promise('bodies', !/\r|\0/.test(`${mail.text}${mail.html}`) && mail.text !== '' && mail.html !== '')
  promise('date', mail.date === null || Number.isInteger(mail.date / 1000))
  const ids = [mail.messageId, mail.inReplyTo, ...mail.references]
  promise(
    'ids',
    ids.every((id) => id === null || /^<[^<>\s]+>$/.test(id)),
  )
  for (const { filename, contentType, content } of mail.attachments) {
    promise('filename', /^[^\p{Cc}]{1,255}$/u.test(filename) && filename.length <= 255)
    promise('contentType', /^[^\s/;]+\/[^\s/;]+$/.test(contentType))
    promise('content', Buffer.from(content, 'base64').toString('base64') === content)
  }
  promise('snippet', snippetOf(mail).length <= 160)
  return broken
}

function tryParsing(bytes: Uint8Array): ParsedMail | { error: unknown } {
  try {
    return parseEml(bytes)
  } catch (error) {
    return { error }
  }
}

it(
  `keeps every promise of ParsedMail for ${runs} mutated messages`,
  async () => {
    expect(mails.length).toBeGreaterThan(100)
    for (let run = 0; run < runs; run += 1) {
      const at = random.integer(0, mails.length - 1)
      const bytes = Buffer.from(mutate(mails[at] as string), 'latin1')
      const mail = tryParsing(bytes)
      const broken = 'error' in mail ? [`threw ${mail.error}`] : brokenPromises(mail)
      expect(broken, `run ${run}, from ${names[at]}:\n${bytes.toString('base64')}`).toEqual([])
    }
  },
  longest,
)
