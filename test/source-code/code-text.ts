/** What stands at a place of a TypeScript source. */
type Kind = 'code' | 'comment' | 'string' | 'regex'

interface Piece {
  readonly kind: Kind
  readonly start: number
  readonly end: number
}

/** After these words a slash begins a regular expression. */
const beforeRegex = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/

/** A source of the same length with comments, strings and regular expressions blanked; quotes stay. */
export function codeOf(source: string): string {
  let code = ''
  for (const { kind, start, end } of piecesOf(source)) {
    const text = source.slice(start, end)
    if (kind === 'code') code += text
    else if (kind === 'string') code += blank(text, /[^\n'"`]/g)
    else code += blank(text, /[^\n]/g)
  }
  return code
}

function blank(text: string, what: RegExp): string {
  return text.replace(what, ' ')
}

/** The pieces of a source, one after another. */
function* piecesOf(source: string): IterableIterator<Piece> {
  /** How many braces are open inside each `${` that is. */
  const substitutions: number[] = []
  let start = 0
  let at = 0
  while (at < source.length) {
    const begun = beginningAt(source, start, at, substitutions)
    if (begun === undefined) {
      at++
      continue
    }
    if (at > start) yield { kind: 'code', start, end: at }
    yield { kind: begun.kind, start: at, end: begun.end }
    if (begun.opensSubstitution) substitutions.push(0)
    start = begun.end
    at = begun.end
  }
  if (at > start) yield { kind: 'code', start, end: at }
}

interface Begun {
  readonly kind: Kind
  readonly end: number
  readonly opensSubstitution?: boolean
}

/** What begins at a place in code, if it is no more code. */
function beginningAt(source: string, from: number, at: number, substitutions: number[]): Begun | undefined {
  const character = source[at]
  if (character === '{' && substitutions.length > 0) substitutions.push((substitutions.pop() ?? 0) + 1)
  if (character === '}' && substitutions.length > 0) {
    const open = substitutions.pop() ?? 0
    if (open === 0) return templateFrom(source, at + 1)
    substitutions.push(open - 1)
  }
  if (character === "'" || character === '"')
    return { kind: 'string', end: endOfString(source, at, character) }
  if (character === '`') return templateFrom(source, at + 1)
  if (character !== '/') return undefined
  if (source[at + 1] === '/') return { kind: 'comment', end: indexOrEnd(source, '\n', at) }
  if (source[at + 1] === '*') return { kind: 'comment', end: indexOrEnd(source, '*/', at + 2) + 2 }
  return beginsRegex(source.slice(from, at)) ? { kind: 'regex', end: endOfRegex(source, at) } : undefined
}

function indexOrEnd(source: string, wanted: string, from: number): number {
  const index = source.indexOf(wanted, from)
  return index < 0 ? source.length : index
}

function endOfString(source: string, at: number, quote: string): number {
  let end = at + 1
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1
  return end + 1
}

/** The words of a template from a place to its end or to its next `${`. */
function templateFrom(source: string, at: number): Begun {
  let end = at
  while (end < source.length) {
    if (source[end] === '`') return { kind: 'string', end: end + 1 }
    if (source.startsWith('${', end)) return { kind: 'string', end: end + 2, opensSubstitution: true }
    end += source[end] === '\\' ? 2 : 1
  }
  return { kind: 'string', end }
}

function beginsRegex(codeBefore: string): boolean {
  const before = codeBefore.trimEnd()
  return before === '' || /[(,=:[!&|?{;+\-*%<>~^]$/.test(before) || beforeRegex.test(before)
}

function endOfRegex(source: string, at: number): number {
  let inClass = false
  let end = at + 1
  while (end < source.length && source[end] !== '\n' && (inClass || source[end] !== '/')) {
    if (source[end] === '[') inClass = true
    if (source[end] === ']') inClass = false
    end += source[end] === '\\' ? 2 : 1
  }
  const flags = /^[a-z]*/.exec(source.slice(end + 1))?.[0] ?? ''
  return end + 1 + flags.length
}
