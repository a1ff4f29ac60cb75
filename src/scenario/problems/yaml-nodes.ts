import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'

/** A node of a document and where it stands in it. */
export interface FoundNode {
  readonly node: Node
  /** The keys and positions that lead to it; a key itself has the path of its value. */
  readonly path: readonly (string | number)[]
  /** The nodes it is in, the outermost first. */
  readonly ancestors: readonly Node[]
  readonly isKey: boolean
}

/** How deeply the lists and maps of a file may be nested. */
export const maxNesting = 100

/** Every node of a document in the order of the file, down to `maxNesting`. */
export function* nodesOf(document: Document): Generator<FoundNode> {
  const root = document.contents as Node | null
  if (root) yield* nodesIn({ node: root, path: [], ancestors: [], isKey: false })
}

function* nodesIn(found: FoundNode): Generator<FoundNode> {
  yield found
  const { node, path, ancestors } = found
  if (ancestors.length >= maxNesting) return
  const inside = [...ancestors, node]
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      if (item) yield* nodesIn({ node: item, path: [...path, index], ancestors: inside, isKey: false })
    }
  }
  if (!isMap(node)) return
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const own = isScalar(key) ? [...path, String(key.value)] : path
    yield* nodesIn({ node: key, path: own, ancestors: inside, isKey: true })
    if (value) yield* nodesIn({ node: value, path: own, ancestors: inside, isKey: false })
  }
}

/** What each alias of a document stands for. */
export type AliasTargets = ReadonlyMap<Node, Node | undefined>

/** What each alias of a document stands for: the nearest anchor of its name above it. */
export function aliasTargets(document: Document): AliasTargets {
  const anchors = new Map<string, Node>()
  const targets = new Map<Node, Node | undefined>()
  for (const { node } of nodesOf(document)) {
    if (isAlias(node)) targets.set(node, anchors.get(node.source))
    else if (node.anchor) anchors.set(node.anchor, node)
  }
  return targets
}

/**
 * What a document holds. An alias shares its value with its anchor. (The library would look through all of a
 * document for every alias in it.)
 */
export function contentOf(document: Document, targets: AliasTargets): unknown {
  const values = new Map<Node, unknown>()
  const convert = (node: Node | null | undefined): unknown => {
    if (!node) return null
    if (isAlias(node)) return convert(targets.get(node))
    if (isScalar(node)) return node.value
    if (!values.has(node))
      values.set(node, isSeq<Node>(node) ? node.items.map(convert) : mapOf(node, convert))
    return values.get(node)
  }
  return convert(document.contents as Node | null)
}

function mapOf(node: Node, convert: (child: Node | null) => unknown): object {
  const map = {}
  for (const { key, value } of isMap(node) ? (node.items as Pair<Node, Node | null>[]) : []) {
    // Not an assignment, because the key may be `__proto__`.
    const own = { value: convert(value), configurable: true, enumerable: true, writable: true }
    Object.defineProperty(map, String(isScalar(key) ? key.value : ''), own)
  }
  return map
}
