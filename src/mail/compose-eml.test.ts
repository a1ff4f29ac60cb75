import { describe, expect, it } from 'vitest'
import { composeEml } from './compose-eml.js'
import { parseEml } from './parse-eml.js'

const german = 'Für 5 € = „gut“ \nZeile '
const long = `${'Grüße = '.repeat(60)}\n\n.\nFrom me`

/** Returns the lines of a message whose text is written in a transfer encoding, and what is read of it. */
function written(text: string, transfer: string) {
  const headers = [
    ['Content-Type', 'text/plain; charset=windows-1252'],
    ['Content-Transfer-Encoding', transfer],
  ] as const
  const eml = composeEml({ headers, text, html: null, attachments: [] })
  return { eml, read: parseEml(new TextEncoder().encode(eml)).text?.replace(/\r\n/g, '\n') }
}

describe('a text of a composed message', () => {
  it.each([
    [german, 'quoted-printable', 'F=C3=BCr 5 =E2=82=AC =3D =E2=80=9Egut=E2=80=9C=20\r\nZeile=20'],
    [long, 'quoted-printable', '=\r\n'],
    [german, 'base64', 'RsO8ciA1I'],
    ['From me', '7bit', 'From me'],
  ])('is in UTF-8, and read as it was (%#)', (text, transfer, part) => {
    const { eml, read } = written(text, transfer)
    expect(eml).toContain(`charset=utf-8\r\nContent-Transfer-Encoding: ${transfer}`)
    expect(eml).toContain(part)
    expect(Math.max(...eml.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78)
    expect(read).toBe(text)
  })

  it.each([
    ['Grüße', '7bit'],
    ['a'.repeat(1_000), '7bit'],
  ])('that does not fit is in base64 (%#)', (text, transfer) => {
    const { eml, read } = written(text, transfer)
    expect(eml).toContain('charset=utf-8\r\nContent-Transfer-Encoding: base64')
    expect(read).toBe(text)
  })
})

it('writes a quoted name beyond ASCII so that it is read as it was', () => {
  const headers = [['From', '"Lee, Jürgen" <j@kontor.example>']] as const
  const eml = composeEml({ headers, text: 'Hello', html: null, attachments: [] })
  const { from } = parseEml(new TextEncoder().encode(eml))
  expect(from).toEqual({ name: 'Lee, Jürgen', address: 'j@kontor.example' })
})
