import { expect, it } from 'vitest'
import { junitCases } from '../../../test/support/replay/junit-cases.js'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import { formatReport } from '../reports/format-report.js'
import type { ReplayReport } from './outcome.js'
import { replayReport } from './report.js'

const twoResults = [result(), failedResult({ index: 1 })]
const died = { status: 3, passed: false, problem: 'exited with status 3' }
const notStarted = {
  status: null,
  ended: 'not-started',
  passed: false,
  problem: 'There is no program x in PATH.',
} as const
const unheard = { requests: 0, deliveries: 0 }
const unplayed = { name: 'bounce', at: '2026-01-05T09:02:00.000Z', problem: 'There is no such message.' }

const runs: readonly [name: string, run: ReplayReport][] = [
  ['passes', report()],
  [
    'ends with a failing command',
    report({
      verdicts: twoResults,
      command: command({ ...died, output: 'one\ntwo', notes: ['It left something running.'] }),
    }),
  ],
  ['never began', report({ verdicts: [], command: command(notStarted) })],
  ['had no command', report({ verdicts: [failedResult()], command: null, clock: 'frozen' })],
  [
    'could not be played as written',
    report({ passed: false, timeline: { played: [unplayed], left: 0, never: [] } }),
  ],
  [
    'says first what was not judged',
    report({
      verdicts: [
        result({ describe: 'Every event accepted in the end.', unjudged: 'no event was delivered' }),
      ],
      timeline: {
        played: [],
        left: 0,
        never: [{ name: 'bounce', why: 'no message was sent to bo@gone.example' }],
      },
    }),
  ],
  [
    'was interrupted',
    report({
      passed: false,
      interrupted: true,
      verdicts: twoResults,
      command: command({ ended: 'interrupted' }),
    }),
  ],
]

it.each(runs)('tells people about a replay that %s', (_, run) => {
  expect(formatReport('human', replayReport(run))).toMatchSnapshot()
})

it('has names of test cases that do not depend on the result', () => {
  const casesOf = (run: ReplayReport): string[] => junitCases(replayReport(run))
  const both = [result(), result({ index: 1, describe: 'It pauses.' })]
  const failed = both.map((one) => ({ ...one, passed: false }))
  const names = ['The agent opened the thread.', 'It pauses.', 'The command succeeds.']
  expect(casesOf(report({ verdicts: both }))).toEqual(names.map((name) => `${name} passed`))
  expect(casesOf(report({ verdicts: failed, command: command(died) }))).toEqual(
    names.map((name) => `${name} failure`),
  )
  expect(casesOf(report({ verdicts: [], command: command(notStarted) }))).toEqual([
    'The command succeeds. failure',
  ])
  const empty = report({ ...unheard, passed: false, not_judged: 'nothing-checked' })
  expect(casesOf(empty)[0]).toBe('The outcome failure')
})

it('says in a first line for a phone that an agent which could not be observed had something unanswered', () => {
  const pace = { unanswered: true, observed: [], notes: [] } as unknown as NonNullable<ReplayReport['pace']>
  const verdicts = [failedResult({ describe: 'long '.repeat(60) })]
  const [line = ''] = formatReport('human', replayReport(report({ verdicts, pace }))).split('\n', 1)
  expect(line).toMatch(/^✗ refund-request failed: .*; something was unanswered when --patience ended$/)
  expect(line.length).toBeLessThan(160)
})
