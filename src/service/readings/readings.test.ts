import { describe, expect, it } from 'vitest'
import { defaultReadings, gapIds, gaps, readingsOf } from '../../contract/gaps.js'
import { ReadingError } from '../model/errors.js'
import { parseChoice, profileReadings, withChoices } from './readings.js'

/** Returns what a refused choice is told. */
function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ReadingError) return `${error.code}: ${error.message}`
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
    // It would let any open page read the responses.
    expect(every.filter((choice) => !met.has(choice))).toEqual(['format.cors=permissive'])
  })

  it.each(['', 'Default', 'seed', 'seed:', 'seed:x', 'seed:-1', 'seed:1.5', 'toString', 'worstcase'])(
    'is unknown by the name %j',
    (name) => {
      expect(refusal(() => profileReadings(name))).toMatchSnapshot()
    },
  )
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

  it.each([{ 'threads.totl': 'page-size' }, { weather: 'fine' }, { 'threads.total': 'pagesize' }])(
    'refuses %j',
    (choices) => {
      expect(refusal(() => withChoices(defaultReadings, choices))).toMatchSnapshot()
    },
  )
})

describe('parseChoice', () => {
  it('parses gap=reading', () => {
    expect(parseChoice('threads.total=page-size')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice(' threads.total = page-size ')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice('messages.of-an-extension=x')).toEqual({ 'messages.of-an-extension': 'x' })
  })

  it.each([
    ...['', 'threads.total', 'threads.total=page-size=x', '=page-size', 'threads.total='],
    'threads.total=Page-Size',
  ])('refuses %j', (text) => {
    expect(refusal(() => parseChoice(text))).toMatchSnapshot()
  })
})
