import { type Document, isAlias, isMap, isSeq, type Node, type Pair } from 'yaml'
import { keyOf } from './places.js'
import type { OffsetProblem } from './read-yaml.js'
import { aliasTargets, type FoundNode, nodesOf } from './yaml-nodes.js'

/** How many aliases a file may have, and how many values they may repeat in all. */
const mostAliases = 10_000
const mostRepeated = 1_000_000

/** Aliases that stand for nothing, for what they are part of, or for more than anybody means. */
export function aliasProblems(document: Document, text: string): OffsetProblem[] {
  if (!text.includes('*')) return []
  const aliases = [...nodesOf(document)].filter(({ node }) => isAlias(node))
  if (aliases.length > mostAliases)
    return [at(aliases[mostAliases], 'expected 10,000 aliases at most in a file')]
  const targets = aliasTargets(document)
  const targetOf = (node: Node) => (isAlias(node) ? targets.get(node) : undefined)
  const wrong = aliases.flatMap((alias) => {
    const target = targetOf(alias.node)
    if (!target) return at(alias, unresolved)
    return alias.ancestors.includes(target) ? at(alias, 'an alias stands within what it stands for') : []
  })
  return wrong.length > 0 ? wrong : tooMuchRepeated(aliases, targetOf)
}

const unresolved =
  'an alias needs its anchor ("&" and the same name) above it; a text that begins with "*" wants quotes around it'

function tooMuchRepeated(
  aliases: readonly FoundNode[],
  targetOf: (node: Node) => Node | undefined,
): OffsetProblem[] {
  const sizes = new Map<Node, number>()
  const sizeOf = (node: Node): number => {
    const known = sizes.get(node)
    if (known !== undefined) return known
    const target = targetOf(node)
    const size = target ? sizeOf(target) : 1 + childrenOf(node).reduce((sum, child) => sum + sizeOf(child), 0)
    sizes.set(node, size)
    return size
  }
  let repeated = 0
  for (const alias of aliases) {
    repeated += sizeOf(alias.node)
    if (repeated > mostRepeated) return [at(alias, 'aliases repeat more than 1,000,000 values up to here')]
  }
  return []
}

function childrenOf(node: Node): Node[] {
  if (isSeq<Node>(node)) return node.items
  if (!isMap(node)) return []
  return (node.items as Pair<Node, Node | null>[]).flatMap(({ key, value }) => (value ? [key, value] : [key]))
}

function at(found: FoundNode | undefined, message: string): OffsetProblem {
  return { offset: found?.node.range?.[0] ?? 0, key: keyOf(found?.path ?? []), message }
}
