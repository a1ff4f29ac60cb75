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
import { keyOf, type Locate, type Path, type ScenarioProblem } from './problem.js'
import { explainSyntax, type SyntaxProblem, unquotedTemplate } from './syntax.js'

/** How deeply the lists and maps of a file may be nested. */
const maxNesting = 100
/** The number of values that the aliases of a file may repeat in all. */
const maxRepeated = 1_000_000
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
  const { value } = reader.read(document.contents as Node | null, [], 0)
  const place = ({ offset, key = '', message }: OffsetProblem): PlacedProblem => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, key, message }
  }
  const { misread, unresolved, excessive, brackets, targets } = reader
  const binary = text.indexOf('\0')
  const inText =
    binary < 0
      ? [...misread, ...syntaxProblems(document, text, brackets)]
      : [{ offset: binary, message: 'this is not UTF-8 text; save the file as UTF-8' }]
  const inNodes = unresolved.length > 0 ? unresolved : excessive.slice(0, 1)
  const problems = inText.length > 0 ? onePerLine(inText.map(place)) : inNodes.map(place)
  return {
    value: problems.length > 0 ? undefined : value,
    locate: createLocate(document, lines, targets),
    problems,
  }
}

/** Returns the first problem of each line: one mistake often causes several, and the first says most. */
function onePerLine(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byLine = new Map<number, PlacedProblem>()
  for (const problem of problems) if (!byLine.has(problem.line)) byLine.set(problem.line, problem)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

/** The value of a node with its aliases resolved, the number of values including itself, and their nesting depth. */
interface NodeContent {
  readonly value: unknown
  readonly size: number
  readonly depth: number
}

const nothing: NodeContent = { value: null, size: 0, depth: 0 }

const noAnchor =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" needs quotes around it'

/**
 * Reads the nodes of a document in the order of the file, and finds their problems. An alias shares its value with its
 * anchor. (The library would search the whole document for every alias.)
 */
class NodeReader {
  /** Duplicate keys, and unquoted templates. */
  readonly misread: OffsetProblem[] = []
  /** Aliases without an anchor, or within their own anchor. */
  readonly unresolved: OffsetProblem[] = []
  /** Nodes that are nested too deeply, and aliases that repeat too much. */
  readonly excessive: OffsetProblem[] = []
  /** The target of each alias: the nearest anchor of its name above it. */
  readonly targets = new Map<Node, Node>()
  /** Where lists and maps in brackets begin and end. */
  readonly brackets: (readonly number[])[] = []
  readonly #text: string
  readonly #lines: LineCounter
  readonly #anchors = new Map<string, Node>()
  /** The content of nodes with anchors that have been read. */
  readonly #contents = new Map<Node, NodeContent>()
  #repeated = 0

  constructor(text: string, lines: LineCounter) {
    this.#text = text
    this.#lines = lines
  }

  /** `level` is the number of nodes around it. */
  read(node: Node | null | undefined, path: Path, level: number): NodeContent {
    if (!node) return nothing
    if (level >= maxNesting) {
      const message = `lists and maps are nested more than ${maxNesting} deep here`
      this.excessive.push({ offset: offsetOf(node), key: keyOf(path.slice(0, 3)), message })
      return nothing
    }
    if (isAlias(node)) return this.#alias(node, path, level)
    if (node.anchor) this.#anchors.set(node.anchor, node)
    if (isCollection(node) && node.flow && node.range) this.brackets.push(node.range)
    let content: NodeContent = { value: isScalar(node) ? node.value : null, size: 1, depth: 1 }
    if (isSeq<Node>(node)) {
      const items = node.items.map((item, index) => this.read(item, [...path, index], level + 1))
      content = contentOf(
        items.map(({ value }) => value),
        items,
      )
    } else if (isMap<Node, Node | null>(node)) content = this.#map(node, path, level)
    if (node.anchor) this.#contents.set(node, content)
    return content
  }

  #map(node: YAMLMap<Node, Node | null>, path: Path, level: number): NodeContent {
    const offset = offsetOf(node)
    if (this.#text.startsWith('{{', offset)) {
      this.misread.push({ offset, key: keyOf(path), message: unquotedTemplate })
    }
    const map = {}
    const inside: NodeContent[] = []
    const first = new Map<string, number>()
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      const own = isScalar(key) ? [...path, name] : path
      const at = offsetOf(key)
      const before = first.get(name)
      if (isScalar(key) && before !== undefined) {
        const message = `appears twice; the first is on line ${this.#lines.linePos(before).line}`
        this.misread.push({ offset: at, key: keyOf(own), message })
      } else if (isScalar(key)) first.set(name, at)
      const content = this.read(value, own, level + 1)
      inside.push(this.read(key, own, level + 1), content)
      // Not an assignment, because the key may be `__proto__`.
      const property = { value: content.value, configurable: true, enumerable: true, writable: true }
      Object.defineProperty(map, name, property)
    }
    return contentOf(map, inside)
  }

  #alias(node: Alias, path: Path, level: number): NodeContent {
    const at = { offset: offsetOf(node), key: keyOf(path) }
    const target = this.#anchors.get(node.source)
    if (target) this.targets.set(node, target)
    const content = target && this.#contents.get(target)
    if (!content) {
      const message = target ? 'an alias refers to a value that contains it' : noAnchor
      this.unresolved.push({ ...at, message })
      return nothing
    }
    this.#repeated += content.size
    if (this.#repeated > maxRepeated) {
      this.excessive.push({ ...at, message: 'aliases repeat more than 1,000,000 values up to here' })
    } else if (level + content.depth > maxNesting) {
      const message = `with the value of this alias, lists and maps are nested more than ${maxNesting} deep`
      this.excessive.push({ ...at, message })
    }
    return content
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}

function contentOf(value: unknown, inside: readonly NodeContent[]): NodeContent {
  const size = inside.reduce((sum, child) => sum + child.size, 1)
  return { value, size, depth: 1 + inside.reduce((deepest, child) => Math.max(deepest, child.depth), 0) }
}

/** Explains the parser's errors, and its warnings of unknown tags; its other warnings are matters of taste. */
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
