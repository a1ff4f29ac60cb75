const blanks = /[\s\p{Cc}]+/gu

/**
 * Quotes a text for a reply: an attribution line, then every line of the text behind `>`. The date
 * comes formatted, the sender as it should be shown; the result ends without a line break.
 * @example quoteReply({ from: 'Ann', date: '5 Jan 2026', text: 'Hi' }) // 'On 5 Jan 2026, Ann wrote:\n> Hi'
 * @see RFC 3676 section 4.5
 */
export function quoteReply({ from, date, text }: { from: string; date: string; text: string }): string {
  const attribution = `On ${date}, ${from} wrote:`.replace(blanks, ' ')
  const lines = text.trimEnd().split(/\r\n|\r|\n/)
  return [attribution, ...lines.map(quoteLine)].join('\n')
}

// No space after the mark of a blank or an already quoted line, so that the depth stays readable
function quoteLine(line: string): string {
  return line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`
}
