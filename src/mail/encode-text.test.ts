import { describe, expect, it } from 'vitest'
import { composeEml } from './compose-eml.js'
import { parseEml } from './parse-eml.js'

const [german, japanese] = ['Für 5 € = „gut“ \nZeile ', '注文番号は 4187 です。\nカレー']
const long = `${'Grüße = '.repeat(60)}\n\n.\nFrom me`

/** Returns the lines of a message whose text is written in a way, and what is read of it. */
function written(text: string, charset: string, transfer: string) {
  const headers = [
    ['Content-Type', `text/plain; charset=${charset}`],
    ['Content-Transfer-Encoding', transfer],
  ] as const
  const eml = composeEml({ headers, text, html: null, attachments: [] })
  return { eml, read: parseEml(new TextEncoder().encode(eml)).text?.replace(/\r\n/g, '\n') }
}

describe('a text of a composed message', () => {
  it.each([
    [german, 'windows-1252', 'quoted-printable', 'F=FCr 5 =80 =3D =84gut=93=20\r\nZeile=20'],
    [japanese, 'iso-2022-jp', '7bit', '\x1b$BCmJ8HV9f$O\x1b(B 4187 \x1b$B$G$9!#\x1b(B'],
    [german, 'utf-8', 'quoted-printable', 'F=C3=BCr 5 =E2=82=AC'],
    [long, 'windows-1252', 'quoted-printable', '=\r\n'],
    [german, 'utf-8', 'base64', 'RsO8ciA1I'],
  ])('a text is read as it was (%#)', (text, charset, transfer, part) => {
    const { eml, read } = written(text, charset, transfer)
    expect(eml).toContain(`charset=${charset}\r\nContent-Transfer-Encoding: ${transfer}`)
    expect(eml).toContain(part)
    expect(Math.max(...eml.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78)
    expect(read).toBe(text)
  })

  it.each([
    ['4187 €', 'iso-2022-jp', '7bit'],
    [german, 'koi8-r', 'quoted-printable'],
    ['Grüße', 'utf-8', '7bit'],
    ['a'.repeat(1_000), 'utf-8', '7bit'],
  ])('a text that does not fit is in UTF-8 and base64 (%#)', (text, charset, transfer) => {
    const { eml, read } = written(text, charset, transfer)
    expect(eml).toContain('charset=utf-8\r\nContent-Transfer-Encoding: base64')
    expect(read).toBe(text)
  })
})
