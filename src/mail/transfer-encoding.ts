const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digits = new TextEncoder().encode(alphabet)
const utf8 = new TextDecoder()
const none = 0xff
const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const equals = 0x3d
/** The first line of a uuencoded file must be within this many bytes. */
const maxUuHead = 4096

const valueOfDigit = new Uint8Array(256).fill(none)
for (const [value, digit] of digits.entries()) valueOfDigit[digit] = value

/** Returns what the content of a file is expected to be, if it is a text that is not base64. */
export function base64Mistake({ code }: { readonly code?: string | undefined }): string | undefined {
  return code === 'invalid_format' ? 'expected base64; plain text goes into "text"' : undefined
}

/** Encodes bytes as base64 with padding and without line breaks. @see RFC 4648 section 4 */
export function toBase64(bytes: Uint8Array): string {
  // Node does it in a tenth of the time, while nobody else is answered.
  const { Buffer: native } = globalThis as { readonly Buffer?: typeof Buffer }
  if (native) return native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  // Mailboxes contain megabytes of attachments, and this takes a tenth of the time of `btoa`
  const encoded = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(equals)
  const digit = (value: number): number => digits[value & 63] as number
  for (let at = 0, to = 0; at < bytes.length; at += 3, to += 4) {
    const [first, second, third] = [bytes[at] as number, bytes[at + 1], bytes[at + 2]]
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    encoded[to] = digit(group >> 18)
    encoded[to + 1] = digit(group >> 12)
    if (second !== undefined) encoded[to + 2] = digit(group >> 6)
    if (third !== undefined) encoded[to + 3] = digit(group)
  }
  return utf8.decode(encoded)
}

