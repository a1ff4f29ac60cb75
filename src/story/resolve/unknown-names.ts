import { defaultReadings } from '../../contract/gaps.js'
import { type OwnGaps, ReadingError, withChoices } from '../../service/world/index.js'
import { noSuch, type Path, type ProblemAt } from '../problems/problem.js'

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
    check('operation', one.request, operations, 'expect', place, 'request')
    for (const [at, gap] of entriesOf(one.reliances))
      check('gap', gap, gaps, 'expect', place, 'reliances', at)
  }
  for (const [place, entry] of entriesOf(timeline)) {
    check('operation', Object(entry.fault).operation, operations, 'timeline', place, 'fault', 'operation')
    check('operation', Object(entry.when).request, operations, 'timeline', place, 'when', 'request')
  }
  return problems
}

// biome-ignore lint/suspicious/noExplicitAny: the format has not been checked yet.
function entriesOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => one ?? {}).entries()] : []
}

/** Returns the problems of choices of readings, each at its gap. */
export function choiceProblems(
  choices: Readonly<Record<string, string>>,
  path: Path,
  own: OwnGaps | undefined,
): ProblemAt[] {
  return Object.entries(choices).flatMap(([gap, reading]) => {
    try {
      withChoices(defaultReadings, { [gap]: reading }, own)
      return []
    } catch (error) {
      return [readingProblem(error, [...path, gap])]
    }
  })
}

/** Returns the problem of a choice of readings; rethrows any other error. */
export function readingProblem(error: unknown, path: Path): ProblemAt {
  if (!(error instanceof ReadingError)) throw error
  return { path, part: error.code === 'unknown-gap' ? 'key' : 'value', message: error.message }
}
