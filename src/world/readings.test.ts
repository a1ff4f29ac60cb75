import { describe, expect, it } from 'vitest'
import { defaultReadings, gapIds, gaps, readingsOf } from '../contract/gaps.js'
import { ReadingError } from './errors.js'
import { parseChoice, profileReadings, withChoices } from './readings.js'

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ReadingError) return error.code
    throw error
  }
  return 'none'
}

describe('a profile', () => {
  it.each(['default', 'worst-case', 'seed:0', 'seed:7'])('%s has a reading for every gap', (name) => {
    const readings = profileReadings(name)
    expect(Object.keys(readings)).toEqual(gapIds)
    for (const gap of gapIds) expect(readingsOf(gap).map((reading) => reading.name)).toContain(readings[gap])
  })

  it('has the first reading of every gap, or the worst one', () => {
    expect(profileReadings('default')).toEqual(defaultReadings)
    for (const gap of gapIds) expect(profileReadings('worst-case')[gap]).toBe(gaps[gap].worst)
  })

  it('has every reading of every gap for some seed', () => {
    const met = new Set<string>()
    for (let seed = 0; seed < 100; seed++) {
      for (const [gap, reading] of Object.entries(profileReadings(`seed:${seed}`)))
        met.add(`${gap}=${reading}`)
    }
    const every = gapIds.flatMap((gap) => readingsOf(gap).map(({ name }) => `${gap}=${name}`))
    // It would let any open page read the answers.
    expect(every.filter((choice) => !met.has(choice))).toEqual(['format.cors=permissive'])
  })

  it.each(['', 'Default', 'seed', 'seed:', 'seed:x', 'seed:-1', 'seed:1.5', 'toString'])(
    'is unknown by the name %j',
    (name) => {
      expect(codeOf(() => profileReadings(name))).toBe('unknown-profile')
    },
  )

  it('is refused by an unknown name with the nearest one', () => {
    expect(() => profileReadings('worstcase')).toThrow(
      'There is no profile "worstcase"; did you mean "worst-case"? The profiles are default, worst-case, seed:<n>.',
    )
    expect(() => profileReadings('none of them')).toThrow(
      'There is no profile "none of them"; the profiles are default, worst-case, seed:<n>.',
    )
  })
})

describe('withChoices', () => {
  it('returns a new object with the given choices', () => {
    const before = JSON.stringify(defaultReadings)
    const readings = withChoices(defaultReadings, {
      'threads.total': 'page-size',
      'auth.missing-status': '403',
    })
    expect(readings).toEqual({
      ...defaultReadings,
      'threads.total': 'page-size',
      'auth.missing-status': '403',
    })
    expect(readings).not.toBe(defaultReadings)
    expect(JSON.stringify(defaultReadings)).toBe(before)
    expect(Object.isFrozen(readings)).toBe(true)
  })

  it.each([
    [
      { 'threads.totl': 'page-size' },
      'unknown-gap',
      'There is no gap "threads.totl"; did you mean "threads.total"?',
    ],
    [
      { weather: 'fine' },
      'unknown-gap',
      'There is no gap "weather"; npx agent-mailbox-sim readings list shows them all, with --extend FILE also those of an extension.',
    ],
    [
      { 'threads.total': 'pagesize' },
      'unknown-reading',
      '"pagesize" is not a reading of threads.total; did you mean "page-size"? Choose one of all-matches, page-size, all-threads.',
    ],
  ])('refuses %j as %s and suggests a remedy', (choices, code, message) => {
    expect(() => withChoices(defaultReadings, choices)).toThrow(message)
    expect(codeOf(() => withChoices(defaultReadings, choices))).toBe(code)
  })
})

describe('parseChoice', () => {
  it('parses gap=reading', () => {
    expect(parseChoice('threads.total=page-size')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice(' threads.total = page-size ')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice('messages.of-an-extension=x')).toEqual({ 'messages.of-an-extension': 'x' })
  })

  it.each([
    ['', 'malformed'],
    ['threads.total', 'malformed'],
    ['threads.total=page-size=x', 'malformed'],
    ['=page-size', 'malformed'],
    ['threads.total=', 'unknown-reading'],
    ['threads.total=Page-Size', 'unknown-reading'],
  ])('refuses %j as %s', (text, code) => {
    expect(codeOf(() => parseChoice(text))).toBe(code)
  })
})
