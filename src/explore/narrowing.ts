import { atATime } from './at-a-time.js'
import { type Changes, changesOf, countChanges, listChanges, within, without } from './changes.js'
import type { Judged, Trials } from './trials.js'

/** What is to be narrowed, and how. */
export interface Narrowing {
  readonly trials: Trials
  /** Runs at a time. */
  readonly jobs: number
  /** Told which sets of changes are about to be tried. */
  readonly onPlanned: (planned: readonly Changes[]) => void
}

/**
 * Finds what in sets of changes that break the command is enough to break it: first of all any two of them that
 * were never together in a run that passed, and where it is none of these, by leaving out one after another.
 * Gives all it has tried.
 */
export async function narrow(
  failed: readonly Judged[],
  passed: readonly Judged[],
  { trials, jobs, onPlanned }: Narrowing,
): Promise<Judged[]> {
  const suspects = pairsOf(failed).filter((pair) => !passed.some(({ changes }) => within(pair, changes)))
  onPlanned(suspects)
  const tried = await atATime(jobs, suspects, (pair) => trials.judge(pair))
  const broken = tried.filter(({ outcome }) => outcome === 'failed')
  const unexplained = failed.filter(({ changes }) => !broken.some((pair) => within(pair.changes, changes)))
  const shrunk = await atATime(jobs, unexplained, ({ changes }) =>
    shrink(changes, { trials, jobs, onPlanned }),
  )
  return [...tried, ...shrunk.flat()]
}

/** Leaves out one change after another for as long as the rest still breaks the command. */
async function shrink(whole: Changes, { trials, onPlanned }: Narrowing): Promise<Judged[]> {
  const tried: Judged[] = []
  let rest = whole
  for (const { gap } of listChanges(whole)) {
    const fewer = without(rest, gap)
    if (countChanges(fewer) < 2) break
    onPlanned([fewer])
    const judged = await trials.judge(fewer)
    tried.push(judged)
    if (judged.outcome === 'failed') rest = fewer
  }
  return tried
}

/** Any two changes that are together in one of the sets, each two once. */
function pairsOf(sets: readonly Judged[]): Changes[] {
  const pairs = sets.flatMap(({ changes }) => {
    const singles = listChanges(changes)
    return singles.flatMap((one, index) => singles.slice(index + 1).map((other) => changesOf([one, other])))
  })
  return pairs.filter((pair, index) => !pairs.slice(0, index).some((before) => within(pair, before)))
}
