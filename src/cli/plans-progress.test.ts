import { describe, expect, it } from 'vitest'
import { report } from '../../test/support/replay/report.fixture.js'
import type { TrialPlan, TrialsWatcher } from '../runs/trials/trials.js'
import type { WorldEvent } from '../service/world/entries.js'
import { trialsProgress } from './plans-progress.js'
import { Progress } from './terminal.js'

const request: WorldEvent = {
  ...{ seq: 1, type: 'exchange', at: '2026-01-05T09:00:00.000Z', world: 'world_1' },
  data: { method: 'GET', path: '/api/v1/mail/threads', query: {}, status: 200, fault: null, replayed: null },
}

/** Two trials at a time, whose commands write at the same time. */
function play(watcher: Required<TrialsWatcher>): void {
  const plans = Array.from({ length: 10 }, (_, index) => ({ trial: index + 1 }))
  const [first, last] = [plans[0], plans[9]] as [TrialPlan, TrialPlan]
  watcher.planned(plans)
  const [one, ten] = [watcher.of(first), watcher.of(last)]
  watcher.noted('a note')
  watcher.started(first)
  watcher.started(last)
  one.wrote?.(['first of one', 'second of one'], 'stdout')
  ten.wrote?.(['first of ten'], 'stderr')
  one.happened?.(request)
  one.wrote?.(['third of one'], 'stdout')
  watcher.ended({ trial: 10, ...report({ passed: false, not_judged: 'interrupted' }) }, last)
  watcher.ended(
    { trial: 1, ...report({ passed: false, verdicts: [], timeline: { played: [], left: 0, never: [] } }) },
    first,
  )
}

/** Returns everything that is written to a screen. */
function written(isTerminal: boolean, verbose = false): string {
  let text = ''
  const screen = { columns: 200, write: (piece: string) => (text += piece) }
  play(trialsProgress(new Progress(screen, isTerminal), 10, verbose))
  return text
}

describe('the progress of trials', () => {
  it('has the number of the trial before each line that a command writes', () => {
    expect(written(false).split('\n')).toEqual([
      'note: a note',
      ' 1 │ first of one',
      ' 1 │ second of one',
      '10 │ first of ten',
      ' 1 │ third of one',
      expect.stringMatching(/^trial 10: refund-request failed: .*, in 21\.4 s$/),
      expect.stringMatching(/^trial 1: refund-request failed: .*, in 21\.4 s$/),
      '',
    ])
  })

  it('has the requests on demand', () => {
    expect(written(false, true)).toContain('\n 1 │ GET /api/v1/mail/threads 200\n')
  })

  it('shows in the last line of a terminal how many have ended, and how many failed', () => {
    const lines = written(true).split('\r\x1b[K')
    expect(lines).toContain('0 of 10 trials, 0 failed; playing 1, 10')
    expect(lines.at(-1)).toBe('2 of 10 trials, 1 failed')
  })
})
