import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyRelied } from '../../test/support/explore/any-relied.fixture.js'
import { gapIds } from '../contract/gaps.js'
import { type Change, changesOf, countChanges, formatChanges, isSubset, listChanges } from './changes.js'
import type { ReliedGaps } from './relied.js'
import { coveringSets } from './survey.js'
import { mapLimited } from './variants.js'

const singlesOf = (relied: ReliedGaps): Change[] => {
  return [...relied.values()].flatMap(({ gap, instead }) => instead.map((reading) => ({ gap, reading })))
}

/** A dozen gaps with two to five readings each. */
const some = gapIds.filter((gap) => gap.startsWith('threads.'))

it('covers any two changes of different gaps', async () => {
  const property = fc.asyncProperty(anyRelied(some), async (relied) => {
    const singles = singlesOf(relied)
    const sets = await coveringSets(singles)
    for (const one of singles) {
      for (const other of singles) {
        if (one.gap === other.gap) continue
        expect(sets.some((changes) => isSubset(changesOf([one, other]), changes))).toBe(true)
      }
    }
  })
  await fc.assert(property, { numRuns: 10 })
})

it('returns different sets of at least two of the changes', async () => {
  const property = fc.asyncProperty(anyRelied(some), async (relied) => {
    const singles = singlesOf(relied)
    const sets = await coveringSets(singles)
    for (const changes of sets) {
      expect(countChanges(changes)).toBeGreaterThan(1)
      for (const change of listChanges(changes)) expect(singles).toContainEqual(change)
    }
    expect(new Set(sets.map(formatChanges)).size).toBe(sets.length)
  })
  await fc.assert(property, { numRuns: 10 })
})

it('returns reproducible and few sets', async () => {
  const singles = singlesOf(
    new Map(
      some.map((gap) => [
        gap,
        { gap, readings: [], instead: ['a', 'b'], same: [], fixed: false, operations: [] },
      ]),
    ),
  )
  const sets = await coveringSets(singles)
  expect(await coveringSets(singles)).toEqual(sets)
  expect(singles.length).toBe(2 * some.length)
  expect(sets.length).toBeLessThan(3 * some.length)
})

it.each([[[]], [[{ gap: 'threads.total', reading: 'page-size' }]]] as const)(
  'returns no sets for %j',
  async (singles) => {
    expect(await coveringSets(singles)).toEqual([])
  },
)

/** Returns a promise that is fulfilled by calling `open`. */
function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

it('returns results in the order of the items', async () => {
  const gate = createGate()
  const results = await mapLimited(2, [1, 2, 3], async (item) => {
    if (item === 1) await gate.passed
    if (item === 3) gate.open()
    return 10 * item
  })
  expect(results).toEqual([10, 20, 30])
})

it('starts items in order and runs at most the limit at a time', async () => {
  let now = 0
  let most = 0
  const begun: number[] = []
  await mapLimited(3, [0, 1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item)
    most = Math.max(most, ++now)
    await Promise.resolve()
    now--
  })
  expect(most).toBe(3)
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

it('waits for the other items after a failure', async () => {
  const gate = createGate()
  const ended: string[] = []
  const all = mapLimited(2, ['fails', 'takes long'], async (item) => {
    if (item === 'fails') throw new Error('no')
    await gate.passed
    ended.push(item)
  })
  gate.open()
  await expect(all).rejects.toThrow('no')
  expect(ended).toEqual(['takes long'])
})
