import { describe, expect, it } from 'vitest'
import { type IdKind, IdSource, idOf } from './ids.js'

const prefixes: [IdKind, string][] = [
  ['organization', 'org'],
  ['identity', 'ident'],
  ['thread', 'thrd'],
  ['message', 'msg'],
  ['attachment', 'att'],
  ['webhook', 'whk'],
]

describe('idOf', () => {
  it.each([
    [1, 'thrd_tczhsc80wx43mxb6', 'msg_f29vrb5fk8cls0k9'],
    [7, 'thrd_pmbwsqzxhsjxkm6n', 'msg_bsx7phlbkfmdkxx5'],
    [2026, 'thrd_h7z67l6wk9qv0l1d', 'msg_c55hv5ntkdq7k7fn'],
  ])('is the same on every machine for seed %i', (seed, thread, message) => {
    expect(idOf('thread', seed, 'a/b')).toBe(thread)
    expect(idOf('message', seed, 'a/b')).toBe(message)
  })

  it.each(prefixes)('starts an id of kind %s with %s_ and uses no vowels', (kind, prefix) => {
    for (let index = 0; index < 1000; index++) {
      const id = idOf(kind, 7, `place/${index}`)
      expect(id).toMatch(/^[a-z]+_[0-9a-z]{16}$/)
      expect(id.slice(0, prefix.length + 1)).toBe(`${prefix}_`)
      expect(id.slice(prefix.length + 1)).not.toMatch(/[aeiou]/)
    }
  })

  it('gives 200,000 different ids', () => {
    const ids = new Set<string>()
    for (let index = 0; index < 100_000; index++) {
      ids.add(idOf('message', 7, `identities/support/generate/${index}/1`))
      ids.add(idOf('message', 8, `identities/support/generate/${index}/1`))
    }
    expect(ids.size).toBe(200_000)
  })

  it('gives different ids, not only prefixes, for different kinds', () => {
    const opaque = new Set(prefixes.map(([kind]) => idOf(kind, 7, 'x').split('_')[1]))
    expect(opaque.size).toBe(prefixes.length)
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

  it('gives other ids for another seed', () => {
    expect(new IdSource(8).next('thread')).not.toBe(new IdSource(7).next('thread'))
  })
})
