import type { Path } from '../../base/mistake.js'
import { actionOf } from '../actions/actions.js'
import { noSuch, type ProblemAt } from '../read/problem.js'

/** Returns the problems of unknown operations in a scenario, whose format may not have been checked. */
export function unknownNames(scenario: unknown, operations: readonly string[]): ProblemAt[] {
  const { expect, timeline } = Object(scenario)
  const problems: ProblemAt[] = []
  const check = (name: unknown, ...path: Path): void => {
    // The format itself refuses anything but text.
    if (typeof name !== 'string' || name === '' || operations.includes(name)) return
    problems.push({ path, part: 'value', message: () => noSuch('operation', name, operations) })
  }
  for (const [place, one] of entriesOf(expect)) check(Object(one).request, 'expect', place, 'request')
  for (const [place, entry] of entriesOf(timeline)) {
    const { kind = '', action, value } = actionOf(entry) ?? {}
    for (const name of action?.operations ?? []) {
      check(Object(value)[name], 'timeline', place, kind, name)
    }
    check(Object(entry.when).request, 'timeline', place, 'when', 'request')
  }
  return problems
}

// biome-ignore lint/suspicious/noExplicitAny: the format has not been checked yet.
function entriesOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => one ?? {}).entries()] : []
}
