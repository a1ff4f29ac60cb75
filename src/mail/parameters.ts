import type { Charsets } from './charsets.js'
import { decodeWords, indexOrEnd } from './encoded-words.js'
import { hexCode } from './transfer-encoding.js'

/** A header value with parameters, as in Content-Type and Content-Disposition. */
export interface StructuredValue {
  /** In lower case, without comments; '' if there is none. */
  readonly value: string
  /** The parameters by lower-case name. The first one with a name counts; continuations are joined and decoded. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The parameters that are used; a header may contain any number of others. */
const usedNames = new Set(['boundary', 'charset', 'delsp', 'filename', 'format', 'name', 'start'])
const maxToken = 200
/** The maximum length of a field; meaningful parameters come before this limit. */
const maxField = 200_000
const continued = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/

const nothing: StructuredValue = { value: '', parameters: new Map() }

interface Piece {
  readonly text: string
  readonly encoded: boolean
}

/**
 * Parses a value and its parameters. Tolerates missing semicolons and quotation marks, unquoted file names
 * with spaces, and encoded words where RFC 2231 requires another form.
 * @example structuredValue("attachment; filename*=utf-8''a%20b.txt", charsets).parameters.get('filename') // 'a b.txt'
 * @see RFC 2045 section 5.1, RFC 2183, RFC 2231
 */
export function structuredValue(written: string, charsets: Charsets): StructuredValue {
  if (written === '') return nothing
  const text = written.slice(0, maxField)
  const valueEnd = skipValue(text)
  const value = withoutComments(text.slice(0, valueEnd)).replace(/["']/g, '').trim().toLowerCase()
  const pieces = new Map<string, Map<number, Piece>>()
  for (const [name, value] of parametersIn(text, valueEnd)) {
    const [, base, section = '0', star] = continued.exec(name) ?? []
    if (base === undefined || !usedNames.has(base)) continue
    const sections = pieces.get(base) ?? new Map<number, Piece>()
    pieces.set(base, sections)
    // `name*` can have letters that `name` cannot, so it is preferred
    const known = sections.get(Number(section))
    const encoded = star !== undefined
    if (!known || (encoded && !known.encoded)) sections.set(Number(section), { text: value, encoded })
  }
  const parameters = new Map<string, string>()
  for (const [name, sections] of pieces) parameters.set(name, joined(sections, charsets))
  return { value, parameters }
}

/** Returns where the value ends and the parameters start: some programs omit the semicolon or the value. */
function skipValue(text: string): number {
  let semicolon = text.indexOf(';')
  const comment = text.indexOf('(')
  if (comment >= 0 && comment < semicolon) semicolon = text.indexOf(';', commentEnd(text, comment))
  const value = semicolon < 0 ? text : text.slice(0, semicolon)
  const parameter = /(?:^|[^\s(][ \t]+)[\w*-]+[ \t]*=/.exec(value.slice(0, maxToken))
  return parameter ? parameter.index + Number(parameter.index > 0) : value.length
}

/** Yields each parameter as written, without quotation marks and comments. */
function* parametersIn(text: string, start: number): Generator<[name: string, written: string]> {
  let semicolon = start
  for (let at = start; at < text.length; ) {
    while (isSeparator(text[at])) at += 1
    const nameStart = at
    while (at < text.length && text[at] !== '=' && text[at] !== ';') at += 1
    const name = withoutComments(text.slice(nameStart, at)).trim().toLowerCase()
    if (text[at] !== '=') continue
    at += 1
    while (text[at] !== ';' && isSeparator(text[at])) at += 1
    if (text[at] === '"') {
      const quoted = quotedString(text, at)
      yield [name, quoted.text]
      at = quoted.end
      while (at < text.length && !isSeparator(text[at])) at += 1
    } else {
      if (semicolon < at) semicolon = indexOrEnd(text, ';', at)
      const written = withoutTrailingComment(text.slice(at, Math.min(semicolon, at + maxToken)))
      // If the semicolon is missing, the next parameter starts after a space
      const next = /\s[\w*-]+\s?=(?!\?)/.exec(written)?.index
      const end = next === undefined ? semicolon : at + next
      yield [name, withoutTrailingComment(text.slice(at, end)).trim()]
      at = end
    }
  }
}

function isSeparator(character: string | undefined): boolean {
  return character === ';' || character === ' ' || character === '\t'
}

interface QuotedString {
  readonly text: string
  readonly end: number
  readonly closed: boolean
}

/** Returns the text and the end of the quoted string that starts at a quotation mark. @see RFC 5322 section 3.2.4 */
export function quotedString(text: string, start: number, end = text.length): QuotedString {
  let quoted = ''
  let from = start + 1
  let at = from
  while (at < end && text[at] !== '"') {
    if (text[at] === '\\' && at + 1 < end) {
      quoted += text.slice(from, at)
      at += 1
      from = at
    }
    at += 1
  }
  return { text: quoted + text.slice(from, at), end: Math.min(at + 1, end), closed: at < end }
}

/** Removes comments, which may be nested; keeps an unclosed one. @see RFC 5322 section 3.2.2 */
export function withoutComments(text: string): string {
  if (!text.includes('(')) return text
  let kept = ''
  let from = 0
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', from)) {
    const end = commentEnd(text, at)
    if (end < 0) break
    kept += `${text.slice(from, at)} `
    from = end
  }
  return kept + text.slice(from)
}

/** Returns the end of the comment that starts at a bracket; -1 if it is not closed. */
export function commentEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

// `Invoice(1).pdf` is a name; a comment is preceded by a space
function withoutTrailingComment(text: string): string {
  const start = /[ \t]\(/.exec(text)?.index
  return start !== undefined && text.trimEnd().endsWith(')') ? text.slice(0, start) : text
}

function joined(sections: ReadonlyMap<number, Piece>, charsets: Charsets): string {
  const first = sections.get(0) ?? sections.get(1)
  if (!first) return ''
  let text = ''
  let encoded = ''
  let charset: string | undefined
  const flush = () => {
    if (encoded !== '') text += charsets.text(percentDecoded(encoded), charset)
    encoded = ''
  }
  for (let at = sections.has(0) ? 0 : 1, piece = sections.get(at); piece; at += 1, piece = sections.get(at)) {
    if (!piece.encoded) {
      flush()
      text += piece.text
      continue
    }
    const extended = piece === first ? /^([^']*)'[^']*'/.exec(piece.text) : null
    if (extended) charset = extended[1]
    encoded += extended ? piece.text.slice(extended[0].length) : piece.text
  }
  flush()
  return first.encoded ? text : decodeWords(text, charsets)
}

function percentDecoded(text: string): Uint8Array {
  const source = new TextEncoder().encode(text)
  const bytes = new Uint8Array(source.length)
  let length = 0
  for (let at = 0; at < source.length; at += 1) {
    const code = source[at] === 0x25 ? hexCode(source[at + 1], source[at + 2]) : -1
    bytes[length++] = code < 0 ? (source[at] as number) : code
    if (code >= 0) at += 2
  }
  return bytes.subarray(0, length)
}

/** Returns whether a field name equals a lower-case name, ignoring case. */
export function isNamed(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase
}
