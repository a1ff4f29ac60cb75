import { describe, expect, it } from 'vitest'
import { merge, type Sequence, withoutHoles } from './sequence.js'

// That any sequence equals a sorted array is shown by the scans of mailbox-store.test.ts.
describe('a base of hundreds of thousands of rows', () => {
  const length = 400_000
  const base: Sequence = {
    length,
    keyAt: (position) => position,
    ordinalAt: (position) => position,
    ids: (start, count) => Array.from({ length: count }, (_, offset) => String(start + offset)),
  }

  it('skips a hole', () => {
    const ids = withoutHoles(base, [3]).ids(0, length - 1)
    expect(ids).toHaveLength(length - 1)
    expect(ids.slice(0, 5)).toEqual(['0', '1', '2', '4', '5'])
    expect(ids.at(-1)).toBe('399999')
  })

  it('reads a page without the rest', () => {
    let reads = 0
    const watched: Sequence = {
      ...base,
      keyAt: (position) => {
        reads++
        return position
      },
    }
    const own = { ...base, length: 1, keyAt: () => 200_000, ordinalAt: () => 999_999, ids: () => ['own'] }
    const ids = merge(withoutHoles(watched, [5, 200_001]), own).ids(199_999, 4)
    expect(ids).toEqual(['200000', 'own', '200002', '200003'])
    expect(reads).toBeLessThan(100)
  })
})
