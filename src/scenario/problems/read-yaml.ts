import { type Document, isCollection, LineCounter, parseDocument, type YAMLError } from 'yaml'
import { aliasProblems } from './aliases.js'
import { createLocate } from './locate.js'
import { type FilePlace, keyOf, type Locate } from './places.js'
import { explainSyntax, type SyntaxProblem } from './syntax-words.js'
import { templateProblems } from './unquoted-templates.js'
import { type AliasTargets, aliasTargets, contentOf, maxNesting, nodesOf } from './yaml-nodes.js'

/** Something wrong with a file, and where. */
export interface PlacedProblem extends FilePlace {
  /** The key at fault; empty where it is no single one. */
  readonly key: string
  readonly message: string
}

/** A problem at an offset, with the key it concerns, where it is one. */
export interface OffsetProblem extends SyntaxProblem {
  readonly key?: string
}

/** What a file holds; with any problem, it holds nothing. */
export interface ReadYaml {
  readonly value: unknown
  readonly locate: Locate
  /** In the order of their places. */
  readonly problems: readonly PlacedProblem[]
}

/** Reads YAML 1.2 or JSON. Problems with its text are given back, in the words of whoever writes such files. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    merge: false,
    // Keys are texts, also those that look like numbers; `!!set` and its like are no part of scenarios.
    stringKeys: true,
    resolveKnownTags: false,
  })
  const targets: AliasTargets = text.includes('*') ? aliasTargets(document) : new Map()
  const problems = problemsOf(document, { text, lines, targets })
  const value = problems.length > 0 ? undefined : contentOf(document, targets)
  return { value, locate: createLocate(document, lines, targets), problems }
}

interface Source {
  readonly text: string
  readonly lines: LineCounter
  readonly targets: AliasTargets
}

function problemsOf(document: Document.Parsed, { text, lines, targets }: Source): PlacedProblem[] {
  const place = ({ offset, key = '', message }: OffsetProblem): PlacedProblem => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, key, message }
  }
  const binary = text.indexOf('\0')
  if (binary >= 0)
    return [place({ offset: binary, message: 'this is no text in UTF-8; save the file as UTF-8' })]
  const errors = syntaxErrors(document)
  const syntax = errors.length === 0 ? [] : errors.map(createExplain(document, text, lines))
  const found = onePerLine([...templateProblems(document, text), ...syntax].map(place))
  if (found.length > 0) return found
  return [...nestingProblems(document, text), ...aliasProblems(document, targets)].map(place)
}

/** Unknown tags are but warnings to the parser; so are matters of taste, which are let by. */
function syntaxErrors({ errors, warnings }: Document.Parsed): YAMLError[] {
  const tags = warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')
  const all = [...errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0])
  const told = new Set(all.map(({ code, pos }) => `${code} ${pos[0]}`))
  return all.filter((error, index) => {
    return (index === 0 || !error.message.includes('in YAML stream')) && !told.has(causeOf(error))
  })
}

/** What is wrong at a place whenever another thing seems to be. */
function causeOf({ code, pos }: YAMLError): string {
  const causes: Partial<Record<YAMLError['code'], YAMLError['code']>> = {
    MULTILINE_IMPLICIT_KEY: 'BLOCK_AS_IMPLICIT_KEY',
    BLOCK_IN_FLOW: 'MULTILINE_IMPLICIT_KEY',
  }
  return `${causes[code]} ${pos[0]}`
}

/** Explains errors of a document; what they are about is looked up in it once. */
function createExplain(
  document: Document,
  text: string,
  lines: LineCounter,
): (error: YAMLError) => OffsetProblem {
  const nodes = [...nodesOf(document)]
  const keys = nodes.filter(({ isKey }) => isKey).toReversed()
  const keyAt = new Map(keys.map(({ node, path }) => [node.range?.[0], keyOf(path)]))
  const firstOffset = new Map(keys.map(({ node, path }) => [keyOf(path), node.range?.[0] ?? 0]))
  const brackets = nodes.flatMap(({ node }) => (isCollection(node) && node.flow ? (node.range ?? []) : []))
  return (error) => {
    const [offset] = error.pos
    const key = keyAt.get(offset) ?? ''
    if (error.code !== 'DUPLICATE_KEY') return explainSyntax(error, text, isWithin(offset, brackets))
    const { line } = lines.linePos(firstOffset.get(key) ?? 0)
    return { offset, key, message: `stands here twice; the first is in line ${line}` }
  }
}

/** Whether an offset is in one of the ranges, of which each is a start, an end and the end of what follows. */
function isWithin(offset: number, ranges: readonly number[]): boolean {
  return ranges.some((start, index) => index % 3 === 0 && start < offset && offset < (ranges[index + 2] ?? 0))
}

/** One mistake often has several consequences in its line, of which the first says most. */
function onePerLine(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byLine = new Map<number, PlacedProblem>()
  for (const problem of problems) if (!byLine.has(problem.line)) byLine.set(problem.line, problem)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

function nestingProblems(document: Document, text: string): OffsetProblem[] {
  // As many brackets or hyphens are needed for it.
  if (text.length < maxNesting) return []
  for (const { node, path, ancestors } of nodesOf(document)) {
    if (ancestors.length < maxNesting) continue
    const message = `lists and maps are nested more than ${maxNesting} deep here`
    return [{ offset: node.range?.[0] ?? 0, key: keyOf(path.slice(0, 3)), message }]
  }
  return []
}
