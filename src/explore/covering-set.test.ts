import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gapIds } from '../contract/gaps.js'
import { anyRelied } from './any-relied.fixture.js'
import { type Change, changesOf, countChanges, formatChanges, listChanges, within } from './changes.js'
import { coveringSet } from './covering-set.js'
import type { ReliedGaps } from './relied.js'

const singlesOf = (relied: ReliedGaps): Change[] => {
  return [...relied.values()].flatMap(({ gap, instead }) => instead.map((reading) => ({ gap, reading })))
}

/** A dozen gaps with two to five readings each. */
const some = gapIds.filter((gap) => gap.startsWith('threads.'))

it('has any two changes of different gaps together in one set', async () => {
  const property = fc.asyncProperty(anyRelied(some), async (relied) => {
    const singles = singlesOf(relied)
    const sets = await coveringSet(singles)
    for (const one of singles) {
      for (const other of singles) {
        if (one.gap === other.gap) continue
        expect(sets.some((changes) => within(changesOf([one, other]), changes))).toBe(true)
      }
    }
  })
  await fc.assert(property, { numRuns: 30 })
})

it('has nothing but these changes, at least two in each set, and no set twice', async () => {
  const property = fc.asyncProperty(anyRelied(some), async (relied) => {
    const singles = singlesOf(relied)
    const sets = await coveringSet(singles)
    for (const changes of sets) {
      expect(countChanges(changes)).toBeGreaterThan(1)
      for (const change of listChanges(changes)) expect(singles).toContainEqual(change)
    }
    expect(new Set(sets.map(formatChanges)).size).toBe(sets.length)
  })
  await fc.assert(property, { numRuns: 30 })
})

it('is the same for the same changes, and far smaller than all there could be', async () => {
  const singles = singlesOf(
    new Map(
      some.map((gap) => [gap, { gap, readings: [], instead: ['a', 'b'], fixed: false, operations: [] }]),
    ),
  )
  const sets = await coveringSet(singles)
  expect(await coveringSet(singles)).toEqual(sets)
  expect(singles.length).toBe(2 * some.length)
  expect(sets.length).toBeLessThan(3 * some.length)
})

it.each([[[]], [[{ gap: 'threads.total', reading: 'page-size' }]]] as const)(
  'is empty for %j',
  async (singles) => {
    expect(await coveringSet(singles)).toEqual([])
  },
)
