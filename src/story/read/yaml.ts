import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'
import type { z } from '../../base/schema.js'
import { grouped } from '../../base/text.js'
import { checkFormat, type Locate, ScenarioError, type ScenarioProblem } from './problem.js'

/** What is wrong with the text of a file, and where. */
type TextProblem = Required<Omit<ScenarioProblem, 'file'>>

/** Parses YAML 1.2 or JSON; the value is undefined if there is a problem. Only the first is told: others follow from it. */
export function readYaml(text: string): {
  readonly value: unknown
  readonly locate: Locate
  readonly problem: TextProblem | undefined
} {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    merge: false,
    // Keys are texts, even those that look like numbers; scenarios have no tags such as `!!set`.
    stringKeys: true,
    resolveKnownTags: false,
  })
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const locate: Locate = (path, part = 'value') => {
    const offset = offsetAt(document, path, part)
    return offset === undefined ? undefined : placeOf(offset)
  }
  const refused = ({ offset, message }: OffsetProblem) => {
    return { value: undefined, locate, problem: { ...placeOf(offset), key: '', message } }
  }
  const found = problemIn(document, text)
  if (found) return refused(found)
  try {
    return { value: document.toJS({ maxAliasCount }), locate, problem: undefined }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return refused({ offset: 0, message: `aliases repeat more than ${grouped(maxAliasCount)} values` })
  }
}

/** Parses YAML and checks its format. @throws ScenarioError */
export function readChecked<Content>(
  source: string,
  text: string,
  schemaOf: (value: unknown) => z.ZodType<Content>,
): { readonly content: Content; readonly locate: Locate } {
  const { value, locate, problem } = readYaml(text)
  if (problem) throw new ScenarioError('syntax', source, [problem])
  return { content: checkFormat(schemaOf(value), value, { source, locate }), locate }
}

/** The number of times that aliases may repeat a value, those within it counted each time. */
const maxAliasCount = 10_000

interface OffsetProblem {
  readonly offset: number
  readonly message: string
}

function problemIn(document: Document.Parsed, text: string): OffsetProblem | undefined {
  const binary = text.indexOf('\0')
  if (binary >= 0) return { offset: binary, message: 'this is not UTF-8 text; save the file as UTF-8' }
  const tags = document.warnings.filter(({ code }) => explanations[code] === noTags)
  const [first] = [...document.errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0])
  return first ? explained(first, text) : problemWithAlias(document)
}

const noTags = 'a "!" begins a tag, and scenarios have none; leave it out, or put the text in quotes'
const inQuotes =
  'a text with brackets, or with quotes or a special character at its start, needs quotes around all of it'

/** What is said about the mistakes that authors make, by the code of the parser's error; else the parser's own message. */
const explanations: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: inQuotes,
  BAD_COLLECTION_TYPE: noTags,
  BAD_SCALAR_START: inQuotes,
  BLOCK_AS_IMPLICIT_KEY:
    'a text with ": " in it needs quotes around it; or the next line is indented too far',
  BLOCK_IN_FLOW: 'expected a comma, or separate brackets around this: [a, b] or { key: value }',
  BAD_INDENT: 'this begins in another column than what it belongs to; indent it like the lines around it',
  DUPLICATE_KEY: 'this key appears twice; leave one of them out',
  MULTIPLE_DOCS: 'a second document begins here; a scenario file holds one, so leave out the "---"',
  MULTIPLE_TAGS: noTags,
  MULTILINE_IMPLICIT_KEY: 'a key needs a ":" and a space after it, or a comma is missing',
  NON_STRING_KEY: 'a list or a map is used where a key is expected',
  RESOURCE_EXHAUSTION: 'lists and maps are nested too deeply here',
  TAB_AS_INDENT: 'a tab indents this line; indent with spaces',
  TAG_RESOLVE_FAILED: noTags,
  UNEXPECTED_TOKEN: inQuotes,
}

/** Explains an error of the parser. No part of the file is quoted, since it may be a secret. */
function explained({ code, message, pos: [offset] }: YAMLError, text: string): OffsetProblem {
  if (text.slice(Math.max(0, offset - 1), offset + 2).includes('{{')) {
    return {
      offset,
      message: 'a text with "{{" needs quotes around all of it; without them, YAML takes the braces for maps',
    }
  }
  const [, closing] = /end with (?:a )?([}\]])$/.exec(message) ?? []
  if (closing) return unclosed(text.slice(0, offset).trimEnd(), closing)
  const [, quote] = /^Missing closing (["'])/.exec(message) ?? []
  if (quote) return { offset: openingQuote(text, quote, offset), message: `a closing ${quote} is missing` }
  const before = text[offset - 1]
  if (code === 'UNEXPECTED_TOKEN' && (before === "'" || before === '"')) {
    const written = before === "'" ? "''" : '\\"'
    return { offset, message: `a quote ends the text here; within it, a ${before} is written ${written}` }
  }
  const [indent = ''] = /^ */.exec(text.slice(offset)) ?? []
  return { offset: offset + indent.length, message: explanations[code] ?? lowerFirst(message) }
}

function lowerFirst(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

/** Explains a bracket that is not closed at the end of a text. */
function unclosed(text: string, closing: string): OffsetProblem {
  const isCut = text.slice(text.lastIndexOf('\n') + 1).includes(' #')
  const comment = isCut ? '; " #" begins a comment, unless it is in quotes' : ''
  return { offset: text.length, message: `a closing ${closing} is missing${comment}` }
}

/** Returns the offset of the unclosed quote: the last one that follows a space, a bracket or a comma. */
function openingQuote(text: string, quote: string, end: number): number {
  for (let at = text.lastIndexOf(quote, end); at >= 0; at = text.lastIndexOf(quote, at - 1)) {
    if (at === 0 || /[\s,[{]/.test(text[at - 1] as string)) return at
  }
  return end
}

/** Finds an alias that has no anchor above it, or is within the value of its own anchor. */
function problemWithAlias(document: Document.Parsed): OffsetProblem | undefined {
  const known = new Set<string>()
  let problem: OffsetProblem | undefined
  visit(document, {
    Node(_, node, path) {
      const offset = node.range?.[0] ?? 0
      if (!isAlias(node)) {
        if (node.anchor) known.add(node.anchor)
      } else if (!known.has(node.source)) {
        problem = { offset, message: 'an alias needs its anchor ("&" and the same name) above it' }
      } else if (path.some((around) => 'anchor' in around && around.anchor === node.source)) {
        problem = { offset, message: 'a value contains itself' }
      }
      return problem && visit.BREAK
    },
  })
  return problem
}

/** Finds a value or its key; for an alias, those in its target. Of what is missing, it finds what surrounds it. */
function offsetAt(document: Document.Parsed, path: readonly PropertyKey[], part: 'key' | 'value') {
  let node = document.contents as Node | null
  let offset = node?.range?.[0]
  for (const [index, step] of path.entries()) {
    const around = isAlias(node) ? node.resolve(document) : node
    const pairs = isMap(around) ? (around.items as Pair<Node, Node | null>[]) : []
    const pair = pairs.find(({ key }) => isScalar(key) && String(key.value) === String(step))
    const value = isSeq(around) ? (around.items[Number(step)] as Node | undefined) : pair?.value
    if (value === undefined) break
    node = value
    // A missing value has no useful place, so its key is pointed at.
    const isNothing = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1])
    const wantsKey = part === 'key' && index === path.length - 1
    offset = (pair && (wantsKey || isNothing) ? pair.key : value)?.range?.[0] ?? offset
  }
  return offset
}
