import type { Quotation } from './html-letter.js'

const QUOTED_LENGTH = 150

/** Quotes the beginning of an earlier message; `day` (e.g. `Tuesday, 6 January`) is left out when unknown. */
export function quoteBeginning(
  writer: string,
  day: string | null,
  greeting: string,
  paragraph: string,
): Quotation {
  const beginning = shorten(paragraph, QUOTED_LENGTH)
  return {
    intro: day === null ? `${writer} wrote:` : `On ${day}, ${writer} wrote:`,
    lines: greeting === '' ? [beginning] : [greeting, '', beginning],
  }
}

/** Writes a quotation as plain text, each line after `> `. */
export function formatQuotation(quotation: Quotation): string {
  let text = quotation.intro
  for (const line of quotation.lines) text += line === '' ? '\n>' : `\n> ${line}`
  return text
}

/** Cuts text between words so that it has at most `limit` characters, `…` included. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const space = text.lastIndexOf(' ', limit - 1)
  return `${text.slice(0, space > 0 ? space : limit - 1)}…`
}
