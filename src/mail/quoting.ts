const blanks = /[\s\p{Cc}]+/gu
const maxAttributionLines = 3

/** Returns the end of the line that starts at `start`, before its line break. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** Returns whether a line is quoted from an earlier mail. @see RFC 3676 section 4.5 */
export function isQuoted(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && text[at] === ' ') at += 1
  return at < end && text[at] === '>'
}

/** Returns whether a line is the mark before a signature, with or without its trailing space. @see RFC 3676 section 4.3 */
export function isSignatureMark(text: string, start: number, end: number): boolean {
  return text.startsWith('--', start) && text.slice(start, end).trimEnd() === '--'
}

/**
 * Returns the start of the quotation that follows an attribution at `start`: "Ann wrote:", or "On … wrote:" on up to
 * three lines. Returns -1 if there is no attribution, or no quotation after it.
 */
export function attributedQuoteStart(text: string, start: number): number {
  const lines = text.startsWith('On ', start) ? maxAttributionLines : 1
  let from = start
  for (let line = 0; line < lines && from < text.length; line += 1) {
    const end = lineEnd(text, from)
    const content = text.slice(from, end).trimEnd()
    if (content.endsWith('wrote:')) return quoteStartAfter(text, end + 1)
    if (content === '' || isQuoted(text, from, end)) return -1
    from = end + 1
  }
  return -1
}

function quoteStartAfter(text: string, start: number): number {
  let from = start
  while (from < text.length) {
    const end = lineEnd(text, from)
    if (isQuoted(text, from, end)) return from
    if (text.slice(from, end).trim() !== '') return -1
    from = end + 1
  }
  return -1
}

/**
 * Quotes a text for a reply: an attribution line, then every line of the text after `>`. `from` and `date` are inserted
 * as they are; the result has no line break at the end.
 * @example quoteReply({ from: 'Ann', date: '5 Jan 2026', text: 'Hi' }) // 'On 5 Jan 2026, Ann wrote:\n> Hi'
 * @see RFC 3676 section 4.5
 */
export function quoteReply({ from, date, text }: { from: string; date: string; text: string }): string {
  const attribution = `On ${date}, ${from} wrote:`.replace(blanks, ' ')
  const lines = text.trimEnd().split(/\r\n|\r|\n/)
  return [attribution, ...lines.map(quoteLine)].join('\n')
}

// No space after the mark of an empty or already quoted line, so that the depth stays readable
function quoteLine(line: string): string {
  return line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`
}
