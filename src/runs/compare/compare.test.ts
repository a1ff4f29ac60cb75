import { describe, expect, it } from 'vitest'
import { failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import { createRandom } from '../../service/time/random.js'
import { formatReport } from '../reports/format-report.js'
import type { TrialRun } from '../trials/trials-summary.js'
import { compareResults, type TrialsComparison } from './compare.js'
import { comparisonReport } from './comparison-report.js'
import type { Results } from './results.js'
import { holm, signTest, trialsToSee } from './statistics.js'

const described = { describe: 'It answers once.', key: 'answers-once' }

/** Returns results whose trials pass as told, each with two expectations, the second of which fails with the trial. */
function results(name: string, passes: readonly boolean[]): Results {
  const runs = passes.map((passed, index): TrialRun => {
    const second = passed ? result({ index: 1, ...described }) : failedResult({ index: 1, ...described })
    return { trial: index + 1, ...report({ verdicts: [result(), second] }), seed: 7 + index }
  })
  return { name, scenario: 'refund', runs }
}

const of = (count: number, passes: (index: number) => boolean) =>
  Array.from({ length: count }, (_, index) => passes(index))

function compared(before: Results, after: Results): string {
  return formatReport('human', comparisonReport(compareResults(before, after), before, after))
}

describe('two results', () => {
  it('are compared by the trials of the same seed, and the first that became worse is shown side by side', () => {
    const before = results(
      'main/',
      of(50, (index) => index % 12 !== 11),
    )
    const after = results(
      'change/',
      of(50, (index) => index % 12 !== 11 && index % 6 !== 4),
    )
    expect(compared(before, after)).toMatchInlineSnapshot(`
      "✗ refund got worse: 46 of 50 → 38 of 50, p = 0.008; It answers once (8 of 8 trials): 0 of 14 requests of threads.list

      8 trials flipped (8 worse, 0 better), 8 of them at "answers-once".

      expectation                   held                 p
      The agent opened the thread.  50 of 50 → 50 of 50
      It answers once.              46 of 50 → 38 of 50  p = 0.016

      Trial 5 (seed 11), the first that became worse: main/ and change/

      ✗ It answers once.
          before  held: unread: false
          after   failed: 0 of 14 requests of threads.list
                  GET /api/v1/mail/threads?agent=billing 200
                  query.agent: expected "support", found "billing"

      note: a fall by 10 points is seen in four of five comparisons of 180 trials; these are too few for that
      50 pairs of trials; exact McNemar test; p of expectations after Holm
      "
    `)
    expect(
      formatReport('markdown', comparisonReport(compareResults(before, after), before, after)),
    ).toContain('refund got worse: 46 of 50 → 38 of 50')
  })

  it('are the same if they are, also when two expectations have the same words', () => {
    const runs = of(3, () => true).map((_, index): TrialRun => {
      const verdicts = [result(), failedResult({ index: 1 }), result({ index: 2 })].map((one) => ({
        ...one,
        ...{ key: null, describe: 'Ann is answered.' },
      }))
      return { trial: index + 1, ...report({ verdicts }), seed: 7 + index }
    })
    const both = { name: 'main/', scenario: 'refund', runs }
    const { verdict, expectations } = compareResults(both, both)
    expect([verdict, expectations.map(({ name, before, after }) => `${name} ${before} → ${after}`)]).toEqual([
      'same',
      ['Ann is answered. 3 → 3', 'Ann is answered. (2) 0 → 0', 'Ann is answered. (3) 3 → 3'],
    ])
  })

  it('have pairs whatever the order and the number of their trials', () => {
    const before = results(
      'main/',
      of(20, () => true),
    )
    const after = results(
      'change/',
      of(10, () => true),
    )
    const shuffled = { ...after, runs: after.runs.toReversed() }
    const { pairs, flipped, unpaired, p, verdict } = compareResults(before, shuffled)
    expect({ pairs, flipped, unpaired, p, verdict }).toEqual({
      pairs: 10,
      flipped: [],
      unpaired: 10,
      p: 1,
      verdict: 'same',
    })
  })

  it('leave out trials that were not judged, and are refused without any pair or about different stories', () => {
    const before = results('main/', [true, true])
    const unjudged = before.runs.map((run) => ({ ...run, passed: false, not_judged: 'not-started' as const }))
    expect(
      compareResults(before, { ...before, runs: [unjudged[0], before.runs[1]] as TrialRun[] }).pairs,
    ).toBe(1)
    expect(() => compareResults(before, { ...before, runs: unjudged })).toThrow(
      /no judged trial of the same seed/,
    )
    expect(() => compareResults(before, { ...before, scenario: 'other' })).toThrow(/about the story refund/)
  })

  it('are called different as rarely as promised, and as often as necessary', () => {
    const random = createRandom(1, 'trials')
    const drawn = (name: string, rate: number) =>
      results(
        name,
        of(50, () => random.next() < rate),
      )
    const verdicts = (one: number, other: number): TrialsComparison['verdict'][] => {
      return of(200, () => true).map(() => compareResults(drawn('a', one), drawn('b', other)).verdict)
    }
    expect(verdicts(0.7, 0.7).filter((verdict) => verdict !== 'same').length).toBeLessThanOrEqual(10)
    expect(verdicts(0.9, 0.6).filter((verdict) => verdict === 'worse').length).toBeGreaterThanOrEqual(180)
  })
})

describe('the statistics', () => {
  // Published values of the exact test of McNemar, and of Holm's correction.
  it.each([
    [{ worse: 0, better: 0 }, 1],
    [{ worse: 8, better: 1 }, 0.0391],
    [{ worse: 5, better: 5 }, 1],
    [{ worse: 1, better: 9 }, 0.0215],
    [{ worse: 700, better: 800 }, 0.0106],
    [{ worse: 0, better: 5000 }, 0],
  ])('of %o are %f', (flips, p) => {
    expect(Number(signTest(flips).toFixed(4))).toBe(p)
  })

  it('are corrected for the number of tests', () => {
    expect(holm([0.01, 0.04, 0.03, 0.5]).map((p) => Number(p.toFixed(3)))).toEqual([0.04, 0.09, 0.09, 0.5])
  })

  it('say how many trials a difference takes', () => {
    expect([trialsToSee(0.1, 0.9), trialsToSee(0.1, 0.05)]).toEqual([202, undefined])
  })
})
