import type { Body } from '../../model/index.js'
import type { Random } from '../../world/index.js'
import type { LanguageSource } from './schema.js'
import { type Facts, renderText, type Template } from './template.js'

/** The beginning of an earlier message, for the foot of a reply. */
export interface Quotation {
  /** e.g. `On Tuesday, 6 January, Ann Lee wrote:`. */
  readonly intro: string
  readonly lines: readonly string[]
}

/** A part of a letter that a machine sends: a paragraph, or something with a shape of its own. */
export type Block =
  | { readonly form: 'paragraph'; readonly text: Template }
  | { readonly form: 'heading'; readonly text: Template }
  | { readonly form: 'small'; readonly text: Template }
  | { readonly form: 'link'; readonly label: Template; readonly address: Template }
  | { readonly form: 'rows'; readonly rows: readonly (readonly [label: Template, value: Template])[] }

type Style = Pick<LanguageSource, 'tag' | 'right_to_left' | 'colon'>

const quotedLength = 150
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Reads a block: `# heading`, `~ small print`, `[label](address)`, lines of `| label | value |`, or a paragraph. */
export function readBlock(paragraph: string, compile: (text: string) => Template): Block {
  const link = /^\[([^\]]*)\]\((.*)\)$/.exec(paragraph)
  if (link) return { form: 'link', label: compile(link[1] ?? ''), address: compile(link[2] ?? '') }
  if (paragraph.startsWith('# ')) return { form: 'heading', text: compile(paragraph.slice(2)) }
  if (paragraph.startsWith('~ ')) return { form: 'small', text: compile(paragraph.replace(/^~ /gm, '')) }
  const lines = paragraph.split('\n').map((line) => /^\| (.*) \| (.*) \|$/.exec(line))
  if (!lines.every((line) => line !== null)) return { form: 'paragraph', text: compile(paragraph) }
  return { form: 'rows', rows: lines.map(([, label = '', value = '']) => [compile(label), compile(value)]) }
}

/** Writes blocks as plain text; links stand in full after their labels. */
export function announcementText(blocks: readonly Block[], facts: Facts, { colon }: Style): string {
  return `${blocks.map((block) => blockText(block, facts, colon)).join('\n\n')}\n`
}

function blockText(block: Block, facts: Facts, colon: string): string {
  if (block.form === 'link') {
    return `${renderText(block.label, facts)}${colon.trimEnd()}\n${renderText(block.address, facts)}`
  }
  if (block.form === 'rows') {
    return block.rows
      .map(([label, value]) => `${renderText(label, facts)}${colon}${renderText(value, facts)}`)
      .join('\n')
  }
  const text = renderText(block.text, facts)
  return block.form === 'heading' ? `${text}\n${'-'.repeat(text.length)}` : text
}

/** Writes blocks as HTML with the look of shop mail: a coloured headline, rows in a table, a link like a button. */
export function announcementHtml(
  blocks: readonly Block[],
  facts: Facts,
  style: Style & { readonly title: string; readonly colour: string },
): string {
  let html = `<!doctype html>\n${htmlRoot(style)}\n<head><meta charset="utf-8">`
  html += `<title>${escapeHtml(style.title)}</title></head>\n`
  html += '<body style="font-family: sans-serif; max-width: 36em; margin: 0 auto;">\n'
  for (const block of blocks) html += `${blockHtml(block, facts, style.colour)}\n`
  return `${html}</body>\n</html>\n`
}

function blockHtml(block: Block, facts: Facts, colour: string): string {
  const htmlOf = (template: Template): string => htmlLines(renderText(template, facts))
  if (block.form === 'heading') return `<h2 style="color: ${colour};">${htmlOf(block.text)}</h2>`
  if (block.form === 'small') return `<p style="color: #666; font-size: small;">${htmlOf(block.text)}</p>`
  if (block.form === 'link') {
    return `<p><a href="${htmlOf(block.address)}" style="color: ${colour};">${htmlOf(block.label)}</a></p>`
  }
  if (block.form === 'paragraph') return `<p>${htmlOf(block.text)}</p>`
  const rows = block.rows.map(
    ([label, value]) => `<tr><td>${htmlOf(label)}</td><td>${htmlOf(value)}</td></tr>`,
  )
  return `<table cellpadding="4">${rows.join('')}</table>`
}

/** Writes the paragraphs of a personal letter as text and, now and then, as HTML too. */
export function letterBody(
  paragraphs: readonly string[],
  quotation: Quotation | undefined,
  style: Style,
  random: Random,
): Body {
  const html = random.chance(1 / 3) ? letterHtml(paragraphs, quotation, style) : null
  const quoted = quotation?.lines.map((line) => (line === '' ? '>' : `> ${line}`))
  const text = quoted ? [...paragraphs, [quotation?.intro, ...quoted].join('\n')] : paragraphs
  return { text: `${text.join('\n\n')}\n`, html }
}

function letterHtml(paragraphs: readonly string[], quotation: Quotation | undefined, style: Style): string {
  let html = `<!doctype html>\n${htmlRoot(style)}\n<head><meta charset="utf-8"></head>\n<body>\n`
  for (const paragraph of paragraphs) html += `<p>${htmlLines(paragraph)}</p>\n`
  if (quotation) {
    const lines = htmlLines(quotation.lines.join('\n'))
    html += `<p>${escapeHtml(quotation.intro)}</p>\n<blockquote>${lines}</blockquote>\n`
  }
  return `${html}</body>\n</html>\n`
}

/** Quotes the beginning of a letter below a line that says whose it is. */
export function quoteBeginning(intro: string, greeting: string, paragraph: string): Quotation {
  const beginning = shorten(paragraph, quotedLength).split('\n')
  return { intro, lines: greeting === '' ? beginning : [...greeting.split('\n'), '', ...beginning] }
}

/** Cuts text between words so that it has at most `limit` characters, `…` included. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const space = text.lastIndexOf(' ', limit - 1)
  return `${text.slice(0, space > 0 ? space : limit - 1)}…`
}

function htmlRoot({ tag, right_to_left }: Style): string {
  if (tag === undefined) return '<html>'
  return right_to_left ? `<html lang="${tag}" dir="rtl">` : `<html lang="${tag}">`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string)
}

function htmlLines(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>\n')
}
