import {
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
  const targets = text.includes('*') ? aliasTargets(document) : new Map<Node, Node | undefined>()
  const problems = problemsOf(document, { text, lines, targets })
  const value = problems.length > 0 ? undefined : contentOf(document, targets)
  return { value, locate: createLocate(document, lines, targets), problems }
}

type AliasTargets = ReadonlyMap<Node, Node | undefined>

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
  const { misread, nested } = problemsInNodes(document, { text, lines, targets })
  const found = onePerLine([...misread, ...syntaxProblems(document, text)].map(place))
  if (found.length > 0) return found
  return [...nested, ...aliasProblems(document, targets)].map(place)
}

/** One mistake often has several consequences in its line, of which the first says most. */
function onePerLine(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const byLine = new Map<number, PlacedProblem>()
  for (const problem of problems) if (!byLine.has(problem.line)) byLine.set(problem.line, problem)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

interface FoundNode {
  readonly node: Node
  /** The keys and positions that lead to it; a key itself has the path of its value. */
  readonly path: Path
  /** The nodes it is in, the outermost first. */
  readonly ancestors: readonly Node[]
}

/** Every node of a document in the order of the file, down to `maxNesting`. */
function* nodesOf(document: Document): Generator<FoundNode> {
  const root = document.contents as Node | null
  if (root) yield* nodesIn({ node: root, path: [], ancestors: [] })
}

function* nodesIn(found: FoundNode): Generator<FoundNode> {
  yield found
  const { node, path, ancestors } = found
  if (ancestors.length >= maxNesting) return
  const inside = [...ancestors, node]
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      if (item) yield* nodesIn({ node: item, path: [...path, index], ancestors: inside })
    }
  }
  for (const { key, value } of pairsOf(node)) {
    const own = isScalar(key) ? [...path, String(key.value)] : path
    yield* nodesIn({ node: key, path: own, ancestors: inside })
    if (value) yield* nodesIn({ node: value, path: own, ancestors: inside })
  }
}

function pairsOf(node: Node): readonly Pair<Node, Node | null>[] {
  return isMap(node) ? (node.items as Pair<Node, Node | null>[]) : []
}

/** What is wrong with single nodes: keys that stand twice, unquoted templates; and nodes nested too deeply. */
function problemsInNodes(
  document: Document,
  { text, lines }: Source,
): { misread: readonly OffsetProblem[]; nested: readonly OffsetProblem[] } {
  const misread: OffsetProblem[] = []
  const nested: OffsetProblem[] = []
  for (const { node, path, ancestors } of nodesOf(document)) {
    const offset = node.range?.[0] ?? 0
    if (isMap(node) && text.startsWith('{{', offset)) {
      misread.push({ offset, key: keyOf(path), message: unquotedTemplate })
    }
    if (ancestors.length >= maxNesting && nested.length === 0) {
      const message = `lists and maps are nested more than ${maxNesting} deep here`
      nested.push({ offset, key: keyOf(path.slice(0, 3)), message })
    }
    const first = new Map<unknown, number>()
    for (const { key } of pairsOf(node)) {
      const at = key?.range?.[0] ?? 0
      if (!isScalar(key)) continue
      const { line } = lines.linePos(first.get(key.value) ?? at)
      const message = `stands here twice; the first is in line ${line}`
      if (first.has(key.value))
        misread.push({ offset: at, key: keyOf([...path, String(key.value)]), message })
      else first.set(key.value, at)
    }
  }
  return { misread, nested }
}

/** Unknown tags are but warnings to the parser; so are matters of taste, which are let by. */
function syntaxProblems(document: Document.Parsed, text: string): SyntaxProblem[] {
  const { errors, warnings } = document
  const tags = warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE')
  const all = [...errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0]).slice(0, mostExplained)
  if (all.length === 0) return []
  const reported = new Set(all.map(({ code, pos }) => `${code} ${pos[0]}`))
  const brackets: (readonly number[])[] = []
  for (const { node } of nodesOf(document)) {
    if (isCollection(node) && node.flow && node.range) brackets.push(node.range)
  }
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

