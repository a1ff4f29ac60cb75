import { describe, expect, it } from 'vitest'
import { Charsets } from './charsets.js'
import { decodeWords, tidyHeader } from './encoded-words.js'
import { parseEml } from './parse-eml.js'

describe('windows-1252', () => {
  it('is decoded the same on every engine', async () => {
    expect(tidyHeader(decodeWords('=?windows-1252?Q?=80_=92_=9F_=81?=', new Charsets()))).toBe('€ ’ Ÿ')
    const { text } = await parseEml(
      Buffer.from('Content-Type: text/plain; charset=latin1\n\n\x93a\x94', 'latin1'),
    )
    expect(text).toBe('“a”')
  })
})

describe('the fallback charset', () => {
  const read = (...lines: string[]) => parseEml(Buffer.from(lines.join('\r\n'), 'latin1'))

  it('is not used for correctly labeled text', async () => {
    const declared = await read('Content-Type: text/plain; charset=iso-8859-1', '', 'Ã¼')
    expect(declared.text).toBe('ü')
    const encoded = await read('Content-Type: text/plain; charset=utf-8', '', '\xfc')
    expect(encoded.text).toBe('\ufffd')
    const japanese = await read('Content-Type: text/plain; charset=cp50220', '', '\x1b$B>HL@\x1b(B')
    expect(japanese.text).toBe('照明')
    const hurt = await read('Content-Type: text/plain', '', 'Gr\xc3\xbc\xc3\x9fe aus K\xc3')
    expect(hurt.text).toBe('Grüße aus K\ufffd')
  })

  it('is not used if it gives a worse text', async () => {
    expect((await read('Content-Type: text/plain; charset=us-ascii', '', 'Gr\xfc\xdfe')).text).toBe('Grüße')
    expect((await read('Content-Type: text/plain', '', '\xef\xbf\xbd')).text).toBe('\ufffd')
  })

  it('keeps other parameters and the original headers', async () => {
    const mail = await read('Content-Type: text/plain; charset=ascii; format=flowed', '', '\xc3\xbc ', 'on')
    expect(mail.text).toBe('ü on')
    expect(mail.headers).toEqual([['Content-Type', 'text/plain; charset=ascii; format=flowed']])
  })

  it('does not treat a line of text as a boundary', async () => {
    const mail = await read('Content-Type: multipart/mixed', '', 'Hi', '--dashes', 'words go on')
    expect(mail.text).toBe('Hi\n--dashes\nwords go on')
  })
})
