import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { counted } from '../../base/text.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import { RunError } from '../errors.js'
import type { ReplayReport } from '../replay/outcome.js'
import { numbered, type Report } from '../reports/report.js'
import { isFolder, readWholeFile } from '../reports/write-file.js'
import type { TrialRun, TrialsReport } from '../trials/trials.js'

/** The kept results of one or several plays of a story. */
export interface Results {
  /** The file or folder, as it was named. */
  readonly name: string
  readonly scenario: string
  readonly runs: readonly TrialRun[]
}

/** In how many pairs of trials something held before and after. */
interface Change {
  readonly pairs: number
  readonly before: number
  readonly after: number
}

/** What can be said of two results; `unclear` if chance explains the difference, `too-few` if there are too few pairs to say so. */
type Verdict = 'equal' | 'better' | 'worse' | 'unclear' | 'too-few'

/** From so many pairs on, the test can tell chance from change. */
const enoughPairs = 6

/**
 * Reads the results of `replay`: a folder that `--out` filled, or a report in JSON.
 * @throws RunError `no-results` that names the file and the remedy
 */
export async function readResults(name: string): Promise<Results> {
  const path = (await isFolder(name)) ? join(name, 'report.json') : name
  const text = await readWholeFile(path).catch((error: Error) => {
    throw new RunError('no-results', `${path}: ${error.message}; replay --out FOLDER/ writes results.`)
  })
  const report = Object(parseJson(text)) as Partial<TrialsReport & ReplayReport>
  const { format, version, scenario = '', runs = [{ trial: 1, ...report }] } = report
  const isKnown = format === 'agent-mailbox-sim/replay-report' && version === 1
  if (!isKnown || runs.some((run) => !Array.isArray(run.verdicts)))
    throw new RunError(
      'no-results',
      `${path} is no report of replay that this version reads; replay --out FOLDER/ writes one.`,
    )
  return { name, scenario, runs: runs as readonly TrialRun[] }
}

/** Whether something passed before and after a change: a trial, or an expectation in it. */
interface Both {
  readonly before: boolean
  readonly after: boolean
}

/** A trial of the same seed before and after, with the expectations that were judged in both. */
interface Pair extends Both, Pick<TrialRun, 'trial' | 'seed'> {
  readonly judged: readonly (Both & Pick<ExpectationResult, 'describe'> & { readonly name: string })[]
}

const outcomes: Readonly<Record<Verdict, string>> = {
  equal: 'is equal',
  better: 'got better',
  worse: 'got worse',
  unclear: 'shows no clear difference',
  'too-few': 'has too few pairs of trials to tell',
}

/** Compares the trials of two results. @throws RunError `no-results` if they cannot be compared */
function comparisonOf(before: Results, after: Results) {
  const refuse = (why: string): never => {
    throw new RunError('no-results', `${before.name} and ${after.name} ${why}`)
  }
  const { scenario } = after
  if (before.scenario !== scenario) refuse(`are about different stories: ${before.scenario} and ${scenario}.`)
  const pairs = pairsOf(before, after)
  if (pairs.length === 0)
    refuse('have no judged trial of the same seed; play both with the same --seed and --trials.')
  const all = pairs.flatMap(({ judged }) => judged)
  const expectations = [...new Set(all.map(({ name }) => name))].map((name) => {
    const own = all.filter((one) => one.name === name)
    return { name, describe: own[0]?.describe ?? name, ...changeOf(own) }
  })
  const flips = pairs.filter(isFlip)
  const worse = flips.filter((pair) => pair.before).length
  const better = flips.length - worse
  const first = pairs.find((pair) => [pair, ...pair.judged].some(isFlip))
  const counts = { ...changeOf(pairs), worse, better, p: signTest(worse, better) }
  return {
    ...{ format: 'agent-mailbox-sim/comparison', version: 1, scenario },
    verdict: first ? verdictOn(counts, expectations) : 'equal',
    ...{ ...counts, expectations, names: { before: before.name, after: after.name } },
    first_flip: first
      ? { trial: first.trial, seed: first.seed, at: first.judged.filter(isFlip).map(({ name }) => name) }
      : null,
    // Those that have none of the same seed, or were not judged in both results.
    unpaired: Math.max(before.runs.length, after.runs.length) - pairs.length,
  }
}

/** What has changed between two results. */
type Comparison = ReturnType<typeof comparisonOf>

