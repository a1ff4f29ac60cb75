import { expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import type { ReplayReport } from '../replay/outcome.js'
import { formatReport } from '../reports/format-report.js'
import { trialsReport } from './trials-report.js'
import { type Requirement, summarizeTrials } from './trials-summary.js'

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
  ...{ passed: false, not_judged: 'not-started', verdicts: [failedResult()] },
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

it('has a suite for each trial, whose only case is an error if it was not judged', () => {
  const { suites } = reportOf({ runs: [good, bad, missing] })
  expect(suites.map(({ name, cases: { length } }) => [name, length])).toEqual([
    ['refund-request trial 1', 4],
    ['refund-request trial 2', 4],
    ['refund-request trial 3', 1],
  ])
  const problems = suites.flatMap(({ cases: all }) => all.flatMap(({ problem }) => problem?.is ?? []))
  expect(problems).toEqual(['failure', 'error'])
})
