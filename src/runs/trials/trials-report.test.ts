import { describe, expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import type { ReplayReport } from '../replay/outcome.js'
import { formatReport } from '../reports/format-report.js'
import {
  meetsRequirement,
  passPowers,
  type Requirement,
  summarizeTrials,
  type TrialRun,
  trialsReport,
  wilsonInterval,
} from './trials-report.js'

const long =
  'While Ann is waiting for her money, the agent shows the name Busy, and it does not write to anybody else.'
const good = report({ verdicts: [result(), result({ index: 1, describe: long })] })
const bad = report({ verdicts: [result(), failedResult({ index: 1, describe: long })] })
const died = report({
  verdicts: [result(), result({ index: 1, describe: long })],
  command: command({ status: 3, passed: false, problem: 'exited with status 3', output: 'one\ntwo' }),
})
const silent = report({ verdicts: [failedResult()], requests: 0, deliveries: 0 })
const unchecked = report({ requests: 0, deliveries: 0, passed: false, not_judged: 'nothing-checked' })
const missing = report({
  ...{ passed: false, not_judged: 'not-started', verdicts: [] },
  command: command({
    status: null,
    ended: 'not-started',
    passed: false,
    problem: 'There is no program x in PATH.',
  }),
})

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
  ['all passed', { runs: [good, good, { ...good, seed: 8 }] }],
  ['failed as rarely as was allowed', { runs: [good, bad, good, died], require: 0.5 }],
  ['ended early, since the requirement could not be met', { runs: [bad], count: 10 }],
  ['were interrupted', { runs: [good, report({ not_judged: 'interrupted' })], count: 4, interrupted: true }],
  ['sent no request', { runs: [silent, silent] }],
  ['checked nothing', { runs: [unchecked, unchecked] }],
  ['could not start', { runs: [missing, missing] }],
]

it.each(cases)('tells people about trials that %s', (_, played) => {
  const told = reportOf(played)
  expect(`${formatReport('human', told)}passed: ${told.passed}, empty: ${told.isEmpty}`).toMatchSnapshot()
})

it('has the table and the first failure as Markdown', () => {
  expect(formatReport('markdown', reportOf({ runs: [good, bad] }))).toMatchSnapshot()
})

const asWritten = (numbers: readonly number[]) => numbers.map((number) => Number(number.toFixed(4)))

describe('wilsonInterval', () => {
  // Published values of the interval without a correction for continuity.
  it.each([
    [0, 10, [0, 0.2775]],
    [7, 10, [0.3968, 0.8922]],
    [10, 10, [0.7225, 1]],
    [81, 263, [0.2553, 0.3662]],
    [70, 100, [0.6042, 0.7811]],
    [0, 0, [0, 1]],
  ])('of %i in %i', (held, of, interval) => {
    expect(asWritten(wilsonInterval(held, of))).toEqual(interval)
  })
})

describe('passPowers', () => {
  /** Counts all sets of k trials. */
  function counted(passed: number, judged: number, k: number): number {
    const sets = Array.from({ length: 2 ** judged }, (_, set) => {
      return Array.from({ length: judged }, (_, place) => place).filter((place) => (set >> place) & 1)
    }).filter(({ length }) => length === k)
    return sets.filter((set) => set.every((place) => place < passed)).length / sets.length
  }

  it.each([
    [0, 4],
    [3, 4],
    [4, 4],
    [7, 10],
  ])('of %i in %i are the shares of sets in which all passed', (passed, judged) => {
    const expected = Array.from({ length: judged }, (_, index) => counted(passed, judged, index + 1))
    expect(asWritten(passPowers(passed, judged))).toEqual(asWritten(expected))
  })
})

it.each([
  ['all', 10, 10, true],
  ['all', 9, 10, false],
  ['all', 0, 0, false],
  [0.9, 9, 10, true],
  [0.9, 27, 30, true],
  [0.9, 8, 9, false],
  [0, 0, 3, true],
  [0, 0, 0, false],
] as const)('the requirement %s is met by %i of %i: %s', (require, passed, judged, met) => {
  expect(meetsRequirement(require, passed, judged)).toBe(met)
})

describe('summarizeTrials', () => {
  const facts = { count: 5, require: 0.6, interrupted: false, wall_ms: 9 }
  const run = (trial: number, more: Parameters<typeof report>[0] = {}): TrialRun => ({
    trial,
    ...report(more),
  })
  const two = [result(), failedResult({ index: 1 })]
  const unjudged = { passed: false, not_judged: 'interrupted' } as const

  it('counts trials that were not judged apart, and how often each expectation held', () => {
    const runs = [
      run(1, { verdicts: two, command: command({ passed: false }) }),
      run(2, { verdicts: [result(), result({ index: 1 })] }),
      run(4, { verdicts: two, ...unjudged }),
      run(5, { verdicts: [result(), result({ index: 1 })] }),
    ]
    const { passed, trials, expectations } = summarizeTrials(runs, facts)
    expect(trials).toMatchObject({ passed: 2, count: 5, judged: 3, first_failed: 1, first_passed: 2 })
    expect(passed).toBe(true)
    expect(asWritten(trials.pass_k)).toEqual([0.6667, 0.3333, 0])
    expect(expectations.map(({ held, of }) => [held, of])).toEqual([
      [3, 3],
      [2, 3],
    ])
  })

  it('leaves out expectations that a trial left open', () => {
    const waiting = { exchange: 1, at: '2026-01-05T09:01:00.000Z', seconds: 60, not_judged: [0] }
    const { expectations } = summarizeTrials([run(1, { verdicts: two, waiting }), run(2)], facts)
    expect(expectations.map(({ held, of }) => [held, of])).toEqual([
      [1, 1],
      [0, 1],
    ])
  })

  it('has not passed if it was interrupted, or if nothing was judged', () => {
    expect(summarizeTrials([run(1)], { ...facts, interrupted: true }).passed).toBe(false)
    expect(summarizeTrials([run(1, unjudged)], { ...facts, require: 0 }).passed).toBe(false)
  })
})
