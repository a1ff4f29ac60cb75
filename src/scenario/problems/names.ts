import { gapIds } from '../../contract/gaps.js'
import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { formatProblems } from './explain.js'
import { type Path, type ProblemAt, textOf } from './problem.js'

/** What is wrong with a name that is to be one of some: as the format says it of a list of values. */
export function nameProblems(name: unknown, known: readonly string[], path: Path): ProblemAt[] {
  if (known.some((one) => one === name)) return []
  const message = () => formatProblems(z.enum(known), name).map((problem) => textOf(problem.message))[0] ?? ''
  return [{ path, part: 'value', message }]
}

/**
 * Returns the names in a scenario, its format not yet checked, that are none of the interface: of operations, and of gaps.
 * Those of one with extensions are checked where the extensions are.
 */
export function undocumentedNames(scenario: unknown): ProblemAt[] {
  const { extend, expect, timeline } = Object(scenario)
  if (extend !== undefined) return []
  const problems: ProblemAt[] = []
  const check = (name: unknown, known: readonly string[], ...path: Path): void => {
    // What is no text the format refuses itself.
    if (typeof name === 'string' && name !== '') problems.push(...nameProblems(name, known, path))
  }
  for (const [place, one] of listOf(expect)) {
    check(one.request, operationNames, 'expect', place, 'request')
    for (const [at, gap] of listOf(one.reliances)) check(gap, gapIds, 'expect', place, 'reliances', at)
  }
  for (const [place, entry] of listOf(timeline)) {
    check(Object(entry.fault).operation, operationNames, 'timeline', place, 'fault', 'operation')
    check(Object(entry.when).request, operationNames, 'timeline', place, 'when', 'request')
  }
  return problems
}

// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it yet.
function listOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => (one === null ? {} : one)).entries()] : []
}
