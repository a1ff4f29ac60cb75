import { keyOf, type Locate, type Path } from './places.js'
import { ScenarioError, type ScenarioProblem } from './scenario-error.js'

/** Something wrong with a part of a scenario. */
export interface ProblemAt {
  readonly path: Path
  /** Where it stands, if that is not the place of the path. */
  readonly place?: Path
  /** Whether the key itself is wrong; the value otherwise. */
  readonly part?: 'key' | 'value'
  readonly message: string
}

/** The error for a scenario that does not hold: every problem once, in the order of the file. */
export function refusal(source: string, locate: Locate, problems: readonly ProblemAt[]): ScenarioError {
  const placed = problems.map(({ path, place = path, part, message }): ScenarioProblem => {
    return { ...locate(place, part), key: keyOf(path), message }
  })
  const told = new Map(placed.map((problem) => [JSON.stringify(problem), problem]))
  const sorted = [...told.values()].sort((a, b) => {
    return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
  })
  return new ScenarioError('invalid', source, sorted)
}

/** Problems found later, without those of parts in which something has been found already: it is the same. */
export function furtherProblems(later: readonly ProblemAt[], found: readonly ProblemAt[]): ProblemAt[] {
  return later.filter(({ path }) => !found.some((earlier) => isWithin(earlier.path, path)))
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => path[index] === step)
}
