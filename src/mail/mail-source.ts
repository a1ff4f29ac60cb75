import { decodeWindows1252 } from './windows-1252.js'

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const mboxMark = 'From '

/**
 * Gives the bytes of a mail with what keeps a parser from reading it put right: a byte order mark at
 * the start, bare CR as the only line end, headers in bytes that are no UTF-8, and a text that
 * follows the headers without a blank line. Anything else stays as it is.
 */
export function repairSource(source: string | Uint8Array): Uint8Array {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const { bytes: mail, end, textStart } = measureHead(withLineFeeds(withoutMark(bytes)))
  const head = headInUtf8(mail.subarray(0, textStart ?? end))
  if (textStart === undefined) return head === undefined ? mail : joinBytes([head, mail.subarray(end)])
  return joinBytes([head ?? mail.subarray(0, textStart), Uint8Array.of(lineFeed), mail.subarray(textStart)])
}

/** Where the body of a repaired mail starts; its length when it has none. */
export function bodyStart(mail: Uint8Array): number {
  const { end } = measureHead(mail)
  return end < mail.length ? nextLine(mail, end) : end
}

/** Whether a line, from `start` to before its line break at `end`, can be a header's first. @see RFC 5322 section 2.2 */
export function isHeaderLine(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && isNameByte(bytes[at])) at += 1
  const nameEnd = at
  while (at < end && isBlank(bytes[at])) at += 1
  return nameEnd > start && at < end && bytes[at] === colon
}

/** Where the content of the line at `start` ends, its line break and the CRs before it left out. */
export function contentEnd(bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(lineFeed, start)
  let end = found < 0 ? bytes.length : found
  while (end > start && bytes[end - 1] === carriageReturn) end -= 1
  return end
}

/** Where the line after the one at `start` begins. */
export function nextLine(bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(lineFeed, start)
  return found < 0 ? bytes.length : found + 1
}

function isNameByte(byte: number | undefined): boolean {
  return byte !== undefined && byte > space && byte < 0x7f && byte !== colon
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(lineFeed) || !bytes.includes(carriageReturn)) return bytes
  return bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte))
}

interface Head {
  readonly bytes: Uint8Array
  /** Where the blank line after the headers starts, or the end of the mail. */
  readonly end: number
  /** Where the text starts that should have come after a blank line. */
  readonly textStart: number | undefined
}

function measureHead(bytes: Uint8Array): Head {
  let stray: number | undefined
  let sawHeader = false
  let start = 0
  for (; start < bytes.length; start = nextLine(bytes, start)) {
    const end = contentEnd(bytes, start)
    if (end === start) break
    if (isHeaderLine(bytes, start, end)) {
      sawHeader = true
      stray = undefined
    } else if (stray === undefined && !(sawHeader && isBlank(bytes[start])) && !isMboxMark(bytes, start)) {
      stray = start
    }
  }
  const isText = stray !== undefined && (!sawHeader || readsAsText(bytes, stray))
  return { bytes, end: start, textStart: isText ? stray : undefined }
}

function isMboxMark(bytes: Uint8Array, start: number): boolean {
  return start === 0 && decodeWindows1252(bytes.subarray(0, mboxMark.length)) === mboxMark
}

// A header folded without its indentation (`charset=utf-8`) is not taken for words
function readsAsText(bytes: Uint8Array, start: number): boolean {
  const line = decodeWindows1252(bytes.subarray(start, contentEnd(bytes, start)))
  return /^[^\s=:]+\s/.test(line)
}

function headInUtf8(head: Uint8Array): Uint8Array | undefined {
  if (isUtf8(head)) return undefined
  const lines: Uint8Array[] = []
  for (let start = 0; start < head.length; start = nextLine(head, start)) {
    const line = head.subarray(start, nextLine(head, start))
    lines.push(isUtf8(line) ? line : new TextEncoder().encode(decodeWindows1252(line)))
  }
  return joinBytes(lines)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** One array of several. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
