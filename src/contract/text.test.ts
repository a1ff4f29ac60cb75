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
  ])('returns for %j: %j', (given, nearest) => {
    expect(nearestNames(given, names)).toEqual(nearest)
  })

  it('returns at most four names', () => {
    const many = Array.from({ length: 9 }, (_, index) => `area${index}.order`)
    expect(nearestNames('order', many)).toEqual(many.slice(0, 4))
  })

  it('returns the names with the fewest wrong letters', () => {
    expect(nearestNames('abcdefxx', ['abcdefgh', 'abcdefgx', 'abcdefxy'])).toEqual(['abcdefgx', 'abcdefxy'])
  })
})

describe('nearestName', () => {
  it('accepts one wrong letter in a short name', () => {
    expect(nearestName('max', ['pat', 'mix'])).toBe('mix')
    expect(nearestName('max', ['pat', 'tom'])).toBeUndefined()
  })

  it('returns a misspelled name but none that merely contains the text', () => {
    expect(nearestName('total', names)).toBe('threads.total')
    expect(nearestName('mess', names)).toBeUndefined()
  })
})

describe('didYouMean', () => {
  it('joins the nearest names into a question', () => {
    expect(didYouMean('threads.totl', names)).toBe('; did you mean "threads.total"?')
    expect(didYouMean('total', names)).toBe('; did you mean "threads.total" or "messages.total"?')
    expect(didYouMean('s.o', ['threads.order', 'messages.order', 'webhooks.order'])).toBe(
      '; did you mean "threads.order", "messages.order" or "webhooks.order"?',
    )
    expect(didYouMean('weather', names)).toBe('')
  })
})
