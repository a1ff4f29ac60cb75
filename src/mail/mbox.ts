const lineFeed = 0x0a
const quote = 0x3e
const separator = new TextEncoder().encode('From ')
// RFC 5322 allows more characters in names, but they occur in JSON and never in mail
const field = /^(?:From [^\n]*\n|>From [^\n]*\n)?[a-z][\w.-]*[ \t]*:/i
const usualField =
  /^(?:from|sender|to|cc|bcc|subject|date|received|return-path|delivered-to|message-id)[ \t]*:/im
const headSize = 2000

/** Returns whether a file looks like an mbox. @see RFC 4155 */
export function isMbox(source: Uint8Array): boolean {
  return startsWith(source, 0, separator)
}

/**
 * Splits an mbox into messages. Each message begins with a line `From …` after a blank line. Lines of the
 * message that begin this way are quoted with one more `>`, which is removed.
 * @see RFC 4155 appendix A
 */
export function* mailsOfMbox(source: Uint8Array): Generator<Uint8Array> {
  const mail = new Uint8Array(source.length)
  let [start, to, wasBlank, hasBegun] = [0, 0, true, false]
  for (let at = 0; at < source.length; at = start) {
    const found = source.indexOf(lineFeed, at)
    start = found < 0 ? source.length : found + 1
    if (wasBlank && startsWith(source, at, separator)) {
      if (hasBegun) yield withoutLastBreak(mail.slice(0, to))
      hasBegun = true
      to = 0
    } else {
      const line = source.subarray(isQuotedSeparator(source, at) ? at + 1 : at, start)
      mail.set(line, to)
      to += line.length
    }
    wasBlank = start - at <= 2 && (start - at === 1 || source[at] === 0x0d)
  }
  if (hasBegun) yield withoutLastBreak(mail.slice(0, to))
}

/** Returns why a file is probably not a message, as part of a sentence; undefined if it looks like one. */
export function suspicionAbout(source: Uint8Array): string | undefined {
  if (source.length === 0) return 'is empty'
  const head = new TextDecoder('windows-1252').decode(source.subarray(0, headSize))
  const nulls = head.split('\0').length - 1
  if (nulls * 3 > head.length * 2)
    return 'contains almost nothing but NUL bytes, like a file that was damaged in transit'
  if (/^(?:ÿþ|þÿ)/.test(head) || nulls * 3 > head.length) return 'looks like UTF-16, which mail never uses'
  if (isMbox(source) && [...mailsOfMbox(source)].length > 1) {
    return 'is an mbox with several messages; use it as a `maildir` to load all of them'
  }
  const lines = head.replaceAll('\r', '\n').replace(/\n+/g, '\n').trimStart().replace(/^ï»¿/, '')
  if (!field.test(lines)) return 'does not begin with a header field, so it is read as text without a sender'
  const isWhole = source.length <= headSize
  return isWhole && !usualField.test(lines)
    ? 'has none of the usual header fields, such as From, To, Date and Subject'
    : undefined
}

/** Removes the blank line before the next message, which belongs to the mbox. */
function withoutLastBreak(mail: Uint8Array): Uint8Array {
  const text = mail.subarray(-2)
  return text[text.length - 1] === lineFeed
    ? mail.subarray(0, mail.length - (text[0] === 0x0d ? 2 : 1))
    : mail
}

function isQuotedSeparator(source: Uint8Array, start: number): boolean {
  let at = start
  while (source[at] === quote) at += 1
  return at > start && startsWith(source, at, separator)
}

function startsWith(source: Uint8Array, start: number, text: Uint8Array): boolean {
  return text.every((byte, index) => source[start + index] === byte)
}
