import { describe, expect, it } from 'vitest'
import { didYouMean, nearestName, nearestNames } from './text.js'

const names = ['threads.total', 'threads.order', 'messages.total', 'messages.order', 'auth.keys']

describe('nearestNames', () => {
  it.each([
    ['threads.totl', ['threads.total']],
    ['Threads.Total', ['threads.total']],
    ['total', ['threads.total', 'messages.total']],
    ['ordr', ['threads.order', 'messages.order']],
    ['key', ['auth.keys']],
    ['mess', ['messages.total', 'messages.order']],
    ['weather', []],
    ['', []],
    ['.', []],
  ])('for %j are %j', (given, nearest) => {
    expect(nearestNames(given, names)).toEqual(nearest)
  })

  it('are four at most', () => {
    const many = Array.from({ length: 9 }, (_, index) => `area${index}.order`)
    expect(nearestNames('order', many)).toEqual(many.slice(0, 4))
  })

  it('are those with the fewest letters wrong', () => {
    expect(nearestNames('abcdefxx', ['abcdefgh', 'abcdefgx', 'abcdefxy'])).toEqual(['abcdefgx', 'abcdefxy'])
  })
})

describe('nearestName', () => {
  it('of a short name has but one letter wrong', () => {
    expect(nearestName('max', ['pat', 'mix'])).toBe('mix')
    expect(nearestName('max', ['pat', 'tom'])).toBeUndefined()
  })

  it('is one that was misspelt, and none that has it in it', () => {
    expect(nearestName('total', names)).toBe('threads.total')
    expect(nearestName('mess', names)).toBeUndefined()
  })
})

describe('didYouMean', () => {
  it('asks in words', () => {
    expect(didYouMean('threads.totl', names)).toBe('; did you mean "threads.total"?')
    expect(didYouMean('total', names)).toBe('; did you mean "threads.total" or "messages.total"?')
    expect(didYouMean('s.o', ['threads.order', 'messages.order', 'webhooks.order'])).toBe(
      '; did you mean "threads.order", "messages.order" or "webhooks.order"?',
    )
    expect(didYouMean('weather', names)).toBe('')
  })
})
