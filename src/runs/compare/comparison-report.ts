import { counted, truncate } from '../../base/text.js'
import type { ExpectationResult } from '../../story/expectations/result.js'
import type { JunitCase } from '../reports/junit.js'
import type { Detail, Finding, Report } from '../reports/report.js'
import type { TableRow } from '../reports/table.js'
import type { TrialRun } from '../trials/trials-summary.js'
import {
  type ExpectationChange,
  type FlippedTrial,
  flippedExpectations,
  type Pair,
  pairsOf,
  type RateChange,
  type TrialsComparison,
  verdictOn,
} from './compare.js'
import type { Results } from './results.js'

/** The maximum number of characters that a headline says of a failure. */
const causeLength = 200

/** Prepares the report of a comparison for the reporters: a table, and the first flipped trial side by side. */
export function comparisonReport(comparison: TrialsComparison, before: Results, after: Results): Report {
  const { verdict, scenario, flipped, expectations, alpha, names } = comparison
  const first = flipped.find(({ became }) => became === 'worse') ?? flipped[0]
  const pair = first && pairOf(first, before, after)
  return {
    document: comparison,
    passed: verdict !== 'worse',
    headline: headlineOf(comparison, before, after),
    paragraphs: [sentenceOf(comparison)],
    table: {
      title: 'How often each expectation held',
      subject: ['expectation'],
      columns: ['held', 'p'],
      rows: expectations.map((change) => rowOf(change, alpha)),
    },
    about:
      first &&
      `Trial ${first.trial} (seed ${first.seed}), the first that became ${first.became}: ${names.before} and ${names.after}`,
    findings: pair ? sideBySide(pair) : [],
    notes: [
      ...(comparison.unpaired === 0
        ? []
        : [`${counted(comparison.unpaired, 'trial')} without a judged counterpart of the same seed`]),
      ...powerOf(comparison),
    ],
    facts: [
      `${counted(comparison.pairs, 'pair')} of trials; exact McNemar test; p of expectations after Holm`,
    ],
    suites: [
      {
        name: `${scenario} compared`,
        package: 'agent-mailbox-sim.compare',
        seconds: 0,
        properties: { before: names.before, after: names.after, p: formatChance(comparison.p) },
        cases: [
          caseOf('The share of passing trials has not fallen.', comparison, comparison),
          ...expectations.map((change) => caseOf(change.describe, change, comparison)),
        ],
        output: '',
      },
    ],
  }
}

/** Returns the outcome in one line: `refund got worse: 46 of 50 → 38 of 50, p = 0.03; It answers once (8 of 8 trials): …`. */
function headlineOf(comparison: TrialsComparison, before: Results, after: Results): string {
  const { scenario, verdict } = comparison
  const outcomes = { worse: 'got worse', better: 'got better', same: 'shows no clear difference' }
  const change = `${formatChange(comparison)}, ${formatChance(comparison.p)}`
  const why = verdict === 'worse' ? whyWorse(comparison, before, after) : ''
  return `${scenario} ${outcomes[verdict]}: ${change}${why}`
}

/** Says which expectation failed most often in the trials that became worse, and what was found the first time. */
function whyWorse({ flipped }: TrialsComparison, before: Results, after: Results): string {
  const worse = flipped.filter(({ became }) => became === 'worse')
  const [most] = tallyOf(worse)
  const first = worse.find(({ at }) => most === undefined || at.includes(most[0]))
  const pair = first && pairOf(first, before, after)
  if (!pair) return ''
  if (!most) return `; trial ${pair.after.trial}: ${truncate(pair.after.cause ?? 'it failed', causeLength)}`
  const failed = flippedExpectations(pair).find(({ name }) => name === most[0])?.after
  if (!failed) return ''
  const trials = counted(worse.length, 'trial')
  const found = `${failed.describe.replace(/\.$/, '')} (${most[1]} of ${trials}): ${failed.found}`
  return `; ${truncate(found, causeLength)}`
}

/** Returns how many trials flipped at each expectation, the most frequent first. */
function tallyOf(flipped: TrialsComparison['flipped']): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { at } of flipped) for (const name of at) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

function pairOf({ trial, seed }: FlippedTrial, before: Results, after: Results): Pair<TrialRun> | undefined {
  return pairsOf(before, after).find((one) => one.after.trial === trial && one.after.seed === seed)
}

function formatChange({ before, after, pairs }: RateChange): string {
  return `${before} of ${pairs} → ${after} of ${pairs}`
}

/** Formats a chance as `p = 0.03`. */
function formatChance(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p < 0.1 ? Number(p.toFixed(3)) : Number(p.toFixed(2))}`
}

/** Says how many trials flipped, and at which expectation most of them did. */
function sentenceOf({ flipped, worse, better }: TrialsComparison): string {
  if (flipped.length === 0) return 'No trial flipped.'
  const [most] = tallyOf(flipped)
  const where = most ? `, ${most[1]} of them at "${most[0]}"` : ''
  return `${counted(flipped.length, 'trial')} flipped (${worse} worse, ${better} better)${where}.`
}

function rowOf(change: ExpectationChange, alpha: number): TableRow {
  const { describe: name, after, pairs, worse, better, p } = change
  const isEqual = worse + better === 0
  const marks = { worse: 'failed', better: 'passed', same: 'unsure' } as const
  const equal = after === pairs ? 'passed' : 'none'
  return {
    name,
    cells: [
      { text: formatChange(change), tone: isEqual ? equal : marks[verdictOn(change, alpha)] },
      { text: isEqual ? '' : formatChance(p) },
    ],
  }
}

/** Returns what differs between the trials of a pair. */
function sideBySide(pair: Pair<TrialRun>): Finding[] {
  const findings = flippedExpectations(pair).map(({ before, after }) => {
    const details = [...detailsOf('before', before), ...detailsOf('after', after)]
    return differing(after.kind, after.describe, details)
  })
  const [before, after] = [
    pair.before.command?.problem ?? 'succeeded',
    pair.after.command?.problem ?? 'succeeded',
  ]
  if (before === after) return findings
  const ends: Detail[] = [
    ['before', before],
    ['after', after],
  ]
  return [...findings, differing('command', 'The command', ends)]
}

function differing(kind: string, title: string, details: readonly Detail[]): Finding {
  return { kind, title, passed: false, why: '', details }
}

function detailsOf(label: string, { passed, found, nearest }: ExpectationResult): Detail[] {
  return [
    [label, `${passed ? 'held' : 'failed'}: ${found}`],
    ...(passed || !nearest
      ? []
      : [['', nearest.line] as const, ...nearest.differences.map((line) => ['', line] as const)]),
  ]
}

function caseOf(name: string, change: RateChange, { alpha }: TrialsComparison): JunitCase {
  const isWorse = verdictOn(change, alpha) === 'worse'
  const text = `${formatChange(change)}, ${formatChance(change.p)}`
  const problem = isWorse ? { is: 'failure' as const, type: 'worse', message: text, text } : null
  return { name, className: 'compare', seconds: 0, problem }
}

/** Says how many trials would show a fall by ten points. */
function powerOf({ trials_to_see_10_points: trials, pairs }: TrialsComparison): string[] {
  if (trials === null) return []
  const enough = pairs >= trials ? 'these are enough' : 'these are too few'
  return [`a fall by 10 points is seen in four of five comparisons of ${trials} trials; ${enough} for that`]
}
