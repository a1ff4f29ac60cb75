import { Charsets, restoreWindows1252 } from './charsets.js'
import { decodeBase64, hexCode } from './transfer-encoding.js'

const opening = '=?'
const closing = '?='
const base64Text = /^[A-Za-z\d+/=\s_-]*$/
// Whatever is neither printable ASCII nor beyond the controls of Latin-1
const controls = /[^ -~\u00a0-\uffff]+/g
const encoder = new TextEncoder()
const space = 0x20
const equals = 0x3d
const underscore = 0x5f
// Some programs leave blanks inside the brackets
const bracketed = /<\s*([^<>\s]+)\s*>/
/** Later ids of a mail that names more are those nearest to it, and what its conversation began with. */
const mostReferences = 1000
/** Letters of ids without brackets, of which there are few. */
const longestBare = 10_000

/**
 * Decodes the encoded words of an unfolded header value, blanks between two of them left out. The bytes of
 * neighbours in one charset are put together first, because many programs split a character between two words.
 * Words in quoted strings, next to other text and with blanks in them are decoded as well, as mail programs do;
 * what is no encoded word stays.
 * @see RFC 2047
 */
export function decodeWords(value: string, charsets = new Charsets()): string {
  if (!value.includes(opening)) return value
  const bytes = new Uint8Array(value.length * 3)
  let decoded = ''
  let from = 0
  let length = 0
  let charset = ''
  const flush = () => {
    if (length > 0) decoded += charsets.text(bytes.slice(0, length), charset)
    length = 0
  }
  // RFC 2231 section 5 puts a language behind the charset
  const head = /=\?([^?*\s]{1,78})(?:\*[^?\s]{0,78})?\?([QqBb])\?/y
  let close = -1
  for (let at = value.indexOf(opening); at >= 0; ) {
    head.lastIndex = at
    const [, label = '', encoding = ''] = head.exec(value) ?? []
    const textStart = head.lastIndex
    if (textStart > 0 && close < textStart) close = indexOrEnd(value, closing, textStart)
    const next = value.indexOf(opening, at + 2)
    // The padding of base64 makes `=?=` of the end, which begins no other word
    if (textStart === 0 || close === Number.POSITIVE_INFINITY || (next >= 0 && close > next + 1)) {
      at = next
      continue
    }
    const isBase64 = encoding.toLowerCase() === 'b'
    const text = value.slice(textStart, close)
    if (isBase64 && !base64Text.test(text)) {
      at = next
      continue
    }
    const between = value.slice(from, at)
    const isApart = from === 0 || between.trim() !== ''
    if (isApart || !(label === charset || joins(charset, label, charsets))) flush()
    if (isApart) decoded += between
    charset = label
    length = isBase64 ? decodeB(text, bytes, length) : decodeQ(text, bytes, length)
    from = close + closing.length
    at = value.indexOf(opening, from)
  }
  flush()
  return decoded + value.slice(from)
}

/** Makes each run of control characters one space, so that a decoded line break cannot start another header. */
export function tidyHeader(value: string): string {
  return restoreWindows1252(value).replace(controls, ' ').trim()
}

/**
 * Reads the message ids of a Message-ID, In-Reply-To or References value, each with its angle
 * brackets; a value without any brackets is taken word by word if every word looks like an id.
 * Of more than a thousand, the first and the last are given.
 * @see RFC 5322 section 3.6.4
 */
export function messageIdsIn(value: string): string[] {
  const first = bracketed.exec(value)?.[1]
  if (first === undefined) return bareIdsIn(value)
  const last: string[] = []
  // From behind, so that a value costs no more than the ids that are taken from it
  for (let end = value.length; end > 0 && last.length < mostReferences; ) {
    const start = value.lastIndexOf('<', end - 1)
    const id = start < 0 ? undefined : bracketed.exec(value.slice(start, end))?.[1]
    if (id !== undefined) last.push(`<${id}>`)
    end = start
  }
  if (last.length === mostReferences) last[mostReferences - 1] = `<${first}>`
  return last.reverse()
}

function bareIdsIn(value: string): string[] {
  const words = value.length < longestBare ? value.split(/\s+/).filter((word) => word !== '') : []
  return words.every((word) => /^[^<>@]+@[^<>@]+$/.test(word)) ? words.map((word) => `<${word}>`) : []
}

/** Where a text stands; infinity where it does not. */
export function indexOrEnd(value: string, text: string, from: number): number {
  const found = value.indexOf(text, from)
  return found < 0 ? Number.POSITIVE_INFINITY : found
}

/** Whether the bytes of two words are one text: each word in UTF-7 begins anew. */
function joins(one: string, other: string, charsets: Charsets): boolean {
  const name = charsets.named(one)
  return name !== 'utf-7' && name === charsets.named(other)
}

function decodeB(text: string, bytes: Uint8Array, start: number): number {
  // What is decoded takes less room than what it is decoded from
  const room = bytes.subarray(start)
  const { written } = encoder.encodeInto(text, room)
  return start + decodeBase64(room.subarray(0, written), room).length
}

function decodeQ(text: string, bytes: Uint8Array, start: number): number {
  let length = start
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const code = unit === equals ? hexCode(text.charCodeAt(at + 1), text.charCodeAt(at + 2)) : -1
    if (code >= 0) at += 2
    if (unit < 0x80) bytes[length++] = code >= 0 ? code : unit === underscore ? space : unit
    else {
      const { read, written } = encoder.encodeInto(text.slice(at, at + 2), bytes.subarray(length))
      at += read - 1
      length += written
    }
  }
  return length
}
