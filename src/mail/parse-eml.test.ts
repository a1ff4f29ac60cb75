import { describe, expect, it, vi } from 'vitest'
import { parseEml } from './parse-eml.js'
import { threadingFacts } from './threading.js'

const mail = (...lines: string[]) => parseEml(lines.join('\r\n'))

// small-mails.jsonl has more messages with their fields.
describe('parseEml', () => {
  it('keeps the first and the last of many references', async () => {
    const ids = Array.from({ length: 3000 }, (_, number) => `<${number}@b.example>`)
    const { references } = await mail(`References: ${ids.join(' < <> ')}>`, '', 'Hi')
    expect(references).toEqual([ids[0], ...ids.slice(-999)])
  })

  it('keeps an attachment of several megabytes byte for byte', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, index) => (index * 31) % 256))
    const base64 = bytes.toString('base64')
    const lines = base64.replace(/.{76}/g, '$&\r\n')
    const source = `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
    const { attachments } = await parseEml(source)
    expect(attachments[0]?.filename).toBe('attachment-1.png')
    expect(attachments[0]?.content === base64).toBe(true)
  })

  const nested = (levels: number) => {
    const heads = Array.from({ length: levels }, (_, n) => [
      `Content-Type: multipart/mixed; boundary=b${n}`,
      '',
      `--b${n}`,
    ])
    return mail('Subject: deep', ...heads.flat(), '', 'found')
  }

  it('refuses mail beyond a limit', () => {
    expect(nested(100)).toMatchObject({ subject: 'deep', text: 'found' })
    expect(() => nested(101)).toThrow('nested more than 100 deep')
    expect(() => mail('Content-Type: multipart/mixed; boundary=b', '', '--b\n\n\n'.repeat(10_000))).toThrow(
      'more than 500 parts',
    )
    expect(() => mail('X:\n'.repeat(2_001))).toThrow('more than 2,000 header fields')
    expect(() => mail(`To: ${'a@b.example,'.repeat(2_001)}`)).toThrow('more than 2,000 addresses')
  })

  it('decodes encoded words in the first 100,000 characters of such fields', () => {
    const word = '=?utf-8?q?=C3=A9?='
    const { headers } = mail(
      `X: ${'x'.repeat(200_000)}`,
      `Y: ${word}`,
      `Z: ${`${word} `.repeat(5_262)}`,
      `Z: ${word}`,
    )
    expect(headers.map(([, value]) => value.slice(0, 18))).toEqual([
      'x'.repeat(18),
      'é',
      'é'.repeat(18),
      word,
    ])
  })

  it('parses addresses in the first 100,000 characters of their fields', () => {
    const long = `To: ${'a:'.repeat(25_000)}`
    const kept = mail(long, 'To: a@b.example', long, 'To: b@b.example', 'Cc: c@b.example', '', 'x')
    const whole = kept.to.filter(({ address }) => address.includes('@'))
    expect([whole, kept.cc]).toEqual([[{ name: '', address: 'a@b.example' }], []])
    expect(kept.headers).toHaveLength(5)
    const facts = threadingFacts({ ...kept, id: 'x', message_id: null, in_reply_to: null, created_at: 0 })
    expect(facts.people).toEqual(['a@b.example'])
  })

  it.each([
    ['ids', `In-Reply-To: ${'<a@b> '.repeat(30_000)}`],
    ['parameters', `Content-Type: text/plain ${'a=b '.repeat(30_000)}`],
  ])('parses a header with many %s in linear time', async (_, header) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    await mail(header, '', 'Hi')
    const { calls } = exec.mock
    exec.mockRestore()
    expect(calls.reduce((sum, [text]) => sum + text.length, 0)).toBeLessThan(1000 * header.length)
  })
})
