import type { Language } from '../language.js'
import { escapeHtml, htmlLines } from './html-letter.js'
import { htmlRoot } from './html-root.js'

/** A piece of a letter that a machine sends: a paragraph, or something with a shape of its own. */
export type Block =
  | string
  | { readonly heading: string }
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly link: string; readonly label: string }
  | { readonly small: string }

/** Writes a letter as plain text; links stand in full after their labels. */
export function letterText({ colon }: Language, blocks: readonly Block[]): string {
  let text = ''
  for (const block of blocks) text += `${blockText(block, colon)}\n\n`
  return `${text.slice(0, -1)}`
}

/** Writes a letter as HTML with the look of shop mail: a coloured headline, rows in a table, a button-like link. */
export function letterHtml(
  language: Language,
  title: string,
  colour: string,
  blocks: readonly Block[],
): string {
  let html = `<!doctype html>\n${htmlRoot(language)}\n<head><meta charset="utf-8">`
  html += `<title>${escapeHtml(title)}</title></head>\n`
  html += '<body style="font-family: sans-serif; max-width: 36em; margin: 0 auto;">\n'
  for (const block of blocks) html += `${blockHtml(block, colour)}\n`
  return `${html}</body>\n</html>\n`
}

function blockText(block: Block, colon: string): string {
  if (typeof block === 'string') return block
  if ('heading' in block) return `${block.heading}\n${'-'.repeat(block.heading.length)}`
  if ('link' in block) return `${block.label}${colon.trimEnd()}\n${block.link}`
  if ('small' in block) return block.small
  let lines = ''
  for (const [label, value] of block.rows) lines += `${label}${colon}${value}\n`
  return lines.slice(0, -1)
}

function blockHtml(block: Block, colour: string): string {
  if (typeof block === 'string') return `<p>${htmlLines(block)}</p>`
  if ('heading' in block) return `<h2 style="color: ${colour};">${escapeHtml(block.heading)}</h2>`
  if ('link' in block) {
    return `<p><a href="${escapeHtml(block.link)}" style="color: ${colour};">${escapeHtml(block.label)}</a></p>`
  }
  if ('small' in block) return `<p style="color: #666; font-size: small;">${htmlLines(block.small)}</p>`
  let rows = ''
  for (const [label, value] of block.rows) {
    rows += `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`
  }
  return `<table cellpadding="4">${rows}</table>`
}
