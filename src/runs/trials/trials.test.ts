import { describe, expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import type { ReplayReport } from '../replay/outcome.js'
import { formatReport } from '../reports/format-report.js'
import { type Requirement, summarizeTrials, type TrialRun, trialsReport } from './trials.js'

const long =
  'While Ann is waiting for her money, the agent shows the name Busy, and it does not write to anybody else.'
const good = report({ verdicts: [result(), result({ index: 1, describe: long })] })
const bad = report({ verdicts: [result(), failedResult({ index: 1, describe: long })] })
const died = report({
  verdicts: [result(), result({ index: 1, describe: long })],
  command: command({ status: 3, passed: false, problem: 'exited with status 3', output: 'one\ntwo' }),
})
const unchecked = report({ requests: 0, deliveries: 0, passed: false, not_judged: 'nothing-checked' })
interface Played {
  readonly runs: readonly ReplayReport[]
  readonly require?: Requirement
  readonly count?: number
  readonly interrupted?: boolean
}

function reportOf({ runs, require = 'all', count = runs.length, interrupted = false }: Played) {
  const trials = runs.map((run, index) => ({ trial: index + 1, ...run }))
  return trialsReport(summarizeTrials(trials, { count, require, interrupted, wall_ms: 4200 }))
}

const cases: readonly [name: string, played: Played][] = [
  ['failed as rarely as was allowed', { runs: [good, bad, { ...good, seed: 8 }, died], require: 0.5 }],
  ['ended early, since the requirement could not be met', { runs: [bad], count: 10 }],
  ['were interrupted', { runs: [good, report({ not_judged: 'interrupted' })], count: 4, interrupted: true }],
  ['checked nothing', { runs: [unchecked, unchecked] }],
]

it.each(cases)('tells people about trials that %s', (_, played) => {
  const told = reportOf(played)
  expect(`${formatReport('human', told)}passed: ${told.passed}, empty: ${told.isEmpty}`).toMatchSnapshot()
})

describe('a summary of trials', () => {
  const facts = { count: 5, require: 'all', interrupted: false, wall_ms: 9 } as const
  const run = (trial: number, more: Parameters<typeof report>[0] = {}): TrialRun => ({
    trial,
    ...report(more),
  })
  const two = [result(), failedResult({ index: 1 })]
  const unjudged = { passed: false, not_judged: 'interrupted' } as const
  const rounded = (numbers: readonly number[]) => numbers.map((number) => Number(number.toFixed(4)))

  // Published values of the interval without a correction for continuity; of 10, 45 pairs and 120 sets of three.
  it.each([
    [0, 10, 'all', false, [0, 0.2775], [0, 0, 0]],
    [7, 10, 0.7, true, [0.3968, 0.8922], [0.7, 21 / 45, 35 / 120]],
    [9, 10, 'all', false, [0.5958, 0.9821], [0.9, 36 / 45, 84 / 120]],
    [10, 10, 'all', true, [0.7225, 1], [1, 1, 1]],
    [8, 9, 0.9, false, [0.565, 0.9801], [8 / 9, 28 / 36, 56 / 84]],
    [27, 30, 0.9, true, [0.7438, 0.9654], [0.9, 351 / 435, 2925 / 4060]],
    [0, 3, 0, true, [0, 0.5615], [0, 0, 0]],
  ] as const)('of %i passed of %i, required %s', (count, of, require, met, interval, chances) => {
    const runs = Array.from({ length: of }, (_, index) => run(index + 1, { passed: index < count }))
    const { passed, trials } = summarizeTrials(runs, { ...facts, require })
    expect([passed, rounded(trials.interval)]).toEqual([met, interval])
    expect(rounded(trials.pass_k.slice(0, 3))).toEqual(rounded(chances))
  })

  it('counts trials that were not judged apart, and how often each expectation held', () => {
    const both = [result(), result({ index: 1 })]
    const runs = [
      run(1, { verdicts: two, command: command({ passed: false }) }),
      run(2, { verdicts: both }),
      run(4, { verdicts: two, ...unjudged }),
      run(5, { verdicts: both }),
    ]
    const { passed, trials, expectations } = summarizeTrials(runs, { ...facts, require: 0.6 })
    expect(trials).toMatchObject({ passed: 2, count: 5, judged: 3, first_failed: 1, first_passed: 2 })
    expect(passed).toBe(true)
    expect(expectations.map(({ held, of }) => `${held} of ${of}`)).toEqual(['3 of 3', '2 of 3'])
  })

  it('has not passed if it was interrupted, or if nothing was judged', () => {
    expect(summarizeTrials([run(1)], { ...facts, interrupted: true }).passed).toBe(false)
    expect(summarizeTrials([run(1, unjudged)], { ...facts, require: 0 }).passed).toBe(false)
  })
})
