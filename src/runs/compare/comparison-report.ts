import { counted } from '../../base/index.js'
import type { ExpectationResult } from '../../story/expectations/index.js'
import { judgedExpectations } from '../replay/index.js'
import type { Detail, Finding, JunitCase, Report, TableRow } from '../reports/index.js'
import { expectationName, type Pair, pairsOf, type RateChange, type TrialsComparison } from './compare.js'
import type { Results } from './results.js'

/** Prepares the report of a comparison for the reporters: a table, and the first flipped trial side by side. */
export function comparisonReport(comparison: TrialsComparison, before: Results, after: Results): Report {
  const { verdict, scenario, flipped, expectations, alpha, names } = comparison
  const first = flipped.find(({ became }) => became === 'worse') ?? flipped[0]
  const pair =
    first &&
    pairsOf(before, after).find((one) => one.after.trial === first.trial && one.after.seed === first.seed)
  const isWorse = verdict === 'worse'
  return {
    document: comparison,
    passed: !isWorse,
    headline: headlineOf(comparison),
    paragraphs: [sentenceOf(comparison)],
    table: {
      header: ['expectation', 'held', 'p'],
      rows: expectations.map((change) => rowOf(change.describe, change, alpha)),
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

function rowOf(name: string, change: RateChange, alpha: number): TableRow {
  const isClear = change.p < alpha
  const { before, after, pairs } = change
  const isEqual = change.worse + change.better === 0
  return {
    mark: isEqual
      ? after === pairs
        ? 'passed'
        : 'none'
      : !isClear
        ? 'unsure'
        : after < before
          ? 'failed'
          : 'passed',
    name,
    lines: (name.match(/.{1,45}(?:\s|$)|\S{45}/g) ?? [name]).map((line) => [line.trimEnd()]),
    result: formatChange(change),
    why: isEqual ? '' : formatChance(change.p),
  }
}

/** Returns what differs between the trials of a pair. */
function sideBySide({ before, after }: Pair): Finding[] {
  const former = new Map(judgedExpectations(before).map((result) => [expectationName(result), result]))
  const findings = judgedExpectations(after).flatMap((result): Finding[] => {
    const was = former.get(expectationName(result))
    if (!was || was.passed === result.passed) return []
    const details = [...detailsOf('before', was), ...detailsOf('after', result)]
    return [{ kind: result.kind, title: result.describe, passed: false, why: '', details }]
  })
  const [former_, latter] = [before.command?.problem ?? null, after.command?.problem ?? null]
  if (former_ === latter) return findings
  const details: Detail[] = [
    ['before', former_ ?? 'succeeded'],
    ['after', latter ?? 'succeeded'],
  ]
  return [...findings, { kind: 'command', title: 'The command', passed: false, why: '', details }]
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
  const isWorse = change.p < alpha && change.after < change.before
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
