import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { keyOf, type Path } from '../../base/mistake.js'
import { excessIn, maxNesting } from './excess.js'
import type { Locate, ScenarioProblem } from './problem.js'
import { explainSyntax, type SyntaxProblem, unquotedTemplate } from './syntax.js'

/** The number of parser errors that are explained; one mistake may cause hundreds. */
const maxExplained = 100

/** A problem of a file, with its place; the key is empty if there is no single one at fault. */
type PlacedProblem = Required<Omit<ScenarioProblem, 'file'>>

/** A problem at an offset, with the key at fault if there is a single one. */
interface OffsetProblem extends SyntaxProblem {
  readonly key?: string
}

/**
 * Parses YAML 1.2 or JSON. Explains problems to the author of the file, in the order of the file; the value is undefined
 * if there are any.
 */
export function readYaml(text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    merge: false,
    // Keys are texts, even those that look like numbers; scenarios have no tags such as `!!set`.
    stringKeys: true,
    resolveKnownTags: false,
    // Found below, in the same pass as other problems.
    uniqueKeys: false,
  })
  const reader = new NodeReader(text, lines)
  const value = reader.read(document.contents as Node | null, [])
  const locate = createLocate(document, lines, reader.targets)
  const place = ({ offset, key = '', message }: OffsetProblem): PlacedProblem => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, key, message }
  }
  const { misread, unresolved, brackets } = reader
  const binary = text.indexOf('\0')
  const inText =
    binary < 0
      ? [...misread, ...syntaxProblems(document, text, brackets)]
      : [{ offset: binary, message: 'this is not UTF-8 text; save the file as UTF-8' }]
  const excess = inText.length > 0 ? undefined : excessIn(value)
  const inNodes = unresolved.map(place)
  if (excess) {
    // The steps down to a deep place would fill a screen.
    const key = keyOf(excess.path.length < maxNesting ? excess.path : excess.path.slice(0, 3))
    inNodes.push({ line: 1, column: 1, ...locate(excess.path), key, message: excess.message })
    inNodes.sort((a, b) => a.line - b.line || a.column - b.column)
  }
  const problems = inText.length > 0 ? onePerLine(inText.map(place)) : inNodes
  return { value: problems.length > 0 ? undefined : value, locate, problems }
}

/**
 * Returns the first problem of each line: one mistake often causes several, and the first is the most
 * informative.
 */
function onePerLine(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byLine = new Map<number, PlacedProblem>()
  for (const problem of problems) if (!byLine.has(problem.line)) byLine.set(problem.line, problem)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

/** The value of a node with its aliases resolved, the number of values including itself, and their nesting depth. */
const noAnchor =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" needs quotes around it'

/**
 * Reads the nodes of a document in the order of the file, and finds their problems. An alias shares its value with its
 * anchor. (The library would search the whole document for every alias.)
 */
class NodeReader {
  /** Duplicate keys, and unquoted templates. */
  readonly misread: OffsetProblem[] = []
  /** Aliases without an anchor. */
  readonly unresolved: OffsetProblem[] = []
  /** The target of each alias: the nearest anchor of its name above it. */
  readonly targets = new Map<Node, Node>()
  /** Where lists and maps in brackets begin and end. */
  readonly brackets: (readonly number[])[] = []
  readonly #text: string
  readonly #lines: LineCounter
  readonly #anchors = new Map<string, Node>()
  /** The values of lists and maps with anchors, even if they are being read, and of other nodes with anchors. */
  readonly #values = new Map<Node, unknown>()

  constructor(text: string, lines: LineCounter) {
    this.#text = text
    this.#lines = lines
  }

  /** Returns the value of a node; what is nested too deeply is omitted. */
  read(node: Node | null | undefined, path: Path): unknown {
    if (!node || path.length > maxNesting) return null
    if (isAlias(node)) return this.#target(node, path)
    const value = isSeq(node) ? [] : isMap(node) ? {} : isScalar(node) ? node.value : null
    if (node.anchor) {
      this.#anchors.set(node.anchor, node)
      this.#values.set(node, value)
    }
    if (isCollection(node) && node.flow && node.range) this.brackets.push(node.range)
    if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries())
        (value as unknown[]).push(this.read(item, [...path, index]))
    } else if (isMap<Node, Node | null>(node)) this.#readMap(node, value as object, path)
    return value
  }

  #readMap(node: YAMLMap<Node, Node | null>, map: object, path: Path): void {
    const offset = offsetOf(node)
    if (this.#text.startsWith('{{', offset)) {
      this.misread.push({ offset, key: keyOf(path), message: unquotedTemplate })
    }
    const first = new Map<string, number>()
    for (const { key, value } of node.items) {
      // The parser refuses other keys.
      if (!isScalar(key)) continue
      const name = String(key.value)
      const own = [...path, name]
      const before = first.get(name)
      if (before !== undefined) {
        const message = `appears twice; the first is on line ${this.#lines.linePos(before).line}`
        this.misread.push({ offset: offsetOf(key), key: keyOf(own), message })
      } else first.set(name, offsetOf(key))
      this.read(key, path)
      // Not an assignment, because the key may be `__proto__`.
      const content = { value: this.read(value, own), configurable: true, enumerable: true, writable: true }
      Object.defineProperty(map, name, content)
    }
  }

  #target(alias: Alias, path: Path): unknown {
    const target = this.#anchors.get(alias.source)
    if (target) this.targets.set(alias, target)
    else this.unresolved.push({ offset: offsetOf(alias), key: keyOf(path), message: noAnchor })
    return target && this.#values.get(target)
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}

