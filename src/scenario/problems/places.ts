import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml'
import type { AliasTargets } from './yaml-nodes.js'

/** The keys and positions that lead to a part of a file, e.g. `['identities', 0, 'handle']`. */
export type Path = readonly PropertyKey[]

/** A place in a file; both count from 1, columns in UTF-16 code units. */
export interface FilePlace {
  readonly line: number
  readonly column: number
}

/**
 * Where a value of a file stands, or its key; what is missing stands where its parent does. Undefined where
 * there is no file.
 */
export type Locate = (path: Path, part?: 'key' | 'value') => FilePlace | undefined

/** `['identities', 0, 'handle']` → `identities[0].handle`, in one line whatever the keys are. */
export function keyOf(path: Path): string {
  return path.map((step, index) => stepOf(step, index === 0)).join('')
}

function stepOf(step: PropertyKey, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  const name = String(step)
  if (!/^[^\s"[\]\p{C}]+$/u.test(name)) return `[${JSON.stringify(shorten(name))}]`
  return `${first ? '' : '.'}${shorten(name)}`
}

/** A text in one line, of at most 40 characters. */
export function shorten(text: string): string {
  const line = text.trim().replace(/[\s\p{C}]+/gu, ' ')
  const letters = [...line]
  return letters.length <= 40 ? line : `${letters.slice(0, 39).join('')}…`
}

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
