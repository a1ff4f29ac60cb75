import { describe, expect, it } from 'vitest'
import { failedResult, report, result } from '../../../test/support/replay/report.fixture.js'
import { createRandom } from '../../service/time/random.js'
import { formatReport } from '../reports/format-report.js'
import type { TrialRun } from '../trials/trials.js'
import { compareResults, type Results } from './compare.js'

const described = { index: 1, describe: 'It answers once.', key: 'answers-once' }

/** Returns results whose trials pass as told, each with two expectations, the second of which fails with the trial. */
function results(name: string, passes: readonly boolean[], more: Partial<TrialRun> = {}): Results {
  const runs = passes.map((passed, index): TrialRun => {
    const second = passed ? result(described) : failedResult(described)
    return { trial: index + 1, ...report({ verdicts: [result(), second] }), seed: 7 + index, ...more }
  })
  return { name, scenario: 'refund', runs }
}

/** Returns as many values as there are digits: `1101` are three trials that passed, and one that did not. */
const of = (digits: string) => [...digits].map((digit) => digit === '1')
const text = (before: Results, after: Results): string => formatReport('human', compareResults(before, after))

it('shows counts, the first trial that flipped, and the exact test', () => {
  const before = results('main/', of('11111111'))
  expect(text(before, results('change/', of('10000001')))).toMatchInlineSnapshot(`
    "✗ refund got worse: 8 of 8 → 2 of 8, p = 0.031

    expectation                   held
    The agent opened the thread.  8 of 8 → 8 of 8
    It answers once.              8 of 8 → 2 of 8

    Trial 2 (seed 8), the first that flipped: It answers once.

    8 pairs of trials; exact McNemar test
    "
  `)
})

it.each([
  ['111', '111', 'equal', '✓ refund is equal: 3 of 3 → 3 of 3\n'],
  ['0', '0', 'equal', '✓'],
  ['111', '000', 'worse', '✗ refund got worse: 3 of 3 → 0 of 3\n'],
  ['111', '110', 'too-few', '? refund has too few pairs of trials to tell: 3 of 3 → 2 of 3\n'],
  ['101', '000', 'too-few', '?'],
  ['000', '111', 'too-few', '?'],
  ['11111', '00001', 'too-few', '?'],
  ['111111', '000000', 'worse', '✗'],
  ['000000', '111111', 'better', '✓'],
  ['111111', '000001', 'unclear', '?'],
  ['1011111', '1111011', 'unclear', '?'],
])('finds that %s → %s is %s', (before, after, verdict, line) => {
  const both = [results('main/', of(before)), results('change/', of(after))] as const
  const { document, passed } = compareResults(...both)
  expect(document.verdict).toBe(verdict)
  expect(text(...both)).toContain(line)
  expect(passed).toBe(verdict !== 'worse' && verdict !== 'too-few')
})

it('agrees with the binomial distribution about drawn pairs of series', () => {
  const random = createRandom(1, 'trials')
  const chance = (n: number, k: number): number => {
    const factorial = (of: number): number => (of <= 1 ? 1 : of * factorial(of - 1))
    return factorial(n) / factorial(k) / factorial(n - k) / 2 ** n
  }
  for (let pair = 0; pair < 30; pair++) {
    const drawn = () => {
      const rate = random.next()
      return results(
        'some/',
        Array.from({ length: 6 + pair }, () => random.next() < rate),
      )
    }
    const { worse, better, p, verdict } = compareResults(drawn(), drawn()).document
    const [n, least] = [worse + better, Math.min(worse, better)]
    const tail = Array.from({ length: least + 1 }, (_, k) => chance(n, k)).reduce((a, b) => a + b, 0)
    const exact = Math.min(1, 2 * tail)
    expect(p).toBeCloseTo(exact, 10)
    const expected = n === 0 ? 'equal' : exact >= 0.05 ? 'unclear' : worse > better ? 'worse' : 'better'
    expect(verdict).toBe(expected)
  }
})

describe('two results', () => {
  it('are equal if they are, also when two expectations have the same words', () => {
    const verdicts = [result(), failedResult({ index: 1 }), result({ index: 2 })].map((one) => ({
      ...one,
      ...{ key: null, describe: 'Ann is answered.' },
    }))
    const both = results('main/', of('000'), { ...report({ verdicts }) })
    const { verdict, expectations } = compareResults(both, both).document
    expect([verdict, expectations.map(({ name, before, after }) => `${name} ${before} → ${after}`)]).toEqual([
      'equal',
      ['Ann is answered. 3 → 3', 'Ann is answered. (2) 0 → 0', 'Ann is answered. (3) 3 → 3'],
    ])
  })

  it('have pairs whatever the order and the number of their trials', () => {
    const before = results('main/', of('1'.repeat(20)))
    const after = results('change/', of('1'.repeat(10)))
    const shuffled = { ...after, runs: after.runs.toReversed() }
    expect(compareResults(before, shuffled).document).toMatchObject({
      ...{ pairs: 10, unpaired: 10, p: 1, verdict: 'equal', first_flip: null },
    })
  })

  it('are refused without any judged pair, or about different stories', () => {
    const before = results('main/', of('11'))
    const unjudged = results('change/', of('11'), { passed: false, not_judged: 'not-started' })
    const half = { ...before, runs: [unjudged.runs[0], before.runs[1]] as TrialRun[] }
    expect(compareResults(before, half).document.pairs).toBe(1)
    expect(() => compareResults(before, unjudged)).toThrow(/no judged trial of the same seed/)
    expect(() => compareResults(before, { ...before, scenario: 'other' })).toThrow(/different stories/)
  })
})
