import { describe, expect, it, vi } from 'vitest'
import { parseEml } from './parse-eml.js'
import { unknownSender } from './parsed-mail.js'
import { threadingFacts } from './threading.js'

const mail = (...lines: string[]) => parseEml(lines.join('\r\n'))

describe('headers', () => {
  it('keep their names and order, without lines that are no header', async () => {
    const { headers } = await mail(
      'From nobody Mon Jan  5',
      'X-B: 1',
      'not a header',
      'x-a: two',
      '\tlines',
      '',
      'Hi',
    )
    expect(headers).toEqual([
      ['X-B', '1'],
      ['x-a', 'two lines'],
    ])
  })

  it('cannot be split by an encoded line break', async () => {
    const { subject, headers } = await mail('Subject: =?utf-8?Q?Hi=0D=0ABcc:_x?=', '', '')
    expect(subject).toBe('Hi Bcc: x')
    expect(headers).toEqual([['Subject', 'Hi Bcc: x']])
  })

  it.each([
    ['no From', 'To: a@b.example'],
    ['an empty From', 'From: <>'],
  ])('give the unknown sender for %s', (_, line) => {
    expect(mail(line, '', 'Hi').from).toEqual(unknownSender)
  })

  it('use the first From and every To', async () => {
    const { from, to } = await mail(
      'From: a@b.example',
      'To: c@b.example',
      'From: x@y.example',
      'To: d@b.example',
      '',
      '',
    )
    expect(from.address).toBe('a@b.example')
    expect(to.map(({ address }) => address)).toEqual(['c@b.example', 'd@b.example'])
  })

  it('give message ids with brackets', async () => {
    const { messageId, inReplyTo, answered, references } = await mail(
      'Message-ID: bare@b.example',
      'In-Reply-To: Your mail of Monday <one@b.example> <two@b.example>',
      'References: <one@b.example>,<two@b.example>',
      ' junk',
      '',
      '',
    )
    expect({ messageId, inReplyTo }).toEqual({ messageId: '<bare@b.example>', inReplyTo: '<one@b.example>' })
    expect(answered).toEqual(['<one@b.example>', '<two@b.example>'])
    expect(references).toEqual(['<one@b.example>', '<two@b.example>'])
    expect((await mail('Message-ID: no id', '', '')).messageId).toBeNull()
  })

  it('keep the first and the last of many references', async () => {
    const ids = Array.from({ length: 3000 }, (_, number) => `<${number}@b.example>`)
    const { references } = await mail(`References: ${ids.join(' < <> ')}>`, '', 'Hi')
    expect(references).toEqual([ids[0], ...ids.slice(-999)])
  })
})

describe('the body', () => {
  it.each(['Hi', 'Hi\n', 'Hi\r\n'])('is Hi for %j', async (body) => {
    expect((await mail('From: a@b.example', '', body)).text).toBe('Hi')
    const base64 = await mail('Content-Transfer-Encoding: base64', '', btoa(body))
    expect(base64.text).toBe('Hi')
  })

  it('keeps trailing blank lines', async () => {
    expect((await mail('', 'Hi', '', '', '')).text).toBe('Hi\n\n')
  })

  it('is null if missing', async () => {
    expect(await parseEml('')).toMatchObject({ from: unknownSender, subject: '', text: null, html: null })
    expect(await mail('Subject: S', '', '')).toMatchObject({ subject: 'S', text: null, html: null })
  })
})

describe('attachments', () => {
  const named = async (...headers: string[]) =>
    (await mail(...headers, 'Content-Disposition: attachment', '', 'x')).attachments[0]?.filename

  it.each([
    ['name="../../etc/passwd"', 'passwd'],
    ['name="C:\\\\mail\\\\a.txt"', 'a.txt'],
    ['name="=?utf-8?Q?a=00=0D=0Ab.txt?="', 'ab.txt'],
    ['name="a\u202etxt.exe"', 'atxt.exe'],
    ['name=".."', 'attachment-1.txt'],
    ['name="dir/"', 'attachment-1.txt'],
    ['charset=utf-8', 'attachment-1.txt'],
  ])('with %s are named %s', async (parameter, filename) => {
    expect(await named(`Content-Type: text/plain; ${parameter}`)).toBe(filename)
  })

  it('of an unknown type are binary, of a broken one text', async () => {
    expect(await named('Content-Type: application/x-lamp')).toBe('attachment-1.bin')
    const { attachments } = await mail('Content-Type: not a type', 'Content-Disposition: form-data', '', 'x')
    expect(attachments[0]).toMatchObject({
      contentType: 'text/plain',
      disposition: 'attachment',
    })
  })

  it('keep several megabytes byte for byte', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, index) => (index * 31) % 256))
    const base64 = bytes.toString('base64')
    const lines = base64.replace(/.{76}/g, '$&\r\n')
    const source = `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
    const { attachments } = await parseEml(source)
    expect(attachments[0]?.filename).toBe('attachment-1.png')
    expect(attachments[0]?.content === base64).toBe(true)
  })
})

describe('parseEml', () => {
  it('refuses mail beyond a limit', () => {
    const deep = Array.from({ length: 101 }, (_, n) => [
      `Content-Type: multipart/mixed; boundary=b${n}`,
      '',
      `--b${n}`,
    ])
    expect(() => mail(...deep.flat(), '', 'x')).toThrow('nested more than 100 deep')
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
    expect([kept.to, kept.cc]).toEqual([[{ name: '', address: 'a@b.example' }], []])
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

  it('keeps everything within the limits', () => {
    const levels = Array.from({ length: 100 }, (_, n) => [
      `Content-Type: multipart/mixed; boundary=b${n}`,
      '',
      `--b${n}`,
    ])
    expect(mail('Subject: deep', ...levels.flat(), '', 'found')).toMatchObject({
      subject: 'deep',
      text: 'found',
    })
    const wide = mail('Subject: wide', `X-Long: ${'x'.repeat(3_000_000)}`, '', 'kept')
    expect(wide).toMatchObject({ subject: 'wide', text: 'kept' })
  })
})
