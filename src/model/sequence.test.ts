import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptySequence, lowerBound, merge, positionOf, type Sequence, withoutHoles } from './sequence.js'

interface Entry {
  readonly key: number
  readonly ordinal: number
}

/** A sequence with the plain array that it must equal. */
interface Compared {
  readonly sequence: Sequence
  readonly entries: readonly Entry[]
}

const highestKey = 4
const highestOrdinal = 30

const idOf = ({ key, ordinal }: Entry) => `${key}/${ordinal}`
const sorted = (entries: readonly Entry[]) =>
  entries.toSorted((a, b) => a.key - b.key || a.ordinal - b.ordinal)

function sequenceOf(entries: readonly Entry[]): Sequence {
  return {
    length: entries.length,
    keyAt: (position) => (entries[position] as Entry).key,
    ordinalAt: (position) => (entries[position] as Entry).ordinal,
    ids: (start, count) => entries.slice(start, start + count).map(idOf),
  }
}

function plain(entries: readonly Entry[]): Compared {
  const inOrder = sorted(entries)
  return { sequence: sequenceOf(inOrder), entries: inOrder }
}

function merged(a: Compared, b: Compared): Compared {
  return { sequence: merge(a.sequence, b.sequence), entries: sorted([...a.entries, ...b.entries]) }
}

function pierced({ sequence, entries }: Compared, choices: readonly boolean[]): Compared {
  const holes = entries.flatMap((_, position) => (choices[position] ? [position] : []))
  return {
    sequence: withoutHoles(sequence, holes),
    entries: entries.filter((_, position) => !holes.includes(position)),
  }
}

const entry = fc.record({
  key: fc.integer({ min: 0, max: highestKey }),
  ordinal: fc.integer({ min: 0, max: highestOrdinal }),
})

/** Few keys and many ordinals, so that most keys have several ordinals; a union can have a row twice. */
const leaf = fc.uniqueArray(entry, { selector: idOf, maxLength: 12 }).map(plain)

const { compared } = fc.letrec<{ compared: Compared }>((tie) => ({
  compared: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('compared'), fc.array(fc.boolean(), { maxLength: 24 }))
      .map(([of, holes]) => pierced(of, holes)),
    fc.tuple(tie('compared'), tie('compared')).map(([a, b]) => merged(a, b)),
  ),
}))

function expectSame({ sequence, entries }: Compared): void {
  const { length } = entries
  expect(sequence.length).toBe(length)
  expect(entries.map((_, position) => sequence.keyAt(position))).toEqual(entries.map(({ key }) => key))
  const ordinals = entries.map((_, position) => sequence.ordinalAt(position))
  expect(ordinals).toEqual(entries.map(({ ordinal }) => ordinal))
  const ids = entries.map(idOf)
  for (let start = 0; start <= length; start++) {
    for (let count = 0; start + count <= length; count++) {
      expect(sequence.ids(start, count)).toEqual(ids.slice(start, start + count))
    }
  }
}

describe('a sequence made of arrays, holes and merges', () => {
  it('equals the sorted array for every start and count', () => {
    fc.assert(fc.property(compared, expectSame), { numRuns: 400 })
  })

  it('finds bounds and positions like a scan', () => {
    fc.assert(
      fc.property(compared, ({ sequence, entries }) => {
        for (let key = -1; key <= highestKey + 1; key++) {
          for (let ordinal = -1; ordinal <= highestOrdinal + 1; ordinal += 2) {
            const bound = entries.findIndex((e) => e.key > key || (e.key === key && e.ordinal >= ordinal))
            const exact = entries.findIndex((e) => e.key === key && e.ordinal === ordinal)
            expect(lowerBound(sequence, key, ordinal)).toBe(bound < 0 ? entries.length : bound)
            expect(positionOf(sequence, key, ordinal)).toBe(exact)
          }
        }
      }),
    )
  })

  it('has a row twice if both lists have it', () => {
    const both = plain([
      { key: 1, ordinal: 1 },
      { key: 1, ordinal: 2 },
    ])
    expect(merge(both.sequence, both.sequence).ids(0, 4)).toEqual(['1/1', '1/1', '1/2', '1/2'])
  })
})

describe('a merge of lists of a hundred rows', () => {
  it('is sorted and respects holes', () => {
    const from = (first: number): Compared =>
      plain(
        Array.from({ length: 100 }, (_, place) => ({
          key: Math.floor(place / 3),
          ordinal: first + 2 * place,
        })),
      )
    const isHole = Array.from({ length: 100 }, (_, place) => place % 7 === 0)
    const { sequence, entries } = merged(pierced(from(0), isHole), from(1))
    const ids = entries.map(idOf)
    for (const [position, { key, ordinal }] of entries.entries()) {
      expect(sequence.ids(position, Math.min(9, ids.length - position))).toEqual(
        ids.slice(position, position + 9),
      )
      expect(positionOf(sequence, key, ordinal)).toBe(position)
    }
  })
})

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
    const own = plain([{ key: 200_000, ordinal: 999_999 }]).sequence
    const ids = merge(withoutHoles(watched, [5, 200_001]), own).ids(199_999, 4)
    expect(ids).toEqual(['200000', '200000/999999', '200002', '200003'])
    expect(reads).toBeLessThan(100)
  })
})

describe('the empty sequence', () => {
  it('adds nothing to a merge', () => {
    const some = plain([{ key: 1, ordinal: 1 }])
    expectSame({ sequence: emptySequence, entries: [] })
    expectSame({ sequence: merge(emptySequence, some.sequence), entries: some.entries })
    expectSame({ sequence: merge(some.sequence, emptySequence), entries: some.entries })
    expectSame({ sequence: withoutHoles(some.sequence, [0]), entries: [] })
  })
})
