import type { Path } from '../../base/mistake.js'
import { defaultAssumptions } from '../../contract/gaps.js'
import { type OwnGaps, withChoices } from '../../service/assumptions/assumptions.js'
import { AssumptionError } from '../../service/model/errors.js'
import type { ProblemAt } from '../read/problem.js'

/** Returns the problems of choices of assumptions, each at its gap. */
export function choiceProblems(
  choices: Readonly<Record<string, string>>,
  path: Path,
  own: OwnGaps | undefined,
): ProblemAt[] {
  return Object.entries(choices).flatMap(([gap, assumption]) => {
    try {
      withChoices(defaultAssumptions, { [gap]: assumption }, own)
      return []
    } catch (error) {
      return [assumptionProblem(error, [...path, gap])]
    }
  })
}

/** Returns the problem of a choice of assumptions; rethrows any other error. */
export function assumptionProblem(error: unknown, path: Path): ProblemAt {
  if (!(error instanceof AssumptionError)) throw error
  return { path, part: error.code === 'unknown-gap' ? 'key' : 'value', message: error.message }
}
