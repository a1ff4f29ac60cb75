import { type Document, isMap } from 'yaml'
import { keyOf } from './places.js'
import type { OffsetProblem } from './read-yaml.js'
import { unquotedTemplate } from './syntax-words.js'
import { nodesOf } from './yaml-nodes.js'

/** Templates at the start of an unquoted text: YAML has read a map within a map. */
export function templateProblems(document: Document, text: string): OffsetProblem[] {
  if (!text.includes('{{')) return []
  const problems: OffsetProblem[] = []
  for (const { node, path } of nodesOf(document)) {
    const offset = node.range?.[0] ?? 0
    if (isMap(node) && text.startsWith('{{', offset))
      problems.push({ offset, key: keyOf(path), message: unquotedTemplate })
  }
  return problems
}
