import { describe, expect, it } from 'vitest'
import { counted, didYouMean, expectedOneOf, grouped, nearestName, wildcard } from './text.js'

const names = ['threads.total', 'threads.order', 'messages.total', 'messages.order', 'auth.keys']

describe('didYouMean', () => {
  it.each([
    ['threads.totl', '"threads.total"'],
    ['Threads.Total', '"threads.total"'],
    ['total', '"threads.total" or "messages.total"'],
    ['ordr', '"threads.order" or "messages.order"'],
    ['key', '"auth.keys"'],
    ['mess', '"messages.total" or "messages.order"'],
  ])('suggests for %j: %s', (given, suggested) => {
    expect(didYouMean(given, names)).toBe(`; did you mean ${suggested}?`)
  })

  it('suggests nothing for a text that is unlike all names', () => {
    for (const given of ['weather', '', '.']) expect(didYouMean(given, names)).toBe('')
  })

  it('suggests at most four names, those with the fewest wrong letters', () => {
    const many = Array.from({ length: 9 }, (_, index) => `area${index}.order`)
    const suggested = '"area0.order", "area1.order", "area2.order" or "area3.order"'
    expect(didYouMean('order', many)).toBe(`; did you mean ${suggested}?`)
    const near = '; did you mean "abcdefgx" or "abcdefxy"?'
    expect(didYouMean('abcdefxx', ['abcdefgh', 'abcdefgx', 'abcdefxy'])).toBe(near)
  })
})

describe('expectedOneOf', () => {
  it('lists the names if none is similar, and of many the first ones', () => {
    expect(expectedOneOf('key', names, '.')).toBe('; did you mean "auth.keys"?')
    expect(expectedOneOf('weather', ['a', 'b'], '.')).toBe('; expected one of a, b.')
    expect(expectedOneOf('weather', ['a'])).toBe('; expected a')
    expect(expectedOneOf('weather', [])).toBe('; there are none')
    const many = Array.from({ length: 30 }, (_, index) => `n${index}`)
    expect(expectedOneOf('weather', many)).toMatch(/; expected one of n0, .*, n19 and 10 more$/)
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

describe('counted', () => {
  it('groups digits by thousands', () => {
    expect([0, 1, 999, 1000].map((count) => counted(count, 'thread'))).toEqual([
      '0 threads',
      '1 thread',
      '999 threads',
      '1,000 threads',
    ])
    expect(counted(2, 'delivery', 'deliveries')).toBe('2 deliveries')
    expect(grouped('1234567', '.')).toBe('1.234.567')
  })
})

describe('wildcard', () => {
  it.each([
    ['ann@mail.example', 'ann@mail.example joann@mail.example ann@mailxexample', '1 0 0'],
    ['*@invalid.example', 'ann@invalid.example ann@invalid.example.test', '1 0'],
    ['*@*.invalid', 'ann@box.invalid ann@invalid', '1 0'],
    ['a*a@b', 'a@b aa@b', '0 1'],
    ['*a*a*@b', 'xaxax@b xax@b', '1 0'],
  ])('with %s matches %s: %s', (pattern, texts, fits) => {
    expect(
      texts
        .split(' ')
        .map((text) => (wildcard(pattern)(text) ? '1' : '0'))
        .join(' '),
    ).toBe(fits)
  })

  it('does not backtrack over many ways to match', () => {
    for (const pattern of ['/*a*a*a*b', `/${'*a'.repeat(500)}*b`, `*${'ab*'.repeat(200)}c`]) {
      const fits = wildcard(pattern)
      for (let turn = 0; turn < 1000; turn++) expect(fits(`/${'a'.repeat(4000)}`)).toBe(false)
    }
  })
})
