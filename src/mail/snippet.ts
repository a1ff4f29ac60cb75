import { compile } from 'html-to-text'
import { once } from '../contract/once.js'
import { attributedQuoteStart, isQuoted, isSignatureMark, lineEnd } from './quoting.js'

const longestSnippet = 160
// Two code units more than fit: enough to see that the text goes on and that no pair is cut
const enough = longestSnippet + 2
// A word break further back than this would show too little, as in text written without spaces
const shortestCut = 100
// So much is read of HTML, without what no reader sees, and of text
const longestHtml = 40_000
const longestText = 200_000
const longestScan = 2_000_000
/** The start of what no reader sees: long images written into the text as well. */
const unseen = /<(?:!--|style\b|script\b|head\b)|data:(?=[^"'()\s<>]{200})/i
const ends: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/,
  '<style': /<\/style>/i,
  '<script': /<\/script>/i,
  '<head': /<\/head>/i,
  'data:': /(?=["'()\s<>]|$)/,
}

// Compiling takes longer than the rest of loading this library, and most mail has words of its own
const htmlToPlain = once(() =>
  compile({
    wordwrap: false,
    // Everything, also what stands behind `</body>`
    baseElements: { selectors: ['no-such-element'] },
    limits: { maxDepth: 200, maxChildNodes: 1000, ellipsis: '' },
    selectors: [
      ...['head', 'title', 'style', 'script', 'template', 'img', 'hr', '[hidden]'].map(skipped),
      ...['[style*="display:none"i]', '[style*="display: none"i]'].map(skipped),
      { selector: 'a', options: { ignoreHref: true } },
      // Lists as plain blocks: the numbering of the default throws on `<ol type="I" start="99999">`.
      // Cells as well: they are inline by default, which runs the words of neighbours together.
      ...['ol', 'ul', 'li', 'td', 'th'].map((selector) => ({ selector, format: 'block' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  }),
)

/**
 * Gives the start of what a mail newly says, on one line of at most 160 UTF-16 code units: without
 * quoted lines and their attribution, without the signature, cut at a word with `…`. HTML is read
 * when the text says nothing, the subject when neither does.
 * @example snippetOf({ text: 'Thanks!\n\nOn Monday, Ann wrote:\n> Done', html: null }) // 'Thanks!'
 * @see interface 2.2
 */
export function snippetOf({ text, html, subject, snippet }: SnippetSource): string {
  if (snippet !== undefined) return snippet
  let said = text ? newWords(text.slice(0, longestText)) : ''
  if (said === '' && html) said = newWords(htmlToPlain()(seenPart(html)))
  if (said === '' && subject) said = appendWords('', subject, 0, subject.length)
  return said.length <= longestSnippet ? said : cut(said)
}

/** What `snippetOf` reads: the bodies of a mail and, for want of anything better, its subject; or what it gave before. */
export interface SnippetSource {
  readonly text: string | null
  readonly html: string | null
  readonly subject?: string | undefined
  readonly snippet?: string | undefined
}

function skipped(selector: string) {
  return { selector, format: 'skip' }
}

/** The start of HTML without comments, styles, scripts and images written into it, which can be longer than all words. */
function seenPart(html: string): string {
  const scanned = html.slice(0, longestScan)
  const openings = new RegExp(unseen, 'gi')
  let seen = ''
  let from = 0
  while (seen.length + openings.lastIndex - from < longestHtml) {
    const found = openings.exec(scanned)
    const end = found ? endOf(found, scanned) : undefined
    // Whatever does not end has nothing behind it
    if (!found || end === undefined) break
    seen += scanned.slice(from, found.index)
    from = openings.lastIndex = end
  }
  return (seen + scanned.slice(from)).slice(0, longestHtml)
}

/** Where something unseen ends; undefined where it does not. */
function endOf({ 0: opening, index }: RegExpExecArray, html: string): number | undefined {
  const end = new RegExp(ends[opening.toLowerCase()] as RegExp, 'gi')
  end.lastIndex = index
  return end.test(html) ? end.lastIndex : undefined
}

function newWords(text: string): string {
  let words = ''
  let start = 0
  while (start < text.length && words.length < enough) {
    const end = lineEnd(text, start)
    const isMark = isSignatureMark(text, start, end)
    // A text that begins with the mark has nothing but what comes after it
    if (isMark && words !== '') break
    const quoteStart = attributedQuoteStart(text, start)
    if (quoteStart < 0 && !isMark && !isQuoted(text, start, end)) words = appendWords(words, text, start, end)
    start = quoteStart < 0 ? end + 1 : quoteStart
  }
  return words
}

// Character codes instead of a pattern: this runs for every thread of a page
function appendWords(words: string, text: string, start: number, end: number): string {
  let longer = words
  let at = start
  while (at < end && longer.length < enough) {
    while (at < end && isBlank(text.charCodeAt(at))) at += 1
    const wordStart = at
    const wordEnd = Math.min(end, wordStart + enough)
    while (at < wordEnd && !isBlank(text.charCodeAt(at))) at += 1
    if (at > wordStart) longer += (longer === '' ? '' : ' ') + text.slice(wordStart, at)
  }
  return longer
}

// Unicode white space, control characters, and the zero-width spaces newsletters pad with
function isBlank(code: number): boolean {
  if (code < 0x7f) return code <= 0x20
  if (code < 0x1680) return code <= 0xa0
  if (code < 0x2000) return code === 0x1680
  if (code <= 0x200b) return true
  return (
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

function cut(words: string): string {
  const room = longestSnippet - 1
  const wordBreak = words.lastIndexOf(' ', room)
  if (wordBreak >= shortestCut) return `${words.slice(0, wordBreak)}…`
  // Made for the call, because the first segmenter of a process costs milliseconds that most never need
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(words)
  return `${words.slice(0, graphemes.containing(room)?.index ?? room).trimEnd()}…`
}
