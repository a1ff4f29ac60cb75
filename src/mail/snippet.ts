import { compile } from 'html-to-text'
import { once } from '../base/once.js'
import { lineEnd } from '../base/text.js'

const maxSnippet = 160
// Two code units more than fit: enough to detect that the text continues, and to avoid cutting a surrogate pair
const enough = maxSnippet + 2
// Cutting at an earlier word break would leave too little, as in text without spaces
const minCut = 100
// Of a text or of HTML, in code units
const maxRead = 40_000
const maxAttributionLines = 3
// Between words are white space, control characters, and the zero-width spaces that newsletters use as padding
const shownWord = new RegExp(`[^\\s\\p{Cc}\\u200b]{1,${enough}}`, 'gu')

// Compiled when needed: it takes longer than the rest of loading this library, and most mail has plain text
const htmlToPlain = once(() =>
  compile({
    wordwrap: false,
    // Everything, including text after `</body>`
    baseElements: { selectors: ['no-such-element'] },
    limits: { maxDepth: 200, maxChildNodes: 1000, ellipsis: '' },
    selectors: [
      ...['head', 'title', 'style', 'script', 'template', 'img', 'hr', '[hidden]'].map(skipped),
      ...['[style*="display:none"i]', '[style*="display: none"i]'].map(skipped),
      { selector: 'a', options: { ignoreHref: true } },
      // Lists as plain blocks: the default numbering throws on `<ol type="I" start="99999">`.
      // Cells as well: by default they are inline, which joins the words of neighbours.
      ...['ol', 'ul', 'li', 'td', 'th'].map((selector) => ({ selector, format: 'block' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  }),
)

/**
 * Returns the start of the new text in a message as one line of at most 160 UTF-16 code units: without quoted
 * lines, their attribution and the signature, and cut at a word with `…`. Uses the HTML if there is no such
 * text, and the subject if neither has any.
 * @example snippetOf({ text: 'Thanks!\n\nOn Monday, Ann wrote:\n> Done', html: null }) // 'Thanks!'
 * @see interface 2.2
 */
export function snippetOf({ text, html, subject }: SnippetSource): string {
  let said = text ? newWords(text.slice(0, maxRead)) : ''
  if (said === '' && html) said = newWords(textOfHtml(html))
  if (said === '' && subject) said = appendWords('', subject)
  return said.length <= maxSnippet ? said : cut(said)
}

/** Returns the visible text of HTML; of long HTML, the start. */
export function textOfHtml(html: string): string {
  return htmlToPlain()(html.slice(0, maxRead))
}

/** The input of `snippetOf`: the bodies and the subject of a message. */
interface SnippetSource {
  readonly text: string | null
  readonly html: string | null
  readonly subject?: string | undefined
}

function skipped(selector: string) {
  return { selector, format: 'skip' }
}

function newWords(text: string): string {
  let words = ''
  let start = 0
  while (start < text.length && words.length < enough) {
    const end = lineEnd(text, start)
    const isMark = isSignatureMark(text, start, end)
    // If a text begins with the mark, the text after it is used
    if (isMark && words !== '') break
    const quoteStart = attributedQuoteStart(text, start)
    if (quoteStart < 0 && !isMark && !isQuoted(text, start, end))
      words = appendWords(words, text.slice(start, end))
    start = quoteStart < 0 ? end + 1 : quoteStart
  }
  return words
}

/** Returns whether a line is quoted from an earlier message. @see RFC 3676 section 4.5 */
function isQuoted(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && text[at] === ' ') at += 1
  return at < end && text[at] === '>'
}

/** Returns whether a line is the mark before a signature, with or without its trailing space. @see RFC 3676 section 4.3 */
function isSignatureMark(text: string, start: number, end: number): boolean {
  return text.startsWith('--', start) && text.slice(start, end).trimEnd() === '--'
}

/**
 * Returns the start of the quotation that follows an attribution at `start`: "Ann wrote:", or "On … wrote:" on up to
 * three lines. Returns -1 if there is no attribution, or no quotation after it.
 */
function attributedQuoteStart(text: string, start: number): number {
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

function appendWords(words: string, line: string): string {
  let longer = words
  for (const [word] of line.matchAll(shownWord)) {
    if (longer.length >= enough) break
    longer += longer === '' ? word : ` ${word}`
  }
  return longer
}

function cut(words: string): string {
  const room = maxSnippet - 1
  const wordBreak = words.lastIndexOf(' ', room)
  if (wordBreak >= minCut) return `${words.slice(0, wordBreak)}…`
  // Created only here, because the first segmenter of a process costs milliseconds, and most processes need none
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(words)
  return `${words.slice(0, graphemes.containing(room)?.index ?? room).trimEnd()}…`
}
