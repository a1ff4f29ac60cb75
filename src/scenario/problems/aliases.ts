import { type Document, isAlias, isMap, isSeq, type Node, type Pair } from 'yaml'
import { keyOf } from './places.js'
import type { OffsetProblem } from './read-yaml.js'
import { type AliasTargets, type FoundNode, maxNesting, nodesOf } from './yaml-nodes.js'

/** How many values the aliases of a file may repeat in all. */
const mostRepeated = 1_000_000

/** Aliases that stand for nothing, for what they are part of, or for more than anybody means. */
export function aliasProblems(document: Document, targets: AliasTargets): OffsetProblem[] {
  if (targets.size === 0) return []
  const aliases = [...nodesOf(document)].filter(({ node }) => isAlias(node))
  const wrong = aliases.flatMap((alias) => {
    const target = targets.get(alias.node)
    if (!target) return at(alias, unresolved)
    return alias.ancestors.includes(target) ? at(alias, 'an alias stands within what it stands for') : []
  })
  return wrong.length > 0 ? wrong : tooMuchRepeated(aliases, targets)
}

const unresolved =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" needs quotes around it'

function tooMuchRepeated(aliases: readonly FoundNode[], targets: AliasTargets): OffsetProblem[] {
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
  const inside = (target ? [target] : childrenOf(node)).map((child) => extentOf(child, targets, known))
  const own = target ? 0 : 1
  const size = inside.reduce((sum, child) => sum + child.size, own)
  const depth = inside.reduce((most, child) => Math.max(most, child.depth), 0) + own
  known.set(node, { size, depth })
  return { size, depth }
}

function childrenOf(node: Node): Node[] {
  if (isSeq<Node>(node)) return node.items
  if (!isMap(node)) return []
  return (node.items as Pair<Node, Node | null>[]).flatMap(({ key, value }) => (value ? [key, value] : [key]))
}

function at({ node, path }: FoundNode, message: string): OffsetProblem {
  return { offset: node.range?.[0] ?? 0, key: keyOf(path), message }
}
