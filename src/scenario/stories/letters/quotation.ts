import type { Quotation } from './html-letter.js'

const QUOTED_LENGTH = 150

/** Quotes the beginning of an earlier message below a line that says whose it is. */
export function quoteBeginning(intro: string, greeting: string, paragraph: string): Quotation {
  const beginning = shorten(paragraph, QUOTED_LENGTH).split('\n')
  return { intro, lines: greeting === '' ? beginning : [...greeting.split('\n'), '', ...beginning] }
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
