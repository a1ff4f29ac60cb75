import type { Path } from '../../base/index.js'
import { defaultReadings } from '../../contract/index.js'
import { ReadingError } from '../../service/model/index.js'
import { type OwnGaps, withChoices } from '../../service/readings/index.js'
import type { ProblemAt } from '../problems/index.js'

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
