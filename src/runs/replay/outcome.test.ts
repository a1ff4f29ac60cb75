import { describe, expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import { judge, type ReplayReport } from './outcome.js'

const agent = { tookPart: true, portTaken: false, weights: [1, 1] }
const half = [result(), failedResult({ index: 1 })]
const died = command({ status: 1, passed: false, problem: 'exited with status 1' })

describe('judge', () => {
  it.each<[name: string, Partial<ReplayReport>, Partial<typeof agent>, ReturnType<typeof judge>]>([
    ['passes a run in which all holds', {}, {}, { passed: true, not_judged: null, score: 1 }],
    ['scores what holds', { verdicts: half }, {}, { passed: false, not_judged: null, score: 0.5 }],
    ['weighs it', { verdicts: half }, { weights: [1, 4] }, { passed: false, not_judged: null, score: 0.2 }],
    [
      'scores the mailbox apart from the command',
      { command: died },
      {},
      { passed: false, not_judged: null, score: 1 },
    ],
    [
      'scores a run without expectations',
      { verdicts: [], command: died },
      {},
      { passed: false, not_judged: null, score: 0 },
    ],
    [
      'leaves an interrupted run',
      { verdicts: half, interrupted: true },
      {},
      { passed: false, not_judged: 'interrupted', score: null },
    ],
    [
      'lets one count nothing',
      { verdicts: half },
      { weights: [1, 0] },
      { passed: false, not_judged: null, score: 1 },
    ],
    [
      'leaves an idle agent',
      {},
      { tookPart: false },
      { passed: false, not_judged: 'nothing-checked', score: null },
    ],
    [
      'judges an idle agent that fails',
      { verdicts: half },
      { tookPart: false },
      { passed: false, not_judged: null, score: 0.5 },
    ],
    [
      'leaves a crash at a taken port',
      { command: died },
      { portTaken: true },
      { passed: false, not_judged: 'port-taken', score: null },
    ],
    [
      'judges an agent that shares a port',
      {},
      { portTaken: true },
      { passed: true, not_judged: null, score: 1 },
    ],
  ])('%s', (_, parts, facts, judged) => {
    expect(judge(report(parts), { ...agent, ...facts })).toEqual(judged)
  })
})
