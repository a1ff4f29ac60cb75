import { type GapId, type Readings, readingsOf } from '../../../src/contract/gaps.js'
import { profileReadings, type ReadingChoices, withChoices } from '../../../src/service/readings/readings.js'
import { createSettle, type Settle } from '../../../src/service/readings/settle.js'

/** Returns the default readings with some changes. */
export function readingsWith(choices: ReadingChoices = {}): Readings {
  return withChoices(profileReadings('default'), choices)
}

/** Returns the result of a function under some readings, with the other readings that it notes. */
export function settled<Result>(
  choices: ReadingChoices,
  perform: (settle: Settle) => Result,
): { result: Result; noted: Record<string, readonly string[]> } {
  const noted: Record<string, readonly string[]> = {}
  const settle = createSettle(readingsWith(choices), ({ gap, instead }) => {
    noted[gap] = [...new Set([...(noted[gap] ?? []), ...instead])].toSorted()
  })
  return { result: perform(settle), noted }
}

/** Finds the readings of some gaps that change the result of a function by trying each. */
export function found(
  gaps: readonly GapId[],
  choices: ReadingChoices,
  perform: (settle: Settle) => unknown,
): Record<string, readonly string[]> {
  const readings = readingsWith(choices)
  const outcome = (changed: ReadingChoices) =>
    JSON.stringify([settled({ ...choices, ...changed }, perform).result])
  const here = outcome({})
  const others = gaps.map((gap) => {
    const names = readingsOf(gap).map(({ name }) => name)
    const instead = names.filter((name) => name !== readings[gap] && outcome({ [gap]: name }) !== here)
    return [gap, instead.toSorted()] as const
  })
  return Object.fromEntries(others.filter(([, instead]) => instead.length > 0))
}
