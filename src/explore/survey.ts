import { atATime } from './at-a-time.js'
import { firstChanges, furtherChanges, type Ground, type WantedGaps } from './candidates.js'
import {
  type Changes,
  changesOf,
  countChanges,
  formatChange,
  formatChanges,
  listChanges,
  within,
} from './changes.js'
import { coveringSet } from './covering-set.js'
import { narrow } from './narrowing.js'
import type { RunTrial, Trial } from './trial.js'
import { type Judged, Trials } from './trials.js'

/** What is surveyed, and how. */
export interface SurveyOptions {
  readonly gaps: WantedGaps
  readonly ground: Ground
  /** Whether changes that break nothing by themselves are tried together as well. */
  readonly pairs: boolean
  /** Runs at a time. */
  readonly jobs: number
  /** Told of runs that are to come: the control run, which has no changes, and one for each of these. */
  readonly onPlanned: (planned: readonly Changes[]) => void
}

/**
 * Why changes were tried. `reading`: one other reading. `further`: one that matters only under another change, with
 * that. `pairs`: one of a set in which any two come together. `narrowing`: to find what of those it is that breaks.
 */
export type TryKind = 'reading' | 'further' | 'pairs' | 'narrowing'

/** Some changes, why they were tried, and what came of it. */
export interface Try extends Judged {
  readonly kind: TryKind
}

/** What a survey found. */
export interface Findings {
  /** The first run again. */
  readonly control: Trial
  /** Everything that was tried, in an order that is always the same. */
  readonly tries: readonly Try[]
}

/**
 * Tries the command under other readings than the first run was under: one at a time, then those that come up only
 * under another one, then, where it is wanted, several together.
 */
export async function survey(run: RunTrial, first: Trial, options: SurveyOptions): Promise<Findings> {
  const trials = new Trials(run)
  const singles = firstChanges(first.relied, options.gaps, options.ground)
  options.onPlanned([{}, ...singles.map((change) => changesOf([change]))])
  // The control run comes first, since whatever fails waits to hear whether the command is steady by itself.
  const [, ...judged] = await atATime(options.jobs, [undefined, ...singles], async (change) => {
    return change ? trials.judge(changesOf([change])) : void (await trials.control())
  })
  const alone = judged.filter((one) => one !== undefined)
  const further = await followUp(trials, first, alone, options)
  const tries = [...ofKind('reading', alone), ...ofKind('further', further)]
  const together = options.pairs ? await tryTogether(trials, first, tries, options) : []
  return { control: await trials.control(), tries: once([...tries, ...together]) }
}

/** Follows what comes up only under a change, level by level, so that the order of runs decides nothing. */
async function followUp(
  trials: Trials,
  first: Trial,
  alone: readonly Judged[],
  { gaps, jobs, onPlanned }: SurveyOptions,
): Promise<Judged[]> {
  const relied = [...first.relied.values()]
  const known = new Set(
    relied.flatMap(({ gap, instead }) => instead.map((reading) => formatChange({ gap, reading }))),
  )
  const found: Judged[] = []
  for (let level = alone; level.length > 0; ) {
    const next = furtherChanges(level, known, gaps)
    onPlanned(next)
    level = await atATime(jobs, next, (changes) => trials.judge(changes))
    found.push(...level)
  }
  return found
}

/** Tries changes together that the command relied on and that broke nothing by themselves. */
async function tryTogether(
  trials: Trials,
  first: Trial,
  tries: readonly Try[],
  { jobs, onPlanned }: SurveyOptions,
): Promise<Try[]> {
  const harmless = tries.filter(({ kind, outcome }) => kind === 'reading' && outcome === 'passed')
  const singles = harmless.flatMap(({ changes }) => listChanges(changes))
  const relied = singles.filter(({ gap, reading }) => first.relied.get(gap)?.instead.includes(reading))
  const rows = await coveringSet(relied)
  onPlanned(rows)
  const judged = await atATime(jobs, rows, (changes) => trials.judge(changes))
  const failed = judged.filter(({ outcome }) => outcome === 'failed')
  const passed = [...tries, ...judged].filter(({ outcome }) => outcome === 'passed')
  const narrowed = await narrow(failed, passed, { trials, jobs, onPlanned })
  return [...ofKind('pairs', judged), ...ofKind('narrowing', narrowed)]
}

/**
 * The smallest sets of changes that break the command: those in which no other that does is contained. Those of one
 * change come first.
 */
export function smallestBreaks(tries: readonly Try[]): Try[] {
  const failed = tries.filter(({ outcome }) => outcome === 'failed')
  const least = failed.filter(({ changes }) => {
    return failed.every((other) => other.changes === changes || !within(other.changes, changes))
  })
  return least.toSorted((one, other) => countChanges(one.changes) - countChanges(other.changes))
}

function ofKind(kind: TryKind, judged: readonly Judged[]): Try[] {
  return judged.map((one) => ({ ...one, kind }))
}

/** Each set of changes once, where it came first. */
function once(tries: readonly Try[]): Try[] {
  const keys = tries.map(({ changes }) => formatChanges(changes))
  return tries.filter((_, index) => keys.indexOf(keys[index] as string) === index)
}
