import { describe, expect, it } from 'vitest'
import { decodeHeader } from './header-text.js'
import { repairSource } from './mail-source.js'
import { parseEml } from './parse-eml.js'

const repaired = (source: string) => Buffer.from(repairSource(Buffer.from(source, 'latin1'))).toString('utf8')

describe('repairSource', () => {
  it.each([
    ['a plain mail', 'From: a@b.example\r\nX: 1\r\n\r\nHi\r\n'],
    ['a mailbox mark', 'From a@b.example Mon Jan  5\nX: 1\n\nHi'],
    ['a stray line between headers', 'X: 1\nno header here\nY: 2\n\nHi'],
    ['a header folded without its indentation', 'Content-Type: text/plain;\ncharset=utf-8\n\nHi'],
    ['a line without words', 'X: 1\n: 2\n\nHi'],
    ['a body with any bytes', 'X: 1\n\n\u00c3\u00a9 words\rand no: headers'],
    ['nothing', ''],
  ])('leaves %s alone', (_, source) => {
    expect(repairSource(Buffer.from(source, 'latin1'))).toEqual(Buffer.from(source, 'latin1'))
  })

  it.each([
    ['text after the headers', 'X: 1\n y\nDear all,\n words\n\nBye', 'X: 1\n y\n\nDear all,\n words\n\nBye'],
    ['text without headers', 'Hello\n\nBye', '\nHello\n\nBye'],
    ['bare CR', 'X: 1\r\rHi\r', 'X: 1\n\nHi\n'],
    ['a mark', '\xef\xbb\xbfX: 1\n\nHi', 'X: 1\n\nHi'],
    ['latin-1 beside utf-8', 'A: \xfc\nB: \xc3\xbc\n\n', 'A: ü\nB: ü\n\n'],
  ])('puts %s right', (_, source, result) => {
    expect(repaired(source)).toBe(result)
  })
})

describe('letters of windows-1252', () => {
  it('are the same on every engine', async () => {
    expect(decodeHeader('=?windows-1252?Q?=80_=92_=9F_=81?=')).toBe('€ ’ Ÿ')
    const { text } = await parseEml(
      Buffer.from('Content-Type: text/plain; charset=latin1\n\n\x93a\x94', 'latin1'),
    )
    expect(text).toBe('“a”')
  })
})

describe('a second reading', () => {
  const read = (...lines: string[]) => parseEml(Buffer.from(lines.join('\r\n'), 'latin1'))

  it('is not made of what was labelled rightly', async () => {
    const declared = await read('Content-Type: text/plain; charset=iso-8859-1', '', 'Ã¼')
    expect(declared.text).toBe('Ã¼')
    const encoded = await read('Content-Type: text/plain; charset=utf-8', '', '\xfc')
    expect(encoded.text).toBe('\ufffd')
    const japanese = await read('Content-Type: text/plain; charset=cp50220', '', '\x1b$B>HL@\x1b(B')
    expect(japanese.text).toBe('照明')
    const hurt = await read('Content-Type: text/plain', '', 'Gr\xc3\xbc\xc3\x9fe aus K\xc3')
    expect(hurt.text).toBe('Grüße aus K\ufffd')
  })

  it('is dropped when it reads worse', async () => {
    expect((await read('Content-Type: text/plain; charset=us-ascii', '', 'Gr\xfc\xdfe')).text).toBe('Grüße')
    expect((await read('Content-Type: text/plain', '', '\xef\xbf\xbd')).text).toBe('\ufffd')
  })

  it('keeps the other parameters, and the headers as they came', async () => {
    const mail = await read('Content-Type: text/plain; charset=ascii; format=flowed', '', '\xc3\xbc ', 'on')
    expect(mail.text).toBe('ü on')
    expect(mail.headers).toEqual([['Content-Type', 'text/plain; charset=ascii; format=flowed']])
  })

  it('takes no line of a text for a boundary', async () => {
    const mail = await read('Content-Type: multipart/mixed', '', 'Hi', '--dashes', 'words go on')
    expect(mail.text).toBe('Hi\n--dashes\nwords go on')
  })
})