/** Returns the verdict on results that differ. */
function verdictOn(
  counts: Change & Readonly<Record<'worse' | 'better' | 'p', number>>,
  expectations: readonly Change[],
): Verdict {
  const isLost = [counts, ...expectations].some((one) => one.before === one.pairs && one.after === 0)
  if (counts.pairs < enoughPairs) return isLost ? 'worse' : 'too-few'
  if (counts.p >= 0.05) return 'unclear'
  return counts.worse > counts.better ? 'worse' : 'better'
}

/**
 * Returns the chance that pairs flip at least as unevenly in one of the directions if both results are equally good: the
 * exact test of McNemar, which is a sign test of the pairs that flipped; two-sided.
 */
function signTest(worse: number, better: number): number {
  const flips = BigInt(worse + better)
  let [ways, sum] = [1n, 0n]
  for (let count = 0n; count <= Math.min(worse, better); count++) {
    sum += ways
    ways = (ways * (flips - count)) / (count + 1n)
  }
  // Both directions, of 2 ** flips ways in all.
  return Math.min(1, Number((sum << 54n) >> flips) / 2 ** 53)
}

/** Returns the trials of the same seed that were judged in both results; equal seeds are paired in their order. */
function pairsOf(before: Results, after: Results): Pair[] {
  const left = [...after.runs]
  return before.runs.flatMap((run): Pair[] => {
    const place = left.findIndex(({ seed }) => seed === run.seed)
    const [other] = place < 0 ? [] : left.splice(place, 1)
    if (!other || run.not_judged !== null || other.not_judged !== null) return []
    const former = named(run)
    const judged = named(other).flatMap(({ name, describe, passed }) => {
      const was = former.find((one) => one.name === name)
      return was ? { name, describe, before: was.passed, after: passed } : []
    })
    return [{ trial: other.trial, seed: run.seed, before: run.passed, after: other.passed, judged }]
  })
}

/** Returns the verdicts of a trial by their keys or descriptions; those with equal words are told apart by their order. */
function named({ verdicts }: TrialRun) {
  const names = numbered(verdicts.map(({ key, describe }) => key ?? describe))
  return verdicts.map((verdict, index) => ({ ...verdict, name: names[index] as string }))
}

function changeOf(all: readonly Both[]): Change {
  const [before, after] = [all.filter((one) => one.before), all.filter((one) => one.after)]
  return { pairs: all.length, before: before.length, after: after.length }
}

function isFlip({ before, after }: Both): boolean {
  return before !== after
}

/**
 * Compares two results of a story by their trials, of which those of the same seed are a pair: how often each expectation held, and
 * the first trial that flipped.
 * @throws RunError `no-results` if they are about different stories, or have no pair that was judged
 */
export function compareResults(before: Results, after: Results): Report & { readonly document: Comparison } {
  const comparison = comparisonOf(before, after)
  const { verdict, scenario, expectations, first_flip: flip, pairs, p, unpaired } = comparison
  const chance = pairs < enoughPairs ? '' : `, p = ${Number(p.toPrecision(2))}`
  const flipped = expectations.filter(({ name }) => flip?.at.includes(name)).map(({ describe }) => describe)
  return {
    document: comparison,
    name: `${scenario} compared`,
    passed: verdict !== 'worse' && verdict !== 'too-few',
    isUnclear: verdict === 'unclear' || verdict === 'too-few',
    headline: `${scenario} ${outcomes[verdict]}: ${formatChange(comparison)}${chance}`,
    paragraphs: [],
    table: {
      ...{ title: 'How often each expectation held', subject: 'expectation', columns: ['held'] },
      rows: expectations.map((one) => {
        const tone = one.after < one.before ? 'failed' : one.after > one.before ? 'passed' : 'none'
        return { name: one.describe, cells: [{ text: formatChange(one), tone }] }
      }),
    },
    about:
      flip === null
        ? undefined
        : `Trial ${flip.trial} (seed ${flip.seed}), the first that flipped: ${flipped.join(' ') || 'the command'}`,
    findings: [],
    notes: unpaired === 0 ? [] : [`${counted(unpaired, 'trial')} without a judged one of the same seed`],
    facts: [`${counted(pairs, 'pair')} of trials; exact McNemar test`],
    wallMs: 0,
  }
}

function formatChange({ before, after, pairs }: Change): string {
  return `${before} of ${pairs} → ${after} of ${pairs}`
}
