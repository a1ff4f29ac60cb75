import { counted, invocation } from '../../base/index.js'
import type { ExpectationResult } from '../../story/expectations/index.js'
import {
  type Detail,
  type Finding,
  formatCommand,
  type JunitCase,
  type Report,
  type TableRow,
} from '../reports/index.js'
import type { TrialRun } from '../trials/index.js'
import {
  type ExpectationChange,
  flippedExpectations,
  type Pair,
  pairsOf,
  type RateChange,
  type TrialsComparison,
  verdictOn,
} from './compare.js'
import type { Results } from './results.js'

/** Prepares the report of a comparison for the reporters: a table, and the first flipped trial side by side. */
export function comparisonReport(comparison: TrialsComparison, before: Results, after: Results): Report {
  const { verdict, scenario, flipped, expectations, alpha, names } = comparison
  const first = flipped.find(({ became }) => became === 'worse') ?? flipped[0]
  const pair =
    first &&
    pairsOf(before, after).find((one) => one.after.trial === first.trial && one.after.seed === first.seed)
  return {
    document: comparison,
    passed: verdict !== 'worse',
    headline: headlineOf(comparison),
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
      ...(first && !names.after.endsWith('.json')
        ? [
            `look at that trial: ${invocation} serve ${formatCommand([names.after, '--trial', String(first.trial)])}`,
          ]
        : []),
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

/** Returns the outcome in one line: `refund got worse: 46 of 50 → 38 of 50, p = 0.03`. */
export function headlineOf(comparison: TrialsComparison): string {
  const { scenario, verdict } = comparison
  const outcomes = { worse: 'got worse', better: 'got better', same: 'shows no clear difference' }
  return `${scenario} ${outcomes[verdict]}: ${formatChange(comparison)}, ${formatChance(comparison.p)}`
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
  const counts = new Map<string, number>()
  for (const { at } of flipped) for (const name of at) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
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
