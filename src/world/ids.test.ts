import { describe, expect, it } from 'vitest'
import { IdSource, idOf } from './ids.js'

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
