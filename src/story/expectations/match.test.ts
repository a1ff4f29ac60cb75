import { describe, expect, it, vi } from 'vitest'
import { type ExpectedValue, formatDifference, match, matchOf } from './match.js'

/** Returns whether a value is as a story expects it. */
const fits = (wanted: ExpectedValue, found: unknown) => match(matchOf(wanted), found, 'x').length === 0

describe('an expected value of a story', () => {
  it.each<[ExpectedValue, unknown[], unknown[]]>([
    ['a', ['a', ['b', 'a']], ['A', 'ab', null, undefined, ['b'], []]],
    [5, [5, '5'], [6, '5.0', null, true]],
    [true, [true, 'true'], [false, 1, null]],
    [null, [null], [undefined, '', 'null', 0, []]],
    [{ contains: 'fund' }, ['Refund', ['x', 'a fund']], ['Fund', 5, null, []]],
    [{ matches: '^\\p{Lu}' }, ['Änne', 'Refund'], ['refund', null, 5]],
    [{ contains: 'a', matches: 'b' }, ['ab', 'ba'], ['a', 'b']],
    [{ at_least: 2 }, [2, 3, '2', ' 3 '], [1, '1', '', 'many', null, true]],
    [{ at_most: 2 }, [2, '-1'], [3, '', null]],
    [{ at_least: 2, at_most: 3 }, [2, 3], [1, 4]],
    [{}, ['anything', null, 5], []],
  ])('%j matches %j but not %j', (wanted, fitting, others) => {
    expect(fitting.filter((found) => !fits(wanted, found))).toEqual([])
    expect(others.filter((found) => fits(wanted, found))).toEqual([])
  })

  it('cannot be matched by a pattern that takes too long, which ends nothing else', () => {
    const slow: ExpectedValue = { matches: '^(a+)+$' }
    expect(fits(slow, 'aaa')).toBe(true)
    expect(() => fits(slow, `${'a'.repeat(50)}!`)).toThrow(
      'the pattern /^(a+)+$/ took longer than 250 ms for a text of 51 characters; simplify it',
    )
    expect(fits({ matches: '^a+$' }, 'aaa')).toBe(true)
  })
})

it('matches a pattern where there are no modules of Node, as in a browser', async () => {
  vi.resetModules()
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  const { match, matchOf } = await import('./match.js')
  const found = (text: string) => match(matchOf({ matches: '^\\p{Lu}' }), text, 'x').length
  expect([found('Refund'), found('refund')]).toEqual([0, 1])
})

it('matches a global pattern from the start of the text each time', () => {
  const expected = /refund/g
  for (const found of ['refund', 'a refund', 'refund']) {
    expect(match(expected, found, 'subject')).toEqual([])
  }
  expect(match(expected, 'order', 'subject')).toEqual([{ name: 'subject', expected, found: 'order' }])
})

it('shows characters by which texts differ that look equal', () => {
  const [one] = match('Here it is.', 'Here it\u00a0is.\u200b', 'text')
  expect(one && formatDifference(one)).toBe('text: expected "Here it is.", found "Here it\\u00a0is.\\u200b"')
})
