import type { YAMLError } from 'yaml'
import { lineEnd } from '../../base/text.js'

/** A problem of the text of a file. */
export interface SyntaxProblem {
  /** Its place, in UTF-16 code units from the start of the text. */
  readonly offset: number
  readonly message: string
}

/** The problem of templates at the start of an unquoted text, whose braces are those of maps in YAML. */
export const unquotedTemplate =
  'a text with "{{" needs quotes around all of it; without them, YAML takes the braces for maps'

const missingComma = 'a comma is missing before this'
const noTags = 'a "!" begins a tag, and scenarios have none; leave it out, or put the text in quotes'
const tooFar = 'this line is indented too far'
const lacksColon = 'a key needs a ":" and a space after it'
const lacksSpace = 'a space is missing after the ":"'

/**
 * The explanations of errors of the YAML parser: the first whose pattern matches the error's code and
 * message. `$1` stands for a group of the pattern, `$at` for the character at the place.
 */
const explanations: readonly (readonly [RegExp, string])[] = [
  [/^ALIAS_PROPS/, 'an alias such as *base must be alone; leave out the tag or the anchor before it'],
  [/^BAD_ALIAS/, 'a text that begins with "*" or "&" needs quotes around it'],
  [/^(BAD_COLLECTION_TYPE|MULTIPLE_TAGS|TAG_RESOLVE_FAILED)/, noTags],
  [/^BAD_DIRECTIVE/, 'a line that begins with "%" is not part of a scenario; leave it out'],
  [
    /^BAD_DQ_ESCAPE.* (\\.)/,
    '"$1" is not an escape within double quotes; write "\\\\" for a backslash, or use single quotes',
  ],
  [/^BAD_INDENT Flow.*(\W)$/, 'a closing "$1" is missing before this'],
  [/^BAD_INDENT Block scalar/i, 'a line of this text is indented less than the others'],
  [/^BAD_INDENT/, 'this line is indented differently from the lines it belongs to'],
  [/^BAD_PROP_ORDER/, 'an anchor or a tag comes after the "-", "?" or ":", before the value'],
  [/^BAD_SCALAR_START/, 'a text that begins with "$at" needs quotes around it'],
  [/^BLOCK_AS_IMPLICIT_KEY A block sequence/, 'this line is indented less than the list it belongs to'],
  [/^BLOCK_AS_IMPLICIT_KEY/, tooFar],
  [/^BLOCK_IN_FLOW/, 'expected a comma, or separate brackets around this: [a, b] or { key: value }'],
  [/^KEY_OVER_1024_CHARS/, 'a key has more than 1024 characters'],
  [/^MISSING_CHAR Missing closing (["'])/, 'a closing $1 is missing'],
  [/^MISSING_CHAR Missing ,/, missingComma],
  [/^MISSING_CHAR Missing space/, lacksSpace],
  [/^MISSING_CHAR Flow.*(\W)$/, 'a closing "$1" is missing before this'],
  [/^(MISSING_CHAR Implicit map keys|MULTILINE_IMPLICIT_KEY)/, lacksColon],
  [
    /^MISSING_CHAR Sequence item/,
    'this line is indented differently from the lines above; an entry of a list begins with "- "',
  ],
  [/^MISSING_CHAR Comments/, 'a comment needs a space before its "#"'],
  [
    /^MISSING_CHAR/,
    'this is not valid YAML; a text that begins with a special character needs quotes around it',
  ],
  [/^MULTIPLE_ANCHORS/, 'a value has two anchors; it can have one'],
  [/^MULTIPLE_DOCS/, 'a second document begins here; a scenario file holds one, so leave out the "---"'],
  [/^NON_STRING_KEY/, 'a list or a map is used where a key is expected'],
  [/^RESOURCE_EXHAUSTION/, 'lists and maps are nested too deeply here'],
  [/^TAB_AS_INDENT/, 'a tab indents this line; indent with spaces'],
  [/^UNEXPECTED_TOKEN Block scalar/, 'a text that begins with ">" or "|" needs quotes around it'],
  [/block-seq-ind/, 'a list begins on its own line, or is written in brackets: [a, b]'],
  [/^UNEXPECTED_TOKEN Unexpected (empty item|,)/, 'a comma has nothing before it'],
  [/^UNEXPECTED_TOKEN/, '"$at" is not expected here'],
]

/**
 * Explains an error of the YAML parser to the author of the file. At most a character or two of the file are quoted,
 * since the text may be a secret.
 */
export function explainSyntax(error: YAMLError, text: string, inBrackets: boolean): SyntaxProblem {
  const [offset] = error.pos
  const end = lineEnd(text, offset)
  // Within brackets, an entry continues over lines until a comma.
  if (inBrackets && error.code === 'MULTILINE_IMPLICIT_KEY') {
    return { offset: wordAfter(text, end), message: missingComma }
  }
  const said = `${error.code} ${error.message.trimEnd()}`
  const [pattern, words = 'this is not valid YAML'] = explanations.find(([one]) => one.test(said)) ?? []
  const [, group = ''] = pattern?.exec(said) ?? []
  const at = [...text.slice(offset, offset + 2)][0] ?? ''
  const message = words.replace('$1', group).replace('$at', at)
  const line = text.slice(offset, end)
  if (words === tooFar) {
    if (/:(\s|$)/.test(line.trimEnd()))
      return { offset, message: 'a text with ": " in it needs quotes around it' }
    return { offset: wordAfter(text, end), message }
  }
  if (words === lacksColon && /^[\w-]+:\S/.test(line)) return { offset, message: lacksSpace }
  if (said.startsWith('MISSING_CHAR Missing closing'))
    return { offset: openingQuote(text, group, offset), message }
  if (!words.startsWith('"$at"')) return { offset: offset + (/^ */.exec(line)?.[0].length ?? 0), message }
  if (text.startsWith('{{', offset)) return { offset, message: unquotedTemplate }
  return { offset, message: said.endsWith('at node end') ? explainRest(offset, text) : message }
}

/** Explains text after the end of a value. */
function explainRest(offset: number, text: string): string {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trimEnd()
  if (before === '') return 'this line does not match the lines above it; check how far they are indented'
  const quote = before.at(-1)
  if (quote !== '"' && quote !== "'")
    return 'a text with brackets, or "*" at its start, needs quotes around it'
  const escaped = quote === "'" ? "''" : '\\"'
  return `text follows a closing ${quote}; put the whole value in quotes, and write ${escaped} for a quote in it`
}

/** Skips what is not a useful place for a problem. */
function wordAfter(text: string, offset: number): number {
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
