import { escapeHtml } from '../../base/text.js'
import type { Body } from '../../service/model/base.js'
import type { Random } from '../../service/time/random.js'
import type { LanguageSource } from './schema.js'

/** The beginning of an earlier message, quoted below a reply. */
export interface Quotation {
  /** e.g. `On Tuesday, 6 January, Ann Lee wrote:`. */
  readonly intro: string
  readonly lines: readonly string[]
}

interface Style extends Pick<LanguageSource, 'tag' | 'right_to_left' | 'colon'> {}

/** The style of mail that a machine sends. */
interface Look extends Style {
  readonly title: string
  /** The colour of headlines and links. */
  readonly colour: string
}

const quotedLength = 150

/** Formats paragraphs as plain text, and as HTML that looks like shop mail. */
export function announcementBody(paragraphs: readonly string[], look: Look) {
  const blocks = paragraphs.map((paragraph) => blockOf(paragraph, look))
  const head = `<title>${escapeHtml(look.title)}</title>`
  const css = ' style="font-family: sans-serif; max-width: 36em; margin: 0 auto;"'
  const html = page(look, head, css, ...blocks.map((block) => block.html))
  return { text: `${blocks.map(({ text }) => text).join('\n\n')}\n`, html }
}

function page({ tag, right_to_left }: Style, head: string, attributes: string, ...blocks: string[]): string {
  const language = tag === undefined ? '' : ` lang="${tag}"${right_to_left ? ' dir="rtl"' : ''}`
  const start = `<!doctype html>\n<html${language}>\n<head><meta charset="utf-8">${head}</head>\n<body${attributes}>`
  return `${[start, ...blocks].join('\n')}\n</body>\n</html>\n`
}

/** Formats a paragraph: `# heading`, `~ small print`, `[label](address)`, rows of `| label | value |`, or plain text. */
function blockOf(paragraph: string, { colon, colour }: Look): { text: string; html: string } {
  const [, label, address = ''] = /^\[([^\]]*)\]\((.*)\)$/.exec(paragraph) ?? []
  if (label !== undefined) {
    const html = `<p><a href="${htmlLines(address)}" style="color: ${colour};">${htmlLines(label)}</a></p>`
    return { text: `${label}${colon.trimEnd()}\n${address}`, html }
  }
  if (paragraph.startsWith('# ')) {
    const text = paragraph.slice(2)
    const html = `<h2 style="color: ${colour};">${htmlLines(text)}</h2>`
    return { text: `${text}\n${'-'.repeat(text.length)}`, html }
  }
  if (paragraph.startsWith('~ ')) {
    const text = paragraph.replace(/^~ /gm, '')
    return { text, html: `<p style="color: #666; font-size: small;">${htmlLines(text)}</p>` }
  }
  const lines = paragraph.split('\n').map((line) => /^\| (.*?) \| (.*) \|$/.exec(line))
  if (!lines.every((line) => line !== null))
    return { text: paragraph, html: `<p>${htmlLines(paragraph)}</p>` }
  const text = lines.map(([, name, value]) => `${name}${colon}${value}`).join('\n')
  const rows = lines.map(([, name = '', value = '']) => {
    return `<tr><td>${htmlLines(name)}</td><td>${htmlLines(value)}</td></tr>`
  })
  return { text, html: `<table cellpadding="4">${rows.join('')}</table>` }
}

/** Formats the paragraphs of a personal letter as text and, for a third of the letters, as HTML as well. */
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
  const blocks = paragraphs.map((paragraph) => `<p>${htmlLines(paragraph)}</p>`)
  if (quotation) {
    const lines = htmlLines(quotation.lines.join('\n'))
    blocks.push(`<p>${escapeHtml(quotation.intro)}</p>`, `<blockquote>${lines}</blockquote>`)
  }
  return page(style, '', '', ...blocks)
}

/** Quotes the beginning of a letter below an attribution line. */
export function quoteBeginning(intro: string, greeting: string, paragraph: string): Quotation {
  const beginning = shortenAtWord(paragraph, quotedLength).split('\n')
  return { intro, lines: greeting === '' ? beginning : [...greeting.split('\n'), '', ...beginning] }
}

/** Truncates text between words to at most `limit` characters, including `…`. */
export function shortenAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text
  const space = text.lastIndexOf(' ', limit - 1)
  return `${text.slice(0, space > 0 ? space : limit - 1)}…`
}

function htmlLines(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>\n')
}
