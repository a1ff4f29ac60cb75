import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'

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

/** What each alias of a document stands for: the nearest anchor of its name above it. */
export function aliasTargets(document: Document): ReadonlyMap<Alias, Node | undefined> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node | undefined>()
  for (const { node } of nodesOf(document)) {
    if (isAlias(node)) targets.set(node, anchors.get(node.source))
    else if ('anchor' in node && node.anchor) anchors.set(node.anchor as string, node)
  }
  return targets
}
