import { once } from '../base/once.js'
import { windowsLetters } from './charsets.js'

/** Character sets in which texts are written besides UTF-8; each returns the bytes of a character, or undefined. */
const charsets: Readonly<Record<string, () => (character: string) => readonly number[] | undefined>> = {
  'windows-1252': () => (character) => {
    const [code, at] = [character.codePointAt(0) ?? 0, windowsLetters.indexOf(character)]
    if (at >= 0) return [0x80 + at]
    return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? [code] : undefined
  },
  'iso-2022-jp': () => {
    const known = doubleBytes()
    return (character) => (character < '\x80' ? [character.charCodeAt(0)] : known.get(character))
  },
}

/** The sequences that change to the letters of JIS X 0208, and back to ASCII. @see RFC 1468 */
const [toDouble, toAscii] = [
  [0x1b, 0x24, 0x42],
  [0x1b, 0x28, 0x42],
]

const doubleBytes = once(() => {
  const decoder = new TextDecoder('euc-jp')
  const known = new Map<string, readonly number[]>()
  for (let row = 0x21; row <= 0x7e; row++) {
    for (let cell = 0x21; cell <= 0x7e; cell++) {
      const character = decoder.decode(Uint8Array.of(row | 0x80, cell | 0x80))
      if (!character.includes('\ufffd') && !known.has(character)) known.set(character, [row, cell])
    }
  }
  return known
})

/** Returns a text in a character set; undefined if that is not known here, or lacks one of the characters. */
export function encodeText(text: string, charset: string): Uint8Array<ArrayBuffer> | undefined {
  if (/^utf-?8$/i.test(charset)) return new TextEncoder().encode(text)
  const bytesOf = charsets[charset.toLowerCase()]?.()
  if (!bytesOf) return undefined
  const bytes: number[] = []
  let isDouble = false
  for (const character of text) {
    const own = bytesOf(character)
    if (!own) return undefined
    if (isDouble !== own.length > 1) bytes.push(...((isDouble ? toAscii : toDouble) as number[]))
    isDouble = own.length > 1
    bytes.push(...own)
  }
  if (isDouble) bytes.push(...(toAscii as number[]))
  return Uint8Array.from(bytes)
}

/** Encodes bytes as quoted-printable, in lines of at most 76 characters. @see RFC 2045 section 6.7 */
export function toQuotedPrintable(bytes: Uint8Array): string {
  let [encoded, length] = ['', 0]
  const add = (code: string): void => {
    if (length + code.length > 75) [encoded, length] = [`${encoded}=\r\n`, 0]
    encoded += code
    length += code.length
  }
  for (const [at, byte] of bytes.entries()) {
    const next = bytes[at + 1]
    const isLast = next === undefined || next === 0x0d || next === 0x0a
    if (byte === 0x0d && next === 0x0a) continue
    if (byte === 0x0a) [encoded, length] = [`${encoded}\r\n`, 0]
    else if (byte === 0x3d || byte > 0x7e || byte < 0x20 || (byte === 0x20 && isLast))
      add(`=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    else add(String.fromCharCode(byte))
  }
  return encoded
}
