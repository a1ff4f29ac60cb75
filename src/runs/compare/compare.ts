import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { counted } from '../../base/text.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import { RunError } from '../errors.js'
import type { ReplayReport } from '../replay/outcome.js'
import { numbered, type Report } from '../reports/report.js'
import { isFolder } from '../reports/write-file.js'
import type { TrialRun, TrialsReport } from '../trials/trials-report.js'

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

/** What has changed between two results of the same story. */
interface Comparison extends Change {
  readonly format: 'agent-mailbox-sim/comparison'
  readonly version: 1
  readonly scenario: string
  /** `unclear` if chance explains the difference; `too-few` if there are too few pairs to say so. */
  readonly verdict: 'equal' | 'better' | 'worse' | 'unclear' | 'too-few'
  readonly names: { readonly before: string; readonly after: string }
  /** The number of trials that passed only before, and only after. */
  readonly worse: number
  readonly better: number
  /** The chance of flips as uneven as these if nothing has changed. */
  readonly p: number
  /** `name` is its key, or else its description. */
  readonly expectations: readonly (Change & { readonly name: string; readonly describe: string })[]
  /** The first trial in which anything differs, and the names of the expectations that do; null if there is none. */
  readonly first_flip: {
    readonly trial: number
    readonly seed: number
    readonly at: readonly string[]
  } | null
  /** The number of trials that have none of the same seed, or were not judged in both results. */
  readonly unpaired: number
}

/** From so many pairs on, the test can tell chance from change. */
const enoughPairs = 6

/**
 * Reads the results of `replay`: a folder that `--out` filled, or a report in JSON.
 * @throws RunError `no-results` that names the file and the remedy
 */
export async function readResults(name: string): Promise<Results> {
  const path = (await isFolder(name)) ? join(name, 'report.json') : name
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new RunError('no-results', `${path}: ${why}; replay --out FOLDER/ writes results.`)
  })
  const report = Object(parseJson(text)) as Partial<TrialsReport & ReplayReport>
  const { format, version = 1, scenario = '', runs = [{ trial: 1, ...report }] } = report
  const refuse = (why: string): never => {
    throw new RunError('no-results', `${path} ${why}`)
  }
  if (format !== 'agent-mailbox-sim/replay-report' || runs.some((run) => !Array.isArray(run.verdicts)))
    refuse('is no JSON report of replay --trials; replay --out FOLDER/ writes one.')
  if (version > 1) refuse('was written by a later version of agent-mailbox-sim; update this one to read it.')
  return { name, scenario, runs: runs as readonly TrialRun[] }
}

/** Something that passes or not before and after a change: a trial, or an expectation in it. */
interface Both<Result extends { readonly passed: boolean } = { readonly passed: boolean }> {
  readonly before: Result
  readonly after: Result
}

/** A trial of the same seed before and after, with the expectations that were judged in both, by their names. */
interface Pair extends Both<TrialRun> {
  readonly judged: ReadonlyMap<string, Both<ExpectationResult>>
}

const outcomes: Readonly<Record<Comparison['verdict'], string>> = {
  equal: 'is equal',
  better: 'got better',
  worse: 'got worse',
  unclear: 'shows no clear difference',
  'too-few': 'has too few pairs of trials to tell',
}

/**
 * Compares two results of a story by their trials, of which those of the same seed are a pair: how often each expectation held, and
 * the first trial that flipped.
 * @throws RunError `no-results` if they are about different stories, or have no pair that was judged
 */
export function compareResults(before: Results, after: Results): ReturnType<typeof reportOf> {
  const refuse = (why: string): never => {
    throw new RunError('no-results', `${before.name} and ${after.name} ${why}`)
  }
  const { scenario } = after
  if (before.scenario !== scenario) refuse(`are about different stories: ${before.scenario} and ${scenario}.`)
  const pairs = pairsOf(before, after)
  if (pairs.length === 0)
    refuse('have no judged trial of the same seed; play both with the same --seed and --trials.')
  const names = [...new Set(pairs.flatMap(({ judged }) => [...judged.keys()]))]
  const expectations = names.map((name) => {
    const results = pairs.flatMap(({ judged }) => judged.get(name) ?? [])
    return { name, describe: results[0]?.after.describe ?? name, ...changeOf(results) }
  })
  const flips = pairs.filter(isFlip)
  const worse = flips.filter((pair) => pair.before.passed).length
  const better = flips.length - worse
  const first = pairs.find((pair) => [pair, ...pair.judged.values()].some(isFlip))
  const counts = { ...changeOf(pairs), worse, better, p: signTest(worse, better) }
  return reportOf({
    ...{ format: 'agent-mailbox-sim/comparison', version: 1, scenario },
    verdict: first ? verdictOn(counts, expectations) : 'equal',
    ...{ ...counts, expectations, names: { before: before.name, after: after.name } },
    first_flip: first
      ? {
          ...{ trial: first.after.trial, seed: first.after.seed },
          at: [...first.judged].flatMap(([name, both]) => (isFlip(both) ? name : [])),
        }
      : null,
    unpaired: Math.max(before.runs.length, after.runs.length) - pairs.length,
  })
}

/** Returns the verdict on results that differ. */
function verdictOn(
  counts: Change & Pick<Comparison, 'worse' | 'better' | 'p'>,
  expectations: readonly Change[],
): Comparison['verdict'] {
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
  const places = new Map<number, number>()
  return before.runs.flatMap((run): Pair[] => {
    const place = places.get(run.seed) ?? 0
    places.set(run.seed, place + 1)
    const other = after.runs.filter(({ seed }) => seed === run.seed)[place]
    if (!other || run.not_judged !== null || other.not_judged !== null) return []
    const was = byName(run.verdicts)
    const judged = [...byName(other.verdicts)].flatMap(([name, result]) => {
      const former = was.get(name)
      return former ? [[name, { before: former, after: result }] as const] : []
    })
    return [{ before: run, after: other, judged: new Map(judged) }]
  })
}

/** Returns results by their keys or descriptions; those with equal words are told apart by their order. */
function byName(results: readonly ExpectationResult[]): ReadonlyMap<string, ExpectationResult> {
  const names = numbered(results.map(({ key, describe }) => key ?? describe))
  return new Map(results.map((result, index) => [names[index] as string, result]))
}

function changeOf(all: readonly Both[]): Change {
  const [before, after] = [all.filter((one) => one.before.passed), all.filter((one) => one.after.passed)]
  return { pairs: all.length, before: before.length, after: after.length }
}

function isFlip({ before, after }: Both): boolean {
  return before.passed !== after.passed
}

/** Prepares the report of a comparison for the printers: a table, and the first trial that flipped. */
function reportOf(comparison: Comparison): Report & { readonly document: Comparison } {
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
