import type { Expectation } from '../../world/index.js'

/** Places of expectations in the file, each after those that it comes before or after. */
export function inOrderOfNeed(expectations: readonly Expectation[]): number[] {
  const begun = new Set<number>()
  const ordered: number[] = []
  const visit = (index: number): void => {
    if (begun.has(index)) return
    begun.add(index)
    for (const needed of neededBy(expectations[index])) visit(needed)
    ordered.push(index)
  }
  for (const index of expectations.keys()) visit(index)
  return ordered
}

/** Whether it matters when the state that an expectation is about comes about, and not only whether it lasts. */
export function isWatchedForState(expectations: readonly Expectation[], index: number): boolean {
  const expectation = expectations[index]
  if (!expectation || !('has' in expectation)) return false
  const { after, within } = expectation.window
  return after !== null || within !== null || expectations.some((one) => neededBy(one).includes(index))
}

/** Places of the expectations that one comes before or after. */
function neededBy(expectation: Expectation | undefined): number[] {
  if (!expectation || !('window' in expectation)) return []
  const { after, before } = expectation.window
  return [after, before].flatMap((mark) => (mark?.kind === 'expectation' ? [mark.expectation] : []))
}
