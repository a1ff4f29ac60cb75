import { Charsets } from './charsets.js'
import { decodeBase64, hexCode } from './transfer-encoding.js'

const opening = '=?'
const closing = '?='
const base64Text = /^[A-Za-z\d+/=\s_-]*$/
// All characters except printable ASCII and those after the control characters of Latin-1
const controls = /[^ -~\u00a0-\uffff]+/g
const encoder = new TextEncoder()
const space = 0x20
const equals = 0x3d
const underscore = 0x5f
// Some programs write spaces inside the brackets, and some fold a long id
const bracketed = /<\s*([^<>\s]+(?:\s+[^<>\s]+){0,3})\s*>/
const blanks = /\s+/g
/**
 * The maximum number of ids in a message. Of more, the last ones, which are closest to the message, and the
 * first one are kept.
 */
const maxReferences = 1000
/** The longest value that is searched for ids without brackets, in characters. */
const maxBareLength = 10_000

/**
 * Decodes the encoded words of an unfolded header value and removes spaces between two of them. Joins the
 * bytes of neighbours with the same charset first, because many programs split a character between two words.
 * Like mail programs, it also decodes words inside quoted strings, next to other text, or with spaces in
 * them. Other text is unchanged.
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
  // RFC 2231 section 5 allows a language after the charset
  const head = /=\?([^?*\s]{1,78})(?:\*[^?\s]{0,78})?\?([QqBb])\?/y
  let close = -1
  for (let at = value.indexOf(opening); at >= 0; ) {
    head.lastIndex = at
    const [, label = '', encoding = ''] = head.exec(value) ?? []
    const textStart = head.lastIndex
    if (textStart > 0 && close < textStart) close = indexOrEnd(value, closing, textStart)
    const next = value.indexOf(opening, at + 2)
    // With base64 padding, the end is `=?=`, which does not begin another word
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
    // The bytes of neighbours with one charset are decoded together.
    if (isApart || charsets.named(label) !== charsets.named(charset)) flush()
    if (isApart) decoded += between
    charset = label
    length = isBase64 ? decodeB(text, bytes, length) : decodeQ(text, bytes, length)
    from = close + closing.length
    at = value.indexOf(opening, from)
  }
  flush()
  return decoded + value.slice(from)
}

/** Replaces each run of control characters with one space, so that a decoded line break cannot start another header. */
export function tidyHeader(value: string): string {
  return value.replace(controls, ' ').trim()
}

/**
 * Parses the message ids of a Message-ID, In-Reply-To or References value; each keeps its angle brackets. If the value
 * has no brackets and every word looks like an id, each word becomes one. Of more than a thousand ids, returns the
 * first one and the last ones.
 * @see RFC 5322 section 3.6.4
 */
export function messageIdsIn(value: string): string[] {
  const first = idIn(value)
  if (first === undefined) return bareIdsIn(value)
  const last: string[] = []
  // Backwards, so that the cost depends only on the ids that are returned
  for (let end = value.length; end > 0 && last.length < maxReferences; ) {
    const start = value.lastIndexOf('<', end - 1)
    const id = start < 0 ? undefined : idIn(value.slice(start, end))
    if (id !== undefined) last.push(id)
    end = start
  }
  if (last.length === maxReferences) last[maxReferences - 1] = first
  return last.reverse()
}

/** Returns the first id in brackets, without the blanks that folding leaves in it. */
function idIn(value: string): string | undefined {
  const written = bracketed.exec(value)?.[1]
  const id = written?.replace(blanks, '')
  // Words in brackets that are no id, as in `Your message of <Monday 12 June>`
  return id === undefined || (id !== written && !id.includes('@')) ? undefined : `<${id}>`
}

function bareIdsIn(value: string): string[] {
  const words = value.length < maxBareLength ? value.split(/\s+/).filter((word) => word !== '') : []
  return words.every((word) => /^[^<>@]+@[^<>@]+$/.test(word)) ? words.map((word) => `<${word}>`) : []
}

/** Returns the index of a text; infinity if it does not occur. */
export function indexOrEnd(value: string, text: string, from: number): number {
  const found = value.indexOf(text, from)
  return found < 0 ? Number.POSITIVE_INFINITY : found
}

function decodeB(text: string, bytes: Uint8Array, start: number): number {
  // In place, because the decoded bytes need less space than the encoded ones
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
      const letter = String.fromCodePoint(text.codePointAt(at) as number)
      const { read, written } = encoder.encodeInto(letter, bytes.subarray(length))
      at += read - 1
      length += written
    }
  }
  return length
}
