import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawFrom, mutate } from '../../test/mail/mutation.js'
import { formatMailbox, isAddress } from './address.js'
import { parseEml } from './parse-eml.js'
import type { ParsedMail } from './parsed-mail.js'
import { snippetOf } from './snippet.js'

// MAIL_FUZZ_RUNS=20000 npx vitest run src/mail/fuzz.test.ts runs longer
const runs = Number(process.env['MAIL_FUZZ_RUNS'] ?? 150)
const longest = 60_000 + runs * 10
const seed = 4187

const folder = new URL('../../fixtures/mail/', import.meta.url)
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.eml'))
  .map((name) => name.replaceAll('\\', '/'))
  .toSorted()
const mails = names.map((name) => readFileSync(new URL(name, folder), 'latin1'))

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
    const draw = drawFrom(seed)
    expect(mails.length).toBeGreaterThan(100)
    for (let run = 0; run < runs; run += 1) {
      const at = draw(mails.length)
      const bytes = Buffer.from(mutate(mails[at] as string, draw, mails), 'latin1')
      const mail = tryParsing(bytes)
      const broken = 'error' in mail ? [`threw ${mail.error}`] : brokenPromises(mail)
      expect(broken, `run ${run}, from ${names[at]}:\n${bytes.toString('base64')}`).toEqual([])
    }
  },
  longest,
)
