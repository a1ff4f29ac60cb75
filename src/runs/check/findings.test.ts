import { expect, it } from 'vitest'
import type { KindName } from './disturbance.js'
import { repeatsNeeded, sorted, type Tried, type TriedPlan } from './findings.js'
import { documentUnder, failuresOf, judgedUndisturbed } from './judging.js'

/** A play in which some expectations fail, by their keys. */
const play = (...failed: string[]): Tried => ({
  failures: failed.map((key) => ({ key, problem: key, expected: '', found: '' })),
  ...{ isSpoiled: false, judgedBy: 1, wallMs: 1 },
})

const spoiled: Tried = { ...play(), isSpoiled: true }

function tried(id: string, first: Tried, ...others: Tried[]): TriedPlan {
  const [kind = '', group = ''] = id.split('/')
  return { plan: { id, kind: kind as KindName, group }, results: [first, ...others] }
}

const idsOf = (plans: readonly TriedPlan[]): string[] => plans.map(({ plan }) => plan.id)

it('merges the same failure of a kind, and keeps apart kinds, and the gaps of assumptions', () => {
  const { suspects } = sorted([
    tried('faults/a/1', play('sent'), play('sent')),
    tried('restarts/a', play('sent'), play('sent')),
    tried('faults/b/1', play('sent')),
    tried('assumptions/threads.total/x', play('command'), play('command')),
    tried('assumptions/threads.total/y', play('command')),
    tried('assumptions/threads.order/x', play('command'), play('command')),
  ])
  expect(suspects.map(({ main, also }) => [main.plan.id, ...idsOf(also)])).toEqual([
    ['faults/a/1', 'faults/b/1'],
    ['restarts/a'],
    ['assumptions/threads.total/x', 'assumptions/threads.total/y'],
    ['assumptions/threads.order/x'],
  ])
})

it('finds nothing certain in what fails only once, in another way, or beside a model that was too busy', () => {
  const all = sorted([
    tried('faults/once', play('sent'), play()),
    tried('faults/otherwise', play('sent'), play('command')),
    tried('faults/alone', play('leak')),
    tried('faults/busy', spoiled),
    tried('faults/fine', play()),
  ])
  expect(all.suspects).toEqual([])
  expect(idsOf(all.unsure)).toEqual(['faults/once', 'faults/otherwise', 'faults/alone'])
  expect([idsOf(all.spoiled), idsOf(all.passed)]).toEqual([['faults/busy'], ['faults/fine']])
})

it('repeats failures the more often the more plays fail by accident', () => {
  const steady = Array.from({ length: 60 }, (_, index) => tried(`faults/${index}`, play()))
  const accidents = Array.from({ length: 6 }, (_, index) => tried(`mail/${index}`, play('sent'), play()))
  const twice = { plays: 2, passed: 2 }
  expect(repeatsNeeded(60, twice, sorted(steady))).toBe(2)
  expect(repeatsNeeded(66, twice, sorted([...steady, ...accidents]))).toBe(4)
  // One disturbance alone says little about accidents.
  expect(repeatsNeeded(1, twice, sorted([]))).toBe(3)
})

it('expects no second reply to a message, and the invariants that the scenario does not name', () => {
  const keysOf = (expect: object[], invariants = {}) => {
    const document = { scenario: 'desk', expect, invariants }
    return judgedUndisturbed({ document } as never).map(({ key }) => key)
  }
  expect(keysOf([])).toContain('replies-once')
  expect(keysOf([{ invariant: 'acts-once' }])).toContain('replies-once')
  expect(keysOf([], { 'acts-once': 'off' })).not.toContain('replies-once')
  expect(keysOf([])).toContain('backs-off')
  expect(keysOf([{ invariant: 'backs-off' }])).not.toContain('backs-off')
})

it('judges the invariants that the scenario names under any disturbance', () => {
  const written = [{ invariant: 'backs-off' }, { sent: { to: 'ann@example.com' } }]
  const baseline = {
    held: new Set(['expect 0', 'expect 1', 'accepts-events']),
    answered: [],
    acts: new Set<string>(),
  }
  const disturbance = { id: 'mail/bounce/start/support', kind: 'mail', words: '', advice: '' } as const
  const { judged } = documentUnder(disturbance, { document: { expect: written } } as never, baseline)
  expect(judged.map(({ key }) => key)).toEqual(['expect 0', 'accepts-events'])
})

it.each([
  ['once all has come', {}, { played: [], never: [] }, ['expect 0', 'disturbance']],
  ['not if something never came', {}, { played: [], never: ['1m receive'] }, ['expect 0']],
  [
    'once that mail has come',
    { after: 'own' },
    { played: [{ name: 'own' }], never: ['x'] },
    ['expect 0', 'disturbance'],
  ],
  ['not without that mail', { after: 'own' }, { played: [], never: [] }, ['expect 0']],
] as const)('expects what a disturbance asks for: %s', (_, written, timeline, keys) => {
  const result = { passed: false, kind: 'sent', describe: '', expected: '', found: '', nearest: null }
  const verdicts = [0, 1].map((index) => ({ ...result, index }))
  const report = { timeline, verdicts, runaway: null, command: null }
  const judged = [
    { key: 'expect 0', written: {} },
    { key: 'disturbance', written },
  ]
  const failures = failuresOf({ played: { attacks: [] }, report } as never, judged as never)
  expect(failures.map(({ key }) => key)).toEqual(keys)
})
