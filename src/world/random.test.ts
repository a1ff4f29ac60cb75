import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, hashText, mixNumber } from './random.js'

const count = 100_000

/** Returns how many of `count` values fall on each of `places`. */
function tally(count: number, places: number, draw: (index: number) => number): number[] {
  const counts = new Array<number>(places).fill(0)
  for (let index = 0; index < count; index++) {
    const place = draw(index)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

/** Checks that every count is near its share; the seeds are fixed, so this is no matter of luck. */
function expectEven(counts: readonly number[]): void {
  const share = count / counts.length
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(count)
  expect(Math.min(...counts)).toBeGreaterThan(share * 0.9)
  expect(Math.max(...counts)).toBeLessThan(share * 1.1)
}

describe('createRandom', () => {
  it.each([
    [1, [46162, 667930, 244327, 861911]],
    [7, [76621, 74440, 958160, 956639]],
    [2026, [154591, 337055, 769773, 885501]],
  ])('is the same on every machine for seed %i', (seed, values) => {
    const random = createRandom(seed, 'identities/support')
    expect(values.map(() => random.integer(0, 999_999))).toEqual(values)
  })

  it('depends on seed and path only', () => {
    const draw = (seed: number, path: string) => {
      const random = createRandom(seed, path)
      return [random.next(), random.next()]
    }
    const first = draw(7, 'threads/1')
    createRandom(7, 'threads/1').next()
    expect(draw(7, 'threads/1')).toEqual(first)
    const others = [draw(7, 'threads/2'), draw(8, 'threads/1'), draw(-7, 'threads/1'), draw(7, '')]
    expect(new Set([first, ...others].flat()).size).toBe(10)
  })

  it('is uniform over values, paths and seeds', () => {
    const random = createRandom(7, 'even')
    const within = tally(count, 20, () => Math.floor(random.next() * 20))
    expectEven(within)
    const across = tally(count, 20, (index) => Math.floor(createRandom(7, `threads/${index}`).next() * 20))
    expectEven(across)
    const bySeed = tally(count, 20, (index) => Math.floor(createRandom(index, 'threads').next() * 20))
    expectEven(bySeed)
  })

  it('gives integers between both bounds, inclusive', () => {
    const random = createRandom(1, 'integers')
    expectEven(tally(count, 7, () => random.integer(-3, 3) + 3))
    expect(random.integer(5, 5)).toBe(5)
  })

  it('gives chances with their probability', () => {
    const random = createRandom(1, 'chances')
    expect(tally(1000, 2, () => Number(random.chance(0)))).toEqual([1000, 0])
    expect(tally(1000, 2, () => Number(random.chance(1)))).toEqual([0, 1000])
    const third = tally(count, 2, () => Number(random.chance(1 / 3)))[1] as number
    expect(third / count).toBeCloseTo(1 / 3, 1)
  })

  it('picks items uniformly or by weight', () => {
    const random = createRandom(1, 'picks')
    expectEven(tally(count, 5, () => random.pick([0, 1, 2, 3, 4])))
    const items = [
      { place: 0, weight: 6 },
      { place: 1, weight: 0 },
      { place: 2, weight: 3 },
      { place: 3, weight: 1 },
    ]
    const [most = 0, none, some = 0, few = 0] = tally(count, 4, () => random.weighted(items).place)
    expect(none).toBe(0)
    expect(most / some).toBeCloseTo(2, 0)
    expect(some / few).toBeCloseTo(3, 0)
  })

  it('refuses to pick from an empty list', () => {
    const random = createRandom(1, 'nothing')
    expect(() => random.pick([])).toThrow(RangeError)
    expect(() => random.weighted([])).toThrow(RangeError)
  })
})

describe('hashText', () => {
  it.each([
    [1, [2932371774, 2216399257, 369507913, 822239834]],
    [7, [1336016935, 4236007003, 1493955461, 2272559491]],
    [2026, [1594921254, 3350227694, 353160897, 1339365482]],
  ])('is the same on every machine for seed %i', (seed, words) => {
    expect(hashText('identities/support', seed)).toEqual(words)
  })

  it('gives four independent words', () => {
    const hashes = Array.from({ length: 400 }, (_, index) => {
      const words = hashText(`text ${index}`)
      return words.reduce((bits, word) => (bits << 32n) | BigInt(word), 0n)
    })
    const [first = 0n, ...others] = hashes
    expect(rankOf(others.map((hash) => hash ^ first))).toBe(128)
  })

  it('changes with any letter and with their order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
        const same = hashText(a).join() === hashText(b).join()
        expect(same).toBe(a === b)
        expect(hashText(`${a}xy`)).not.toEqual(hashText(`${a}yx`))
      }),
    )
  })
})

/** Returns the rank of the numbers as vectors of bits. */
function rankOf(numbers: readonly bigint[]): number {
  const byHighestBit = new Map<number, bigint>()
  for (const number of numbers) {
    let left = number
    while (left > 0n) {
      const highest = left.toString(2).length
      const known = byHighestBit.get(highest)
      if (known === undefined) byHighestBit.set(highest, left)
      left ^= known ?? left
    }
  }
  return byHighestBit.size
}

describe('mixNumber', () => {
  it.each([
    [1, [580771925, 163019789, 2669322789, 3546010066]],
    [7, [801578425, 1096457949, 3357503602, 1832519195]],
    [2026, [931122202, 3117450315, 3886844238, 3636665925]],
  ])('is the same on every machine for seed %i', (seed, mixed) => {
    expect(mixed.map((_, value) => mixNumber(value, seed))).toEqual(mixed)
  })

  it('maps numbers to different ones, uniformly', () => {
    const mixed = Array.from({ length: count }, (_, value) => mixNumber(value, 7))
    expect(new Set(mixed).size).toBe(count)
    expectEven(tally(count, 16, (value) => Math.floor((mixed[value] as number) / 2 ** 28)))
  })
})
