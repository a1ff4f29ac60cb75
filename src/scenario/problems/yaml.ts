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
import { type FilePlace, keyOf, type Locate, type Path } from './problem.js'
import { explainSyntax, type SyntaxProblem, unquotedTemplate } from './syntax.js'

/** How deeply the lists and maps of a file may be nested. */
const maxNesting = 100
/** How many values the aliases of a file may repeat in all. */
const mostRepeated = 1_000_000
/** So many errors of the parser are explained; what follows from one is often hundreds. */
const mostExplained = 100

/** Something wrong with a file, and where. */
interface PlacedProblem extends FilePlace {
  /** The key at fault; empty where it is no single one. */
  readonly key: string
  readonly message: string
}

/** A problem at an offset, with the key it concerns, where it is one. */
interface OffsetProblem extends SyntaxProblem {
  readonly key?: string
}

/** What a file holds; with any problem, it holds nothing. */
export interface ReadYaml {
  readonly value: unknown
  readonly locate: Locate
  /** In the order of their places. */
  readonly problems: readonly PlacedProblem[]
}

/** Reads YAML 1.2 or JSON. Problems with its text are explained in the words of whoever writes such files. */
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
    // Found below, in one pass.
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
      : [{ offset: binary, message: 'this is no text in UTF-8; save the file as UTF-8' }]
  const inNodes = unresolved.length > 0 ? unresolved : excessive.slice(0, 1)
  const problems = inText.length > 0 ? onePerLine(inText.map(place)) : inNodes.map(place)
  return {
    value: problems.length > 0 ? undefined : value,
    locate: createLocate(document, lines, targets),
    problems,
  }
}

/** One mistake often has several consequences in its line, of which the first says most. */
function onePerLine(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byLine = new Map<number, PlacedProblem>()
  for (const problem of problems) if (!byLine.has(problem.line)) byLine.set(problem.line, problem)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

/** What a node holds, aliases replaced: how many values, itself included, and how deep they are nested. */
interface NodeContent {
  readonly value: unknown
  readonly size: number
  readonly depth: number
}

const nothing: NodeContent = { value: null, size: 0, depth: 0 }

const noAnchor =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" needs quotes around it'

/**
 * Reads the nodes of a document in the order of the file, and finds what is wrong with them. An alias shares its value
 * with its anchor. (The library would look through all of a document for every alias in it.)
 */
class NodeReader {
  /** Keys that stand twice, and unquoted templates. */
  readonly misread: OffsetProblem[] = []
  /** Aliases that stand for nothing, or for what they are part of. */
  readonly unresolved: OffsetProblem[] = []
  /** Nodes that are nested too deeply, and aliases that stand for more than anybody means. */
  readonly excessive: OffsetProblem[] = []
  /** What each alias stands for: the nearest anchor of its name above it. */
  readonly targets = new Map<Node, Node>()
  /** Where lists and maps in brackets begin and end. */
  readonly brackets: (readonly number[])[] = []
  readonly #text: string
  readonly #lines: LineCounter
  readonly #anchors = new Map<string, Node>()
  /** What nodes with anchors hold, once they have been read. */
  readonly #contents = new Map<Node, NodeContent>()
  #repeated = 0

  constructor(text: string, lines: LineCounter) {
    this.#text = text
    this.#lines = lines
  }

  /** `level` is how many nodes it is in. */
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
        const message = `stands here twice; the first is in line ${this.#lines.linePos(before).line}`
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
      const message = target ? 'an alias stands within what it stands for' : noAnchor
      this.unresolved.push({ ...at, message })
      return nothing
    }
    this.#repeated += content.size
    if (this.#repeated > mostRepeated) {
      this.excessive.push({ ...at, message: 'aliases repeat more than 1,000,000 values up to here' })
    } else if (level + content.depth > maxNesting) {
      const message = `with what it stands for, lists and maps are nested more than ${maxNesting} deep`
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
  return { value, size, depth: 1 + inside.reduce((most, child) => Math.max(most, child.depth), 0) }
}

/** Unknown tags are but warnings to the parser; so are matters of taste, which are let by. */
function syntaxProblems(
  { errors, warnings }: Document.Parsed,
  text: string,
  brackets: NodeReader['brackets'],
): SyntaxProblem[] {
  const tags = warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')
  const all = [...errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0]).slice(0, mostExplained)
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

/** What is wrong at a place whenever another thing seems to be. */
function causeOf({ code, pos }: YAMLError): string {
  const causes: Partial<Record<YAMLError['code'], YAMLError['code']>> = {
    MULTILINE_IMPLICIT_KEY: 'BLOCK_AS_IMPLICIT_KEY',
    BLOCK_IN_FLOW: 'MULTILINE_IMPLICIT_KEY',
  }
  return `${causes[code]} ${pos[0]}`
}

/** Finds the places of what a document holds; of an alias, those of what it stands for. */
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
      // A key with nothing after it has no place of its own worth pointing at.
      const isNothing = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1])
      const wantsKey = part === 'key' && index === path.length - 1
      offset = (wantsKey || isNothing ? found.key : value)?.range?.[0] ?? value?.range?.[0] ?? offset
    }
    if (offset === undefined) return undefined
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}
