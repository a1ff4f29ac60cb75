import { expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import { judge, type ReplayReport } from './outcome.js'

const agent = { tookPart: true, portTaken: false, weights: [1, 1] }
const half = [result(), failedResult({ index: 1 })]
const died = command({ status: 1, passed: false, problem: 'exited with status 1' })

it.each<[string, Partial<ReplayReport>, Partial<typeof agent>, NonNullable<unknown>[]]>([
  ['passes a run in which all holds', {}, {}, [true, 'judged', 1]],
  ['scores what holds', { verdicts: half }, {}, [false, 'judged', 0.5]],
  ['weighs it', { verdicts: half }, { weights: [1, 4] }, [false, 'judged', 0.2]],
  ['lets one count nothing', { verdicts: half }, { weights: [1, 0] }, [false, 'judged', 1]],
  ['scores the mailbox apart from the command', { command: died }, {}, [false, 'judged', 1]],
  ['scores a run without expectations', { verdicts: [], command: died }, {}, [false, 'judged', 0]],
  ['leaves an interrupted run', { verdicts: half, interrupted: true }, {}, [false, 'interrupted', 'none']],
  ['leaves an idle agent', {}, { tookPart: false }, [false, 'nothing-checked', 'none']],
  ['judges an idle agent that fails', { verdicts: half }, { tookPart: false }, [false, 'judged', 0.5]],
  ['leaves a crash at a taken port', { command: died }, { portTaken: true }, [false, 'port-taken', 'none']],
  ['judges an agent that shares a port', {}, { portTaken: true }, [true, 'judged', 1]],
])('%s', (_, parts, facts, judged) => {
  const { passed, not_judged, score } = judge(report(parts), { ...agent, ...facts })
  expect([passed, not_judged ?? 'judged', score ?? 'none']).toEqual(judged)
})
