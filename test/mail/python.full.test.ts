import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parseEml } from '../../src/mail/index.js'
import { generatedMail } from '../support/mail/generated-mail.js'
import { drawFrom } from '../support/mail/mutation.js'

const count = Number(process.env['MAIL_RUNS'] ?? 4000)
const program = fileURLToPath(new URL('../support/mail/read_mail.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

interface Read {
  readonly from: [string, string]
  readonly to: string[]
  readonly subject: string
  readonly date: number
  readonly text: string | null
  readonly html: string | null
  readonly files: [string, string, string][]
}

const lines = (text: string | null) => text?.replace(/\r\n/g, '\n').replace(/\n$/, '') || null

function ownReading(mail: Uint8Array): Read {
  const { from, to, subject, date, text, html, attachments } = parseEml(mail)
  return {
    from: [from.name, from.address],
    to: to.map(({ address }) => address),
    subject,
    date: (date ?? Number.NaN) / 1000,
    text: lines(text),
    html: lines(html),
    files: attachments.map(({ filename, contentType, content }) => [filename, contentType, content]),
  }
}

it.skipIf(!hasPython)(
  `${count} mails are read as Python reads them${hasPython ? '' : ' (skipped: there is no python3 here)'}`,
  { timeout: 300_000 },
  () => {
    const draw = drawFrom(2045)
    const mails = Array.from({ length: count }, () => generatedMail(draw))
    const input = mails.map((mail) => mail.toString('base64')).join('\n')
    const { stdout, stderr } = spawnSync('python3', [program], {
      input,
      maxBuffer: 2 ** 30,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const others = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Read)
    expect(others).toHaveLength(count)
    for (const [index, other] of others.entries()) {
      const expected = { ...other, text: lines(other.text), html: lines(other.html) }
      expect(ownReading(mails[index] as Buffer), (mails[index] as Buffer).toString().slice(0, 1500)).toEqual(
        expected,
      )
    }
  },
)
