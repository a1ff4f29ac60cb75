import type { YAMLError } from 'yaml'
import { lineEnd } from '../../contract/text.js'

/** A problem of the text of a file. */
export interface SyntaxProblem {
  /** Its place, in UTF-16 code units from the start of the text. */
  readonly offset: number
  readonly message: string
}

type Explain = (error: YAMLError, text: string) => SyntaxProblem | string

/**
 * Explains an error of the YAML parser to the author of the file. At most a character or two of the file are quoted,
 * since the text may be a secret.
 */
export function explainSyntax(error: YAMLError, text: string, inBrackets: boolean): SyntaxProblem {
  const [offset] = error.pos
  // Within brackets, an entry continues over lines until a comma.
  if (inBrackets && error.code === 'MULTILINE_IMPLICIT_KEY') {
    return { offset: nextWord(text, lineEnd(text, offset)), message: missingComma }
  }
  const explained = words[error.code]?.(error, text) ?? 'this is not valid YAML'
  return typeof explained === 'string' ? { offset: wordAfter(text, offset), message: explained } : explained
}

const words: Partial<Record<YAMLError['code'], Explain>> = {
  ALIAS_PROPS: () => 'an alias such as *base must be alone; leave out the tag or the anchor before it',
  BAD_ALIAS: () => 'a text that begins with "*" or "&" needs quotes around it',
  BAD_COLLECTION_TYPE: () => noTags,
  BAD_DIRECTIVE: () => 'a line that begins with "%" is not part of a scenario; leave it out',
  BAD_DQ_ESCAPE: ({ pos }, text) => {
    const found = text.slice(pos[0], pos[0] + 2)
    return `"${found}" is not an escape within double quotes; write "\\\\" for a backslash, or use single quotes`
  },
  BAD_INDENT: explainIndent,
  BAD_PROP_ORDER: () => 'an anchor or a tag comes after the "-", "?" or ":", before the value',
  BAD_SCALAR_START: ({ pos }, text) => `a text that begins with "${text[pos[0]]}" needs quotes around it`,
  BLOCK_AS_IMPLICIT_KEY: explainNesting,
  BLOCK_IN_FLOW: () => 'expected a comma, or separate brackets around this: [a, b] or { key: value }',
  KEY_OVER_1024_CHARS: () => 'a key has more than 1024 characters',
  MISSING_CHAR: explainMissing,
  MULTILINE_IMPLICIT_KEY: explainLineWithoutColon,
  MULTIPLE_ANCHORS: () => 'a value has two anchors; it can have one',
  MULTIPLE_DOCS: () => 'a second document begins here; a scenario file holds one, so leave out the "---"',
  MULTIPLE_TAGS: () => noTags,
  NON_STRING_KEY: () => 'a list or a map is used where a key is expected',
  RESOURCE_EXHAUSTION: () => 'lists and maps are nested too deeply here',
  TAB_AS_INDENT: () => 'a tab indents this line; indent with spaces',
  TAG_RESOLVE_FAILED: () => noTags,
  UNEXPECTED_TOKEN: explainUnexpected,
}

/** The problem of templates at the start of an unquoted text, whose braces are those of maps in YAML. */
export const unquotedTemplate =
  'a text with "{{" needs quotes around all of it; without them, YAML takes the braces for maps'

const missingComma = 'a comma is missing before this'

const noTags = 'a "!" begins a tag, and scenarios have none; leave it out, or put the text in quotes'

function explainIndent({ message }: YAMLError): string {
  if (message.startsWith('Flow')) return missingBracket(message)
  if (/^Block scalar/i.test(message)) return 'a line of this text is indented less than the others'
  return 'this line is indented differently from the lines it belongs to'
}

/** Explains a text that contains a colon, or a line that is indented too far below a value. */
function explainNesting({ message, pos: [offset] }: YAMLError, text: string): SyntaxProblem | string {
  if (message.startsWith('A block sequence')) {
    return 'this line is indented less than the list it belongs to'
  }
  const end = lineEnd(text, offset)
  if (/:(\s|$)/.test(text.slice(offset, end).trimEnd())) {
    return 'a text with ": " in it needs quotes around it'
  }
  return { offset: nextWord(text, end), message: 'this line is indented too far' }
}

function explainMissing({ message, pos: [offset] }: YAMLError, text: string): SyntaxProblem | string {
  if (message.startsWith('Missing closing')) {
    const quote = message.includes('"') ? '"' : "'"
    return { offset: openingQuote(text, quote, offset), message: `a closing ${quote} is missing` }
  }
  if (message.startsWith('Missing ,')) return missingComma
  if (message.startsWith('Missing space')) return 'a space is missing after the ":"'
  if (message.startsWith('Flow')) return missingBracket(message)
  if (message.startsWith('Implicit map keys')) return explainLineWithoutColon({ pos: [offset] }, text)
  if (message.startsWith('Sequence item')) {
    return 'this line is indented differently from the lines above; an entry of a list begins with "- "'
  }
  if (message.startsWith('Comments')) return 'a comment needs a space before its "#"'
  return 'this is not valid YAML; a text that begins with a special character needs quotes around it'
}

function missingBracket(message: string): string {
  return `a closing "${message.trimEnd().at(-1)}" is missing before this`
}

function explainLineWithoutColon(
  { pos: [offset] }: Pick<YAMLError, 'pos'> | { pos: [number] },
  text: string,
) {
  const line = text.slice(offset, lineEnd(text, offset))
  return /^[\w-]+:\S/.test(line)
    ? 'a space is missing after the ":"'
    : 'a key needs a ":" and a space after it'
}

function explainUnexpected({ message, pos: [offset] }: YAMLError, text: string): string {
  if (message.startsWith('Block scalar')) return 'a text that begins with ">" or "|" needs quotes around it'
  if (message.includes('block-seq-ind'))
    return 'a list begins on its own line, or is written in brackets: [a, b]'
  if (message.startsWith('Unexpected empty item') || message.startsWith('Unexpected ,')) {
    return 'a comma has nothing before it'
  }
  if (text.startsWith('{{', offset)) return unquotedTemplate
  return message.endsWith('at node end') ? explainRest(offset, text) : unexpected(offset, text)
}

/** Explains text after the end of a value. */
function explainRest(offset: number, text: string): string {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trimEnd()
  if (before === '') return 'this line does not fit the lines above it; check how far they are indented'
  const quote = before.at(-1)
  if (quote !== '"' && quote !== "'")
    return 'a text with brackets, or "*" at its start, needs quotes around it'
  const escaped = quote === "'" ? "''" : '\\"'
  return `text follows a closing ${quote}; put the whole value in quotes, and write ${escaped} for a quote in it`
}

function unexpected(offset: number, text: string): string {
  return `"${[...text.slice(offset, offset + 2)][0] ?? ''}" is not expected here`
}

/** Skips spaces, which are no useful place for a problem. */
function wordAfter(text: string, offset: number): number {
  let at = offset
  while (text[at] === ' ') at++
  return at
}

function nextWord(text: string, offset: number): number {
  const word = text.slice(offset).search(/\S/)
  return word < 0 ? offset : offset + word
}

/** Returns the offset of the unclosed quote: the last one that follows a space, a bracket or a comma. */
function openingQuote(text: string, quote: string, end: number): number {
  for (let at = text.lastIndexOf(quote, end); at >= 0; at = text.lastIndexOf(quote, at - 1)) {
    if (at === 0 || /[\s,[{]/.test(text[at - 1] as string)) return at
  }
  return end
}
