import { expect, it } from 'vitest'
import { parseEml } from '../src/mail/parse-eml.js'
import { snippetOf } from '../src/mail/snippet.js'
import { Masker } from '../src/service/record/masker.js'
import { SecretFinder } from '../src/story/secrets.js'

// Texts so long that anything but time in proportion to their length ends these tests at their time-out.

const masker = new Masker(() => ['listed-key', 'desk', 'listed-key-2'])

it.each(['"', '\\', '{"token": "a\\"', '[', '{"auth_token":"', ' token ', '://', '?a', 'token:\\"'])(
  'a long text of %s is masked',
  (piece) => {
    const text = piece.repeat(100_000)
    expect(masker.text(text).length).toBeLessThanOrEqual(2 * text.length)
  },
)

it('a form of many parts is masked', () => {
  const long = 'content-disposition: form-data; name=api_key\r\na'.repeat(20_000)
  expect(masker.text(long)).toBe(long)
})

it('a secret is found in a long text, and only there', () => {
  const secret = 'Kq7wPz4mT9xB'
  const finder = new SecretFinder({ refund_code: secret, pin: '482913' })
  const texts = ['<', '&#', '%4', '\\u00', '4 8 2 9 1 ', 'Kq7wPz4mT9x'].map((part) =>
    part.repeat(200_000 / part.length),
  )
  expect(texts.flatMap((text) => finder.find(text))).toEqual([])
  const many = `${'x'.repeat(200)} ${secret} `.repeat(500)
  expect(finder.masked(many)).toBe(many.replaceAll(secret, '[secret refund_code]'))
})

const head = 'From: a@b.example\r\n'
const mixed = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
const repeat = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length))
const encoded = (encoding: string) => `${head}Content-Transfer-Encoding: ${encoding}\r\n\r\n`
const flowed = `${head}Content-Type: text/plain; format=flowed\r\n\r\n`
const html = `${head}Content-Type: text/html\r\n\r\n`

/** Mails of about a given size in bytes. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  'line ends': (bytes) => `${head}\n${repeat('\n', bytes)}`,
  'ordinary lines': (bytes) => `${head}\n${repeat(`${'x'.repeat(70)}\r\n`, bytes)}`,
  groups: (bytes) => `${head}To: ${repeat('a:', bytes)}\n\nx`,
  brackets: (bytes) => `From: ${repeat('(', bytes)}\n\nx`,
  'nested comments': (bytes) => `From: ${repeat('(', bytes / 2)}${repeat(')', bytes / 2)}\n\nx`,
  'brackets of both kinds': (bytes) => `From: ${repeat('(<', bytes)}\n\nx`,
  'separators of addresses': (bytes) => `Cc: ${repeat(';', bytes)}\n\nx`,
  'flowing lines that lose their blank': (bytes) =>
    `${head}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${repeat('a \n', bytes)}`,
  quotes: (bytes) => `From: ${repeat('"a" ', bytes)}\n\nx`,
  'escaped quotes in brackets': (bytes) => `From: <"${repeat('\\"<', bytes)}">\n\nx`,
  'words of a name': (bytes) => `From: ${repeat('a ', bytes / 2)}x@y${repeat(' :', bytes / 2)}\n\nx`,
  'an empty boundary': (bytes) =>
    `${head}Content-Type: multipart/mixed; boundary=""\n\n${repeat('--\n\nx\n', bytes)}`,
  'lines like a boundary': (bytes) => `${mixed}--b\n\n${repeat('--c\n', bytes)}`,
  'lines of two hyphens': (bytes) => `${mixed}${repeat('--\n', bytes)}`,
  'no boundary': (bytes) => `${head}Content-Type: multipart/mixed\n\n${repeat('--c\nwords\n', bytes)}`,
  'deep parts': (bytes) => {
    const levels = Array.from(
      { length: 99 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    )
    return `${head}${levels.join('')}\n${repeat('--x\n', bytes)}`
  },
  'header fields': (bytes) => `${repeat(`Received: from a by b; ${'x'.repeat(1600)}\n`, bytes)}\nx`,
  'a folded header': (bytes) => `Subject: x\n${repeat(' y\n', bytes)}\nx`,
  'encoded words': (bytes) => `Subject: ${repeat('=?a?q?x?= =?b?q?y?= ', bytes)}\n\nx`,
  'openings of encoded words': (bytes) => `Subject: ${repeat('=?utf-8?B?', bytes)}?=\n\nx`,
  'a giant encoded word': (bytes) => `Subject: =?utf-8?Q?${repeat('=41_ ', bytes)}?=\n\nx`,
  parameters: (bytes) => `${head}Content-Type: text/plain; ${repeat('a=1; ', bytes)}\n\nx`,
  'parameters without semicolons': (bytes) => `${head}Content-Type: text/plain ${repeat('a=b ', bytes)}\n\nx`,
  'blanks in a charset': (bytes) => `${head}Content-Type: text/plain; charset=${repeat(' ', bytes)}(\n\nx`,
  references: (bytes) => `References: ${repeat('<a@b> ', bytes)}\n\nx`,
  'brackets that close no id': (bytes) => `References: <a@b> ${repeat('< <>>', bytes)}\n\nx`,
  base64: (bytes) => `${encoded('base64')}${repeat('QUJD\r\n', bytes)}`,
  'quoted-printable': (bytes) => `${encoded('quoted-printable')}${repeat('= ', bytes)}`,
  uuencode: (bytes) => `${encoded('x-uuencode')}begin 644 x\n${repeat('#:&D*\n', bytes)}`,
  'flowed lines': (bytes) => `${flowed}${repeat('> a \n', bytes)}`,
  'marks of quotes': (bytes) => `${flowed}${repeat('>', bytes)}`,
  'quoted lines': (bytes) => `${head}\n${repeat('> a\n', bytes)}`,
  'HTML elements': (bytes) => `${html}${repeat('<table><tr><td>', bytes)}`,
  'HTML comments': (bytes) => `${html}${repeat('<!--', bytes)}`,
}

it.each(Object.entries(shapes))('a long mail of %s is read', (_, shape) => {
  expect(snippetOf(parseEml(Buffer.from(shape(2_000_000)))).length).toBeLessThanOrEqual(160)
})

it('a mail of more parts than the limit is refused', () => {
  expect(() => parseEml(`${mixed}${repeat('--b\n', 8_000_000)}`)).toThrow('more than')
})
