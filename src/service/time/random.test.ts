import { describe, expect, it } from 'vitest'
import { createRandom, hashText, IdSource, idOf, mixNumber } from './random.js'

// The values are pinned, so nothing here measures how even they are: they were when they were pinned.

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

  it('gives integers between both bounds, chances and picks with their probability', () => {
    const random = createRandom(1, 'draws')
    const share = (draw: () => unknown) =>
      Array.from({ length: 10_000 }, draw).filter(Boolean).length / 10_000
    const integers = Array.from({ length: 1000 }, () => random.integer(-3, 3))
    expect([...new Set(integers)].sort((a, b) => a - b)).toEqual([-3, -2, -1, 0, 1, 2, 3])
    expect([share(() => random.chance(0)), share(() => random.chance(1))]).toEqual([0, 1])
    expect(share(() => random.chance(1 / 3))).toBeCloseTo(1 / 3, 1)
    expect(share(() => random.pick([0, 1, 2, 3]) === 3)).toBeCloseTo(1 / 4, 1)
    const items = [6, 0, 3, 1].map((weight) => ({ weight }))
    for (const { weight } of items) {
      expect(share(() => random.weighted(items).weight === weight)).toBeCloseTo(weight / 10, 1)
    }
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
})

describe('mixNumber', () => {
  it.each([
    [1, [580771925, 163019789, 2669322789, 3546010066]],
    [7, [801578425, 1096457949, 3357503602, 1832519195]],
    [2026, [931122202, 3117450315, 3886844238, 3636665925]],
  ])('is the same on every machine for seed %i', (seed, mixed) => {
    expect(mixed.map((_, value) => mixNumber(value, seed))).toEqual(mixed)
  })
})

describe('idOf', () => {
  it.each([
    [1, 'thrd_tczhsc80wx43mxb6', 'msg_f29vrb5fk8cls0k9'],
    [7, 'thrd_pmbwsqzxhsjxkm6n', 'msg_bsx7phlbkfmdkxx5'],
    [2026, 'thrd_h7z67l6wk9qv0l1d', 'msg_c55hv5ntkdq7k7fn'],
  ])('is the same on every machine for seed %i', (seed, thread, message) => {
    expect(idOf('thread', seed, 'a/b')).toBe(thread)
    expect(idOf('message', seed, 'a/b')).toBe(message)
  })

  it('uses no vowels after the prefix', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => idOf('message', 7, `place/${index}`))
    expect(ids.filter((id) => !/^msg_[0-9bcdfghj-np-tv-z]{16}$/.test(id))).toEqual([])
  })
})

describe('IdSource', () => {
  it('gives the same ids for the same seed, separately for each kind', () => {
    const [one, other] = [new IdSource(7), new IdSource(7)]
    const ids = [one.next('thread'), one.next('message'), one.next('thread')]
    const [first, second] = [other.next('thread'), other.next('thread')]
    expect([first, other.next('message'), second]).toEqual(ids)
    expect(new Set(ids).size).toBe(3)
  })
})
