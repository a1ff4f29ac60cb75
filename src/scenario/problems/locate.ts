import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml'
import type { Locate, Path } from './places.js'
import type { AliasTargets } from './yaml-nodes.js'

/** Finds the places of what a document holds; of an alias, those of what it stands for. */
export function createLocate(
  document: Document,
  lines: LineCounter,
  targets: AliasTargets = new Map(),
): Locate {
  return (path, part = 'value') => {
    const offset = offsetOf(document.contents as Node | null, path, part, targets)
    if (offset === undefined) return undefined
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

function offsetOf(
  root: Node | null,
  path: Path,
  part: 'key' | 'value',
  targets: AliasTargets,
): number | undefined {
  let value = root
  let offset = value?.range?.[0]
  for (const [index, step] of path.entries()) {
    const found = childOf(value && (targets.get(value) ?? value), step)
    if (!found) return offset
    value = found.value
    const wantsKey = part === 'key' && index === path.length - 1
    offset = (wantsKey || isNothing(value) ? found.key : value)?.range?.[0] ?? value?.range?.[0] ?? offset
  }
  return offset
}

interface Child {
  readonly key: Node | undefined
  readonly value: Node | null
}

function childOf(node: Node | null, step: PropertyKey): Child | undefined {
  if (isSeq<Node>(node)) {
    const item = node.items[Number(step)]
    return item && { key: undefined, value: item }
  }
  if (!isMap(node)) return undefined
  const pairs = node.items as Pair<Node, Node | null>[]
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === String(step))
  return pair && { key: pair.key, value: pair.value }
}

/** A key with nothing after it has no place of its own worth pointing at. */
function isNothing(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1])
}
