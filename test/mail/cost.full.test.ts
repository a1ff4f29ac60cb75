import { createSimulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { parseEml } from '../../src/mail/parse-eml.js'
import { snippetOf } from '../../src/mail/snippet.js'
import { oneMailbox } from './conversation.js'

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
  'header fields': (bytes) => `${repeat(`Received: from a by b; ${'x'.repeat(600)}\n`, bytes)}\nx`,
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

/** The least milliseconds of processor time for reading. */
function costOf(mail: Uint8Array): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    snippetOf(parseEml(mail))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

it('parsing takes linear time for any shape of mail', () => {
  const steep = Object.entries(shapes).flatMap(([name, shape]) => {
    const [small, large] = [250_000, 1_000_000].map((bytes) => costOf(Buffer.from(shape(bytes)))) as [
      number,
      number,
    ]
    // Four if linear, sixteen if quadratic; short times hardly count
    return large > 9 * Math.max(small, 20) ? [`${name}: ${small.toFixed()} ms, ${large.toFixed()} ms`] : []
  })
  expect(steep).toEqual([])
}, 120_000)

it('mail beyond the limits is refused before it is parsed', () => {
  const cost = (mail: string) => {
    expect(() => parseEml(mail)).toThrow('more than')
    const before = process.cpuUsage()
    expect(() => parseEml(mail)).toThrow('more than')
    return process.cpuUsage(before).user / 1000
  }
  const [small, large] = [
    cost(`${mixed}${repeat('--b\n', 1_000_000)}`),
    cost(`${mixed}${repeat('--b\n', 8_000_000)}`),
  ]
  expect(large).toBeLessThan(6 * Math.max(small, 50))
})

/** Milliseconds of processor time for importing a conversation into a mailbox. */
async function costOfConversation(mails: readonly string[]): Promise<number> {
  const sim = await createSimulator({ scenario: oneMailbox({}) })
  const before = process.cpuUsage()
  for (const eml of mails) await sim.mail.receive({ to: 'support', eml })
  const { user, system } = process.cpuUsage(before)
  expect(sim.mailbox.threads()).toMatchObject({ total: 1, threads: [{ message_count: mails.length }] })
  return (user + system) / 1000
}

it('joining a thread takes the same time for any length of the thread', async () => {
  const links: Readonly<Record<string, (number: number) => string>> = {
    'In-Reply-To': (number) => `In-Reply-To: <${number - 1}@x>\n`,
    Subject: () => '',
  }
  for (const [name, link] of Object.entries(links)) {
    const mail = (number: number) =>
      `${head}Date: ${new Date(number * 60_000).toUTCString()}\nMessage-ID: <${number}@x>\n` +
      `${number === 1 ? 'Subject: x\n' : `Subject: Re: x\n${link(number)}`}\n.`
    const conversation = (length: number) => Array.from({ length }, (_, index) => mail(index + 1))
    await costOfConversation(conversation(200))
    const small = await costOfConversation(conversation(200))
    const large = await costOfConversation(conversation(800))
    // Four if linear, sixteen if quadratic
    expect(large, name).toBeLessThan(10 * Math.max(small, 20))
  }
}, 60_000)
