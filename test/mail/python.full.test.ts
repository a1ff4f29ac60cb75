import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parseEml } from '../../src/mail/index.js'

const count = Number(process.env['MAIL_RUNS'] ?? 1000)
const program = fileURLToPath(new URL('./write_mail.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

function parsed(mail: Buffer): object {
  const { from, to, subject, date, text, html, attachments } = parseEml(mail)
  return {
    from: [from.name, from.address],
    to: to.map(({ address }) => address),
    // Python 3.11 forgets the blank between two encoded words.
    subject: subject.replaceAll(' ', ''),
    ...{ date: (date ?? Number.NaN) / 1000, text: text?.trimEnd(), html: html?.trimEnd() ?? null },
    files: attachments.map(({ filename, contentType, content }) => [filename, contentType, content]),
  }
}

it.skipIf(!hasPython)(
  `${count} mails say what Python wrote${hasPython ? '' : ' (skipped: there is no python3 here)'}`,
  { timeout: 300_000 },
  () => {
    const options = { maxBuffer: 2 ** 30, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync('python3', [program, String(count)], options)
    expect(stderr).toBe('')
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(count)
    for (const line of lines) {
      const { mail, ...written } = JSON.parse(line) as { readonly mail: string }
      const bytes = Buffer.from(mail, 'base64')
      expect(parsed(bytes), bytes.toString().slice(0, 1500)).toEqual(written)
    }
  },
)