/** Finds what each alias of a document stands for: the nearest anchor of its name above it. */
function aliasTargets(document: Document): AliasTargets {
  const anchors = new Map<string, Node>()
  const targets = new Map<Node, Node | undefined>()
  for (const { node } of nodesOf(document)) {
    if (isAlias(node)) targets.set(node, anchors.get(node.source))
    else if (node.anchor) anchors.set(node.anchor, node)
  }
  return targets
}

const unresolved =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" needs quotes around it'

/** Aliases that stand for nothing, for what they are part of, or for more than anybody means. */
function aliasProblems(document: Document, targets: AliasTargets): OffsetProblem[] {
  if (targets.size === 0) return []
  const aliases = [...nodesOf(document)].filter(({ node }) => isAlias(node))
  const at = ({ node, path }: FoundNode, message: string): OffsetProblem => {
    return { offset: node.range?.[0] ?? 0, key: keyOf(path), message }
  }
  const wrong = aliases.flatMap((alias) => {
    const target = targets.get(alias.node)
    if (!target) return at(alias, unresolved)
    return alias.ancestors.includes(target) ? at(alias, 'an alias stands within what it stands for') : []
  })
  if (wrong.length > 0) return wrong
  const extents = new Map<Node, Extent>()
  let repeated = 0
  for (const alias of aliases) {
    const { size, depth } = extentOf(alias.node, targets, extents)
    repeated += size
    if (repeated > mostRepeated) return [at(alias, 'aliases repeat more than 1,000,000 values up to here')]
    if (alias.ancestors.length + depth > maxNesting) {
      return [at(alias, `with what it stands for, lists and maps are nested more than ${maxNesting} deep`)]
    }
  }
  return []
}

/** How many values a node holds, itself included, and how deep they are nested. */
interface Extent {
  readonly size: number
  readonly depth: number
}

/** The extent with all aliases replaced; as they look back, what they stand for is mostly known. */
function extentOf(node: Node, targets: AliasTargets, known: Map<Node, Extent>): Extent {
  const extent = known.get(node)
  if (extent) return extent
  const target = targets.get(node)
  const items = isSeq<Node>(node)
    ? node.items
    : pairsOf(node).flatMap(({ key, value }) => [key, value ?? []].flat())
  const inside = (target ? [target] : items).map((child) => extentOf(child, targets, known))
  const own = target ? 0 : 1
  const size = inside.reduce((sum, child) => sum + child.size, own)
  const depth = inside.reduce((most, child) => Math.max(most, child.depth), 0) + own
  known.set(node, { size, depth })
  return { size, depth }
}

/**
 * Converts a document to the values it holds. An alias shares its value with its anchor. (The library would look
 * through all of a document for every alias in it.)
 */
function contentOf(document: Document, targets: AliasTargets): unknown {
  const values = new Map<Node, unknown>()
  const convert = (node: Node | null | undefined): unknown => {
    if (!node) return null
    if (isAlias(node)) return convert(targets.get(node))
    if (isScalar(node)) return node.value
    if (!values.has(node)) values.set(node, isSeq<Node>(node) ? node.items.map(convert) : mapOf(node))
    return values.get(node)
  }
  const mapOf = (node: Node): object => {
    const map = {}
    for (const { key, value } of pairsOf(node)) {
      // Not an assignment, because the key may be `__proto__`.
      const own = { value: convert(value), configurable: true, enumerable: true, writable: true }
      Object.defineProperty(map, String(isScalar(key) ? key.value : ''), own)
    }
    return map
  }
  return convert(document.contents as Node | null)
}

/** Finds the places of what a document holds; of an alias, those of what it stands for. */
function createLocate(document: Document, lines: LineCounter, targets: AliasTargets): Locate {
  const indexes = new Map<Node, ReadonlyMap<string, Pair<Node, Node | null>>>()
  const childOf = (node: Node | null, step: PropertyKey) => {
    if (isSeq<Node>(node)) return { key: undefined, value: node.items[Number(step)] }
    if (!isMap(node)) return undefined
    const index = indexes.get(node) ?? indexOf(node)
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

function indexOf(map: Node): ReadonlyMap<string, Pair<Node, Node | null>> {
  return new Map(pairsOf(map).map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]))
}