/** Encodes bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Decodes base64 with padding and without line breaks, as `toBase64` writes it. @throws DOMException if it is not base64 */
export function fromBase64(content: string): Uint8Array<ArrayBuffer> {
  const characters = atob(content)
  // As for `toBase64`: a file of two megabytes takes a fiftieth of the time.
  const { Buffer: native } = globalThis as { readonly Buffer?: typeof Buffer }
  if (native) return new Uint8Array(native.from(characters, 'latin1'))
  return Uint8Array.from(characters, (character) => character.charCodeAt(0))
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

/** Returns the decoded size of a base64 text, in bytes. */
export function sizeOfBase64(content: string): number {
  const missing = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  return (content.length / 4) * 3 - missing
}

/**
 * Decodes base64 up to its padding, into `decoded`, which may be the source itself. Skips bytes that are not digits, and
 * a single digit at the end.
 * @see RFC 2045 section 6.8
 */
export function decodeBase64(
  source: Uint8Array,
  decoded: Uint8Array = new Uint8Array(Math.ceil(source.length / 4) * 3),
): Uint8Array {
  let [group, count, pads, length] = [0, 0, 0, 0]
  for (let at = 0; at < source.length; at += 1) {
    const byte = source[at] as number
    const value = valueOfDigit[byte] as number
    if (value === none) {
      pads = byte === equals && count > 1 ? pads + 1 : pads
      if (pads > 0 && count + pads >= 4) break
      continue
    }
    pads = 0
    group = (group << 6) | value
    count += 1
    if (count === 4) {
      decoded[length++] = group >> 16
      decoded[length++] = group >> 8
      decoded[length++] = group
      group = 0
      count = 0
    }
  }
  if (count === 3) {
    decoded[length++] = group >> 10
    decoded[length++] = group >> 2
  } else if (count === 2) decoded[length++] = group >> 4
  return decoded.subarray(0, length)
}

/**
 * Decodes quoted-printable; removes spaces at the ends of lines and keeps a `=` that starts no code.
 * @see RFC 2045 section 6.7
 */
function decodeQuotedPrintable(source: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(source.length)
  let length = 0
  for (let at = 0; at < source.length; ) {
    const byte = source[at] as number
    if (byte === equals) {
      const code = hexCode(source[at + 1], source[at + 2])
      const lineEnd = code >= 0 ? -1 : softBreakEnd(source, at + 1)
      if (lineEnd >= 0) at = lineEnd
      else {
        decoded[length++] = code >= 0 ? code : byte
        at += code >= 0 ? 3 : 1
      }
    } else if (byte === space || byte === tab) {
      let end = at
      while (source[end] === space || source[end] === tab) end += 1
      const isTrailing = end === source.length || source[end] === lineFeed || source[end] === carriageReturn
      for (; at < end; at += 1) if (!isTrailing) decoded[length++] = source[at] as number
    } else {
      decoded[length++] = byte
      at += 1
    }
  }
  return decoded.subarray(0, length)
}

/** Returns the end of the soft line break whose `=` is before `start`; -1 if other text follows the `=`. */
function softBreakEnd(source: Uint8Array, start: number): number {
  let at = start
  while (source[at] === space || source[at] === tab) at += 1
  if (at === source.length) return at
  if (source[at] === carriageReturn) return source[at + 1] === lineFeed ? at + 2 : at + 1
  return source[at] === lineFeed ? at + 1 : -1
}

/** Returns the byte for two hexadecimal digits; -1 if they are not digits. */
export function hexCode(first: number | undefined, second: number | undefined): number {
  const [high, low] = [hexValue(first), hexValue(second)]
  return high < 0 || low < 0 ? -1 : (high << 4) | low
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte & ~0x20
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1
}

/** A uuencoded file, with the name from its first line. */
interface UuencodedFile {
  readonly filename: string
  readonly content: Uint8Array
}

/**
 * Decodes the lines between `begin 644 name` and `end`; undefined if there is no `begin` line.
 * @see IEEE 1003.1, uuencode
 */
export function decodeUuencode(source: Uint8Array): UuencodedFile | undefined {
  const head = new TextDecoder('latin1').decode(source.subarray(0, maxUuHead))
  const begin = /^begin [0-7]{3,4} (.+?)[ \t\r]*\n/m.exec(head)
  if (!begin) return undefined
  const decoded = new Uint8Array(Math.ceil(source.length / 4) * 3)
  let length = 0
  for (let start = begin.index + begin[0].length; start < source.length; ) {
    const found = source.indexOf(lineFeed, start)
    const end = found < 0 ? source.length : found
    const size = ((source[start] as number) - space) & 63
    if (size === 0 || source[start] === 0x65) break
    length = decodeUuLine(source.subarray(start + 1, end), size, decoded, length)
    start = end + 1
  }
  return { filename: begin[1] ?? '', content: decoded.subarray(0, length) }
}

function decodeUuLine(line: Uint8Array, size: number, decoded: Uint8Array, start: number): number {
  // Spaces at the end of a line, which mean zero, are often lost in transit
  const bits = (at: number): number =>
    (((line[at] ?? space) < space ? space : (line[at] ?? space)) - space) & 63
  let length = start
  for (let at = 0, left = Math.min(size, line.length * 3); left > 0; at += 4, left -= 3) {
    const group = (bits(at) << 18) | (bits(at + 1) << 12) | (bits(at + 2) << 6) | bits(at + 3)
    for (let byte = 0; byte < Math.min(left, 3); byte += 1) {
      if (length < decoded.length) decoded[length++] = group >> (16 - 8 * byte)
    }
  }
  return length
}

/**
 * Decodes a Content-Transfer-Encoding; returns the source itself if it is not encoded or the encoding is unknown.
 * @see RFC 2045 section 6
 */
export function decodeTransfer(source: Uint8Array, encoding: string): Uint8Array {
  if (encoding === 'base64') return decodeBase64(source)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(source)
  if (/^(?:x-)?uue(?:ncode)?$/.test(encoding)) return decodeUuencode(source)?.content ?? source
  return source
}
