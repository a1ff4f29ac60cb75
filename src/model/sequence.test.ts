import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge, type Sequence, withoutHoles } from './sequence.js'

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