/** Explains the parser's errors, and its warnings about unknown tags; its other warnings concern style. */
function syntaxProblems(
  { errors, warnings }: Document.Parsed,
  text: string,
  brackets: NodeReader['brackets'],
): SyntaxProblem[] {
  const tags = warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')
  const all = [...errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0]).slice(0, maxExplained)
  const reported = new Set(all.map(({ code, pos }) => `${code} ${pos[0]}`))
  return all.flatMap((error, index) => {
    const [offset] = error.pos
    const isFollowing =
      (index > 0 && error.message.includes('in YAML stream')) || reported.has(causeOf(error))
    if (isFollowing) return []
    const inBrackets = brackets.some(([start = 0, , end = 0]) => start < offset && offset < end)
    return explainSyntax(error, text, inBrackets)
  })
}

/** Returns the error that causes another one at the same place, as a key for comparison. */
function causeOf({ code, pos }: YAMLError): string {
  const causes: Partial<Record<YAMLError['code'], YAMLError['code']>> = {
    MULTILINE_IMPLICIT_KEY: 'BLOCK_AS_IMPLICIT_KEY',
    BLOCK_IN_FLOW: 'MULTILINE_IMPLICIT_KEY',
  }
  return `${causes[code]} ${pos[0]}`
}

/** Creates a function that finds the places of values; for an alias, those in its target. */
function createLocate(document: Document, lines: LineCounter, targets: NodeReader['targets']): Locate {
  const indexes = new Map<Node, ReadonlyMap<string, Pair<Node, Node | null>>>()
  const childOf = (node: Node | null, step: PropertyKey) => {
    if (isSeq<Node>(node)) return { key: undefined, value: node.items[Number(step)] }
    if (!isMap(node)) return undefined
    const pairs = node.items as Pair<Node, Node | null>[]
    const index =
      indexes.get(node) ??
      new Map(pairs.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]))
    indexes.set(node, index)
    return index.get(String(step))
  }
  return (path, part = 'value') => {
    let value = document.contents as Node | null
    let offset = value?.range?.[0]
    for (const [index, step] of path.entries()) {
      const found = childOf(value && (targets.get(value) ?? value), step)
      if (!found || found.value === undefined) break
      value = found.value
      // A missing value has no useful place, so its key is pointed at.
      const isNothing = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1])
      const wantsKey = part === 'key' && index === path.length - 1
      offset = (wantsKey || isNothing ? found.key : value)?.range?.[0] ?? value?.range?.[0] ?? offset
    }
    if (offset === undefined) return undefined
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}
