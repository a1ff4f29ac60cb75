import type { PlannedDisturbance } from './disturbance.js'
import type { Failure } from './judging.js'

/** What a play under a disturbance showed. */
export interface Tried {
  readonly failures: readonly Failure[]
  /** Whether somebody else than the mailbox was too busy, or failed, so that it shows nothing. */
  readonly isSpoiled: boolean
  /** The number of expectations by which it was judged. */
  readonly judgedBy: number
  readonly wallMs: number
}

/** A disturbance with its plays. */
export interface TriedPlan {
  readonly plan: PlannedDisturbance
  readonly results: readonly [Tried, ...Tried[]]
}

/** A failure, and the disturbances of a kind under which it occurs. */
export interface Suspect {
  readonly failure: Failure
  /** The disturbance that was repeated. */
  readonly main: TriedPlan
  /** Others with the same failure, which were not. */
  readonly also: readonly TriedPlan[]
}

/** Returns the failures that all plays of a disturbance have in common, as the first of them has them. */
export function commonFailures(results: readonly Tried[]): readonly Failure[] {
  const [first, ...others] = results
  return (first?.failures ?? []).filter(({ key }) => {
    return others.every(({ failures }) => failures.some((one) => one.key === key))
  })
}

/** Returns what a failure has in common with those it may be merged with: the kind and, for an assumption, its gap. */
export function causeOf({ kind, group }: PlannedDisturbance): string {
  return kind === 'assumptions' ? `${kind} ${group}` : kind
}

/**
 * Sorts tried disturbances, in their order, and merges those of a kind that fail in the same way; what did not fail each time, or
 * was not repeated, is unsure.
 */
export function sorted(tried: readonly TriedPlan[]) {
  const spoiled = tried.filter(({ results }) => results[0].isSpoiled)
  const judged = tried.filter((one) => !spoiled.includes(one))
  const passed = judged.filter(({ results }) => results[0].failures.length === 0)
  const failed = judged.filter((one) => !passed.includes(one))
  const suspects: (Suspect & { readonly also: TriedPlan[] })[] = []
  const likeOf = ({ plan, results }: TriedPlan) => {
    const common = commonFailures(results)
    return suspects.find(({ main, failure }) => {
      return causeOf(main.plan) === causeOf(plan) && common.some(({ key }) => key === failure.key)
    })
  }
  for (const one of failed) {
    const [failure] = commonFailures(one.results)
    const isRepeated = one.results.length > 1 && !one.results.some(({ isSpoiled }) => isSpoiled)
    if (failure && isRepeated && !likeOf(one)) suspects.push({ failure, main: one, also: [] })
  }
  // What was not repeated may fail in the way of one that ended later.
  const unsure = failed.filter((one) => {
    if (suspects.some(({ main }) => main === one)) return false
    const like = likeOf(one)
    like?.also.push(one)
    return !like
  })
  return { suspects, unsure, passed, spoiled }
}

/** The most plays by which a failure is made certain. */
const mostRepeats = 12

/**
 * Returns how often each failure has to occur, so that it is no accident: with so many disturbances, the probability that one of
 * them fails that often by accident is below 5 %. The rate of accidents is that of the plays in which no disturbance explains
 * a failure: those without one, and those of disturbances that are no suspects (Laplace's estimate).
 */
export function repeatsNeeded(
  disturbances: number,
  undisturbed: { readonly plays: number; readonly passed: number },
  { unsure, passed }: Pick<ReturnType<typeof sorted>, 'unsure' | 'passed'>,
): number {
  const results = [...unsure, ...passed].flatMap((one) => one.results.filter(({ isSpoiled }) => !isSpoiled))
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const plays = undisturbed.plays + results.length
  const rate = (undisturbed.plays - undisturbed.passed + failed + 1) / (plays + 2)
  for (let repeats = 2; repeats < mostRepeats; repeats++) {
    if (disturbances * rate ** repeats < 0.05) return repeats
  }
  return mostRepeats
}
