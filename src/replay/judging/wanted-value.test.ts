import { describe, expect, it } from 'vitest'
import { showValue } from '../../simulator/matching.js'
import type { ExpectedValue } from '../../world/index.js'
import { describeWanted, WantedValue } from './wanted-value.js'

const thread = { threadId: 'thrd_1', key: 'refund' }

describe('a value that is expected', () => {
  it.each<[ExpectedValue, unknown[], unknown[]]>([
    ['a', ['a', ['b', 'a']], ['A', 'ab', null, undefined, ['b'], []]],
    [5, [5, '5'], [6, '5.0', null, true]],
    [true, [true, 'true'], [false, 1, null]],
    [null, [null], [undefined, '', 'null', 0, []]],
    [{ contains: 'fund' }, ['Refund', ['x', 'a fund']], ['Fund', 5, null, []]],
    [{ matches: '^\\p{Lu}' }, ['Änne', 'Refund'], ['refund', null, 5]],
    [{ contains: 'a', matches: 'b' }, ['ab', 'ba'], ['a', 'b']],
    [{ atLeast: 2 }, [2, 3, '2', ' 3 '], [1, '1', '', 'many', null, true]],
    [{ atMost: 2 }, [2, '-1'], [3, '', null]],
    [{ atLeast: 2, atMost: 3 }, [2, 3], [1, 4]],
    [{}, ['anything', null, 5], []],
    [thread, ['thrd_1', ['thrd_2', 'thrd_1']], ['thrd_2', 'refund', null]],
  ])('%j is %j, and not %j', (wanted, fitting, others) => {
    const value = new WantedValue(wanted)
    expect(fitting.filter((found) => !value.asymmetricMatch(found))).toEqual([])
    expect(others.filter((found) => value.asymmetricMatch(found))).toEqual([])
  })

  it.each<[ExpectedValue, string, string]>([
    ['a', '"a"', 'x "a"'],
    [5, '5', 'x 5'],
    [null, 'null', 'x null'],
    [{ contains: 'a' }, 'text containing "a"', 'x containing "a"'],
    [
      { contains: 'a', matches: 'b+' },
      'text containing "a" and matching /b+/',
      'x containing "a" and matching /b+/',
    ],
    [{ atLeast: 2 }, 'at least 2', 'x of at least 2'],
    [{ atLeast: 2, atMost: 3 }, 'at least 2 and at most 3', 'x of at least 2 and of at most 3'],
    [{}, 'anything', 'x anything'],
    [thread, '"thrd_1" (thread refund)', 'x "thrd_1" (thread refund)'],
  ])('%j is told as %s', (wanted, text, described) => {
    expect(new WantedValue(wanted).toAsymmetricMatcher()).toBe(text)
    expect(describeWanted({ x: wanted })).toBe(described)
  })

  it.each<[ExpectedValue, string]>([
    ['a', '{"x":"a"}'],
    [5, '{"x":5}'],
    [null, '{"x":null}'],
    [{ contains: 'a' }, '{"x":"text containing \\"a\\""}'],
  ])('%j is shown within a larger value', (wanted, text) => {
    expect(showValue({ x: new WantedValue(wanted) })).toBe(text)
  })
})
