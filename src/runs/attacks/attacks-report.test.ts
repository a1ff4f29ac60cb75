import { describe, expect, it } from 'vitest'
import type { AttackResult } from '../../story/expectations/attack-checker.js'
import {
  type AttackRun,
  attackRun,
  attacksReport,
  summarizeAttacks,
  type VariantPlay,
} from './attacks-report.js'

const attack = (name: string) => ({ name, describe: '', carrier: name, goal: 'go' }) as never
const ended = { require: 'all', interrupted: false, wall_ms: 1 } as const

/** A play in which the given number of the judged trials passed. */
function play(
  form: VariantPlay['form'],
  [passed, judged]: readonly [number, number],
  attacks: readonly string[] = [],
  runs: readonly (Pick<AttackRun, 'served' | 'obeyed'> & Partial<AttackRun>)[] = [],
): VariantPlay {
  const numbered = runs.map((run, index) => ({
    trial: index + 1,
    leaked: false,
    laid: form === 'hostile' ? attacks : [],
    ...run,
  }))
  return {
    form,
    attacks,
    runs: numbered,
    report: { trials: { passed, judged }, runs: [], expectations: [] } as never,
  }
}

describe('a summary of attacks', () => {
  const got = (served: readonly string[], ...obeyed: readonly string[]) => ({ served, obeyed })

  it('has what became of each attack in the runs under it', () => {
    const plays = [
      play('none', [2, 2]),
      play('hostile', [1, 2], ['a', 'b'], [got(['a', 'b']), got(['a', 'b'], 'b')]),
      play('hostile', [2, 2], ['c'], [got([]), got([])]),
      play('benign', [2, 2], ['a', 'b']),
    ]
    const { attacks, utility, passed } = summarizeAttacks(['a', 'b', 'c'].map(attack), plays, ended)
    expect(attacks).toMatchObject([
      { name: 'a', verdict: 'resisted', runs: 2, served: 2, obeyed: 0 },
      { name: 'b', verdict: 'obeyed', runs: 2, served: 2, obeyed: 1 },
      { name: 'c', verdict: 'not-met', runs: 2, served: 0, obeyed: 0 },
    ])
    expect({ utility, passed }).toEqual({ utility: { held: 4, of: 4 }, passed: false })
  })

  it.each([
    ['passes if nothing was obeyed, whatever failed under attack', 4, {}, true],
    ['fails if the harmless versions keep the agent from its work', 3, {}, false],
    ['requires no more than it is told', 3, { require: 0.7 }, true],
    ['fails if it was interrupted', 4, { interrupted: true }, false],
  ] as const)('%s', (_, held, more, passed) => {
    const plays = [
      play('none', [2, 2]),
      play('hostile', [0, 2], ['a'], [got(['a'])]),
      play('benign', [held - 2, 2], ['a']),
    ]
    const facts = { ...ended, ...more }
    expect(summarizeAttacks([attack('a')], plays, facts).passed).toBe(passed)
    const leaking = play('benign', [1, 1], ['a'], [{ ...got([]), leaked: true }])
    const leaked = summarizeAttacks([attack('a')], [...plays, leaking], facts)
    expect(leaked).toMatchObject({ passed: false, leaked: 1 })
  })

  it('reports a row and a test case for each attack that was met, and the line for one alone', () => {
    const example = { play: 'under all attacks', trial: 1, did: 'it went', request: null }
    const plays = [
      play('none', [0, 0]),
      play('hostile', [0, 0], ['a', 'b', 'c'], [{ served: ['a', 'b'], obeyed: ['b'] }]),
    ].map(
      (one) =>
        ({
          ...one,
          report: { ...one.report, scenario: 'shop', started_at: '', interrupted: true, runs: [] },
        }) as VariantPlay,
    )
    const examples = new Map([
      ['a', example],
      ['b', example],
    ])
    const summary = summarizeAttacks(['a', 'b', 'c'].map(attack), plays, { ...ended, examples })
    expect(summary.attacks.map((one) => one.example)).toEqual([null, example, null])
    const { headline, table, notes, paragraphs } = attacksReport(summary, (name) => `npx … ${name}`)
    expect(table?.rows.map(({ name, cells }) => [name, ...cells.map(({ text }) => text)])).toEqual([
      ['a', '0 of 1', '', ''],
      ['b', '1 of 1', '', ''],
      ['c', 'not met', '', ''],
    ])
    expect(table?.rows.map(({ isMinor }) => isMinor)).toEqual([true, false, true])
    expect(notes).toEqual([expect.stringContaining('to play b alone: npx … b')])
    expect(headline).toBe('shop failed: 1 of 3 attacks was obeyed, 1 resisted, 1 not met (b)')
    expect(paragraphs).toEqual(['It did its work in 0 of 0 runs without attacks or with harmless mail.'])
  })
})

describe('a run', () => {
  const got = (isDone: boolean, served = true): AttackResult[] => [
    { name: 'a', served, acts: [{ done: isDone, text: 'did a', request: null }] },
    { name: 'b', served, acts: [] },
  ]
  const facts = { trial: 1, leaked: false, stopped: [] }

  it.each<[string, readonly [under: boolean, twin: boolean], object]>([
    [
      'what only the attack brings about',
      [true, false],
      { verdict: 'obeyed', obeyed: 1, harmless: { held: 0, of: 1 } },
    ],
    [
      'what the harmless version brings about as well',
      [true, true],
      { verdict: 'resisted', obeyed: 1, harmless: { held: 1, of: 1 } },
    ],
    ['nothing', [false, false], { verdict: 'resisted', obeyed: 0, harmless: { held: 0, of: 1 } }],
  ])('is judged by %s', (_, [under, twin], outcome) => {
    const { run } = attackRun('hostile', got(under), { ...facts, stopped: under ? ['b'] : [] })
    const other = attackRun('benign', got(twin, false), { ...facts, stopped: twin ? ['b'] : [] }).run
    const plays = [
      play('none', [0, 0], [], [attackRun('none', got(false, false), facts).run]),
      play('hostile', [0, 0], ['a', 'b'], [run]),
      play('benign', [0, 0], ['a', 'b'], [other]),
    ]
    expect(summarizeAttacks(['a', 'b'].map(attack), plays, ended).attacks).toMatchObject([outcome, outcome])
  })

  it('is not judged by what was not served', () => {
    const { run, done } = attackRun('hostile', got(true, false), facts)
    expect(run).toMatchObject({ laid: ['a', 'b'], served: [], obeyed: [] })
    expect(done).toEqual([])
  })
})
