import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Scope } from './base.js'

/** Steps from one position to the next: mostly neighbours, sometimes a gap. */
const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 30 })
/** Few keys, so that many positions share one; whole numbers close together, far apart, and fractions. */
const key = fc.constantFrom(
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(-(2 ** 52), 0, 2 ** 52),
  fc.constantFrom(0, 0.25, 0.5),
)
const keys = key.chain((one) => fc.array(one, { minLength: 100, maxLength: 100 }))

describe('a list of positions', () => {
  it('is sorted like a plain array, whatever runs it came in', () => {
    fc.assert(
      fc.property(gaps, keys, (steps, keyAt) => {
        const positions: number[] = []
        for (const step of steps) positions.push((positions.at(-1) ?? -1) + step)
        const [first, ...others] = positions as [number, ...number[]]
        const scope = new Scope(first)
        for (const position of others) scope.add(position)
        const keyOf = (position: number) => keyAt[position] as number
        const sorted = positions.toSorted((a, b) => keyOf(a) - keyOf(b) || a - b)
        expect([...scope.sortedBy(keyOf)]).toEqual(sorted)
        expect([...scope.sortedBy((position) => position)]).toEqual(positions)
      }),
    )
  })
})
