import { describe, expect, it } from 'vitest'
import { type ExpectedValue, ValueMatcher } from './value-matcher.js'
import { describeExpected, formatValue } from './values.js'

const thread = { id: 'thrd_1', name: 'thread refund' }

describe('ValueMatcher', () => {
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
    [thread, ['thrd_1', ['thrd_2', 'thrd_1']], ['thrd_2', 'refund', null]],
  ])('%j matches %j but not %j', (wanted, fitting, others) => {
    const value = new ValueMatcher(wanted)
    expect(fitting.filter((found) => !value.asymmetricMatch(found))).toEqual([])
    expect(others.filter((found) => value.asymmetricMatch(found))).toEqual([])
  })

  it('is described in words, and within a larger value', () => {
    const wanted: ExpectedValue[] = [
      'a',
      5,
      null,
      { contains: 'a' },
      { contains: 'a', matches: 'b+' },
      { at_least: 2 },
      { at_least: 2, at_most: 3 },
      {},
      thread,
    ]
    const described = wanted.map((value) => [
      describeExpected({ x: new ValueMatcher(value) }),
      formatValue({ x: new ValueMatcher(value) }),
    ])
    expect(described).toMatchSnapshot()
  })

  it('matches nothing any more with a pattern that takes too long, and has a problem', () => {
    const value = new ValueMatcher({ matches: '^(a+)+$' })
    expect([value.asymmetricMatch('aaa'), value.problem]).toEqual([true, undefined])
    expect(value.asymmetricMatch(`${'a'.repeat(50)}!`)).toBe(false)
    expect(value.problem).toBe(
      'the pattern /^(a+)+$/ took longer than 250 ms for a text of 51 characters; simplify it',
    )
    expect(value.asymmetricMatch('aaa')).toBe(false)
    // What runs too long in one pattern ends nothing else.
    expect(new ValueMatcher({ matches: '^a+$' }).asymmetricMatch('aaa')).toBe(true)
  })
})
