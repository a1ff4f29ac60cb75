import { describe, expect, it } from 'vitest'
import { yieldToEventLoop } from '../../service/time/wall-time.js'
import { PatternTime } from './bounded-pattern.js'
import { linearEngine } from './linear-pattern.js'
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

  it('has an answer for patterns that would take exponential time, and many of them', async () => {
    await linearEngine().load()
    const time = new PatternTime()
    const patterns = Array.from({ length: 30 }, (_, index) => {
      return new ValueMatcher({ matches: `^(a+)+(b|b?)(${index})?$`, flags: 'i' }, time)
    })
    const texts = ['a'.repeat(5000), `${'a'.repeat(5000)}!`, 'A']
    for (const one of patterns) {
      expect([...texts.map((text) => one.asymmetricMatch(text)), one.problem]).toEqual([
        true,
        false,
        true,
        undefined,
      ])
      await yieldToEventLoop()
    }
  })

  it('matches nothing with a pattern that times out and has no linear form, and has a problem', () => {
    const matches = '^(a+)+\\1$'
    const patient = new ValueMatcher({ matches }, undefined, 60_000)
    expect(patient.asymmetricMatch('aaa')).toBe(true)
    expect(patient.problem).toBeUndefined()
    const value = new ValueMatcher({ matches }, undefined, 50)
    expect(value.asymmetricMatch(`${'a'.repeat(50)}!`)).toBe(false)
    const problem = 'the pattern /^(a+)+\\1$/ timed out after 50 ms on a text of 51 characters; simplify it'
    expect([value.problem, value.latestProblem]).toEqual([problem, problem])
    expect(value.asymmetricMatch('aaa')).toBe(false)
  })

  it('tries only quick patterns in a pass in which patterns have taken too long, and every one in the next', async () => {
    const time = new PatternTime()
    const [one, other, quick] = ['b+', '(c+)+\\1', 'b+'].map((matches) => new ValueMatcher({ matches }, time))
    const long = 'b'.repeat(2_000)
    const matches = () => [
      one?.asymmetricMatch(long),
      other?.asymmetricMatch('cc'),
      quick?.asymmetricMatch('b'),
    ]
    expect(matches()).toEqual([true, true, true])
    time.spend(1000)
    expect(matches()).toEqual([false, false, true])
    expect(one?.problem).toBe('the pattern /b+/ was not tried: earlier patterns took too long')
    await yieldToEventLoop()
    await yieldToEventLoop()
    expect(matches()).toEqual([true, true, true])
  })

  it('spends little more time on many patterns that time out than on one', () => {
    const time = new PatternTime()
    const texts = [...'abcdefghijklmnopqrst'].map((letter) => `${letter.repeat(50)}!`)
    let spent = 0
    const spend = time.spend.bind(time)
    time.spend = (milliseconds) => {
      spent += milliseconds
      // As if each text were of another pass.
      spend(0)
    }
    for (const text of texts) {
      const value = new ValueMatcher({ matches: `^(${text[0]}+)+\\1$` }, time)
      expect([value.asymmetricMatch(text), value.problem]).toEqual([
        false,
        expect.stringContaining('timed out'),
      ])
    }
    expect(spent).toBeLessThan(300)
  })

  it('counts the time of every match of a pass, however short each one is', () => {
    const time = new PatternTime()
    // Takes milliseconds for each text, and a second for all of them.
    const slow = new ValueMatcher({ matches: '(a+)+\\1!' }, time)
    const text = 'a'.repeat(2_000)
    let tried = 0
    while (slow.problem === undefined && tried < 10_000) {
      slow.asymmetricMatch(text)
      tried++
    }
    expect(slow.problem).toMatch(/was not tried: earlier patterns took too long|timed out/)
  })
})
