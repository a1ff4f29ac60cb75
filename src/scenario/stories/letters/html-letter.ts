/** A turned-over corner of an earlier message, for the foot of a reply. */
export interface Quotation {
  /** e.g. `On Tuesday, 6 January, Ann Lee wrote:`. */
  readonly intro: string
  readonly lines: readonly string[]
}

const SPECIAL = /[&<>"]/g
const LINE_END = /\n/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Makes text safe between tags and in quoted attributes, e.g. `&lt;b&gt;` for `<b>`. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] as string)
}

/** Turns paragraphs of plain text, and what they quote, into a simple HTML letter below its opening tag. */
export function htmlLetter(root: string, paragraphs: readonly string[], quotation: Quotation | null): string {
  let html = `<!doctype html>\n${root}\n<head><meta charset="utf-8"></head>\n<body>\n`
  for (const paragraph of paragraphs) html += `<p>${htmlLines(paragraph)}</p>\n`
  if (quotation !== null) {
    const lines = htmlLines(quotation.lines.join('\n'))
    html += `<p>${escapeHtml(quotation.intro)}</p>\n<blockquote>${lines}</blockquote>\n`
  }
  return `${html}</body>\n</html>\n`
}

/** Escapes text and keeps its line ends. */
export function htmlLines(text: string): string {
  return escapeHtml(text).replace(LINE_END, '<br>\n')
}
