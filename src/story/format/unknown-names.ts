import type { Path } from '../../base/mistake.js'
import { actionOf } from '../actions/actions.js'
import { namesInExpectation } from '../expectations/resolve.js'
import { noSuch, type ProblemAt } from '../problems/problem.js'

/** Returns the problems of unknown operations and gaps in a scenario, whose format may not have been checked. */
export function unknownNames(
  scenario: unknown,
  operations: readonly string[],
  gaps: readonly string[],
): ProblemAt[] {
  const { expect, timeline } = Object(scenario)
  const problems: ProblemAt[] = []
  const check = (what: string, name: unknown, known: readonly string[], ...path: Path): void => {
    // The format itself refuses anything but text.
    if (typeof name !== 'string' || name === '' || known.includes(name)) return
    problems.push({ path, part: 'value', message: () => noSuch(what, name, known) })
  }
  for (const [place, one] of entriesOf(expect)) {
    for (const { what, name, path } of namesInExpectation(one)) {
      check(what, name, what === 'gap' ? gaps : operations, 'expect', place, ...path)
    }
  }
  for (const [place, entry] of entriesOf(timeline)) {
    const { kind = '', action, value } = actionOf(entry) ?? {}
    for (const name of action?.operations ?? []) {
      check('operation', Object(value)[name], operations, 'timeline', place, kind, name)
    }
    check('operation', Object(entry.when).request, operations, 'timeline', place, 'when', 'request')
  }
  return problems
}

// biome-ignore lint/suspicious/noExplicitAny: the format has not been checked yet.
function entriesOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => one ?? {}).entries()] : []
}
