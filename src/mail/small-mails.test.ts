import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseEml } from './parse-eml.js'

const file = new URL('../../test/fixtures/small-mails.jsonl', import.meta.url)

/**
 * A message, with a character for each of its bytes, and some of its parsed fields; others are those of
 * `ParsedMail`.
 */
interface SmallMail {
  /** What the message demonstrates, if that is not obvious. */
  readonly about?: string
  readonly mail: string
  /** Name and address. */
  readonly from?: readonly [string, string]
  readonly to?: readonly string[]
  readonly date?: string | null
  /** Name, type and bytes. */
  readonly files?: readonly (readonly [string, string, string])[]
}

const mails = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SmallMail)

it(`parses ${mails.length} small messages as mail programs show them`, () => {
  expect(mails.length).toBeGreaterThan(700)
  for (const { about = '', mail, ...expected } of mails) {
    const { from, to, date, attachments, ...fields } = parseEml(Buffer.from(mail, 'latin1'))
    const seen = {
      ...fields,
      date: date && new Date(date).toISOString(),
      from: [from.name, from.address],
      to: to.map(({ address }) => address),
      files: attachments.map(({ filename, contentType, content }) => {
        return [filename, contentType, Buffer.from(content, 'base64').toString('latin1')]
      }),
    }
    expect(seen, `${about} ${JSON.stringify(mail)}`).toMatchObject(expected)
  }
})
