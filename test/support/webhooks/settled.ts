import { type Assumptions, assumptionsOf, type GapId } from '../../../src/contract/gaps.js'
import {
  type AssumptionChoices,
  profileAssumptions,
  withChoices,
} from '../../../src/service/assumptions/assumptions.js'
import { createSettle, type Settle } from '../../../src/service/assumptions/settle.js'

/** Returns the default assumptions with some changes. */
export function assumptionsWith(choices: AssumptionChoices = {}): Assumptions {
  return withChoices(profileAssumptions('default'), choices)
}

/** Returns the result of a function under some assumptions, with the other assumptions that it notes. */
export function settled<Result>(
  choices: AssumptionChoices,
  perform: (settle: Settle) => Result,
): { result: Result; noted: Record<string, readonly string[]> } {
  const noted: Record<string, readonly string[]> = {}
  const settle = createSettle(assumptionsWith(choices), ({ gap, instead }) => {
    noted[gap] = [...new Set([...(noted[gap] ?? []), ...instead])].toSorted()
  })
  return { result: perform(settle), noted }
}

/** Finds the assumptions of some gaps that change the result of a function by trying each. */
export function found(
  gaps: readonly GapId[],
  choices: AssumptionChoices,
  perform: (settle: Settle) => unknown,
): Record<string, readonly string[]> {
  const assumptions = assumptionsWith(choices)
  const outcome = (changed: AssumptionChoices) =>
    JSON.stringify([settled({ ...choices, ...changed }, perform).result])
  const here = outcome({})
  const others = gaps.map((gap) => {
    const names = assumptionsOf(gap).map(({ name }) => name)
    const instead = names.filter((name) => name !== assumptions[gap] && outcome({ [gap]: name }) !== here)
    return [gap, instead.toSorted()] as const
  })
  return Object.fromEntries(others.filter(([, instead]) => instead.length > 0))
}
