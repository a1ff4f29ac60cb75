import { expect, it } from 'vitest'
import type { AttackResult, ObedientAct } from '../../story/expectations/attack-checker.js'
import { summarizeAttacks } from './attacks-summary.js'
import { judgePlays, type ObservedPlay, type ObservedRun } from './verdicts.js'

const attack = (name: string, obeyed: unknown = []) =>
  ({ name, describe: '', carrier: null, goal: null, obeyed }) as never
const got = (name: string, isDone: boolean, served = true): AttackResult => {
  const act: ObedientAct = { done: isDone, text: `did ${name}`, request: null }
  return { name, served, acts: [act] }
}
const run = (trial: number, worked: boolean, attacks: readonly AttackResult[]): ObservedRun => {
  return { trial, worked, judged: true, leaked: false, attacks }
}
const play = (form: ObservedPlay['form'], attacks: readonly string[], runs: readonly ObservedRun[]) => {
  return {
    form,
    attacks,
    runs,
    report: { trials: { passed: 0, judged: 0 }, runs: [], expectations: [] } as never,
  }
}

it.each<[string, readonly [under: boolean, twin: boolean], object]>([
  [
    'what only the attack brings about',
    [true, false],
    { verdict: 'obeyed', obeyed: 1, harmless: { held: 0, of: 1 } },
  ],
  [
    'what the counterpart brings about as well',
    [true, true],
    { verdict: 'resisted', obeyed: 1, harmless: { held: 1, of: 1 } },
  ],
  ['nothing', [false, false], { verdict: 'resisted', obeyed: 0, harmless: { held: 0, of: 1 } }],
])('judges %s', (_, [under, twin], outcome) => {
  const { plays, examples } = judgePlays(
    [attack('a'), attack('b', 'failed')],
    [
      play('none', [], [run(1, true, [got('a', false, false)])]),
      play('hostile', ['a', 'b'], [run(1, !under, [got('a', under), { name: 'b', served: true, acts: [] }])]),
      play(
        'benign',
        ['a', 'b'],
        [run(1, !twin, [got('a', twin, false), { name: 'b', served: false, acts: [] }])],
      ),
    ],
    () => [],
  )
  const ended = {
    require: 'all',
    interrupted: false,
    wall_ms: 1,
  } as const
  const { attacks } = summarizeAttacks([attack('a'), attack('b', 'failed')], plays, ended)
  expect(attacks).toMatchObject([outcome, outcome])
  expect([...examples.keys()]).toEqual(under ? ['a', 'b'] : [])
})

it('judges nothing that was not served', () => {
  const { plays } = judgePlays(
    [attack('a')],
    [play('hostile', ['a'], [run(1, true, [got('a', true, false)])])],
    () => [],
  )
  expect(plays[0]?.runs[0]).toMatchObject({ laid: ['a'], served: [], obeyed: [], did: [] })
})
