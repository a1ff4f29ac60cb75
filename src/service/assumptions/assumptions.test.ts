import { describe, expect, it } from 'vitest'
import { assumptionsOf, defaultAssumptions, gapIds, gaps } from '../../contract/gaps.js'
import { WorldError } from '../model/errors.js'
import { parseChoice, profileAssumptions, withChoices } from './assumptions.js'

/** Returns what a refused choice is told. */
function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof WorldError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

describe('a profile', () => {
  it.each(['default', 'worst-case', 'seed:0', 'seed:7'])('%s has an assumption for every gap', (name) => {
    const assumptions = profileAssumptions(name)
    expect(Object.keys(assumptions)).toEqual(gapIds)
    for (const gap of gapIds)
      expect(assumptionsOf(gap).map((assumption) => assumption.name)).toContain(assumptions[gap])
  })

  it('has the first assumption of every gap, or the worst one', () => {
    expect(profileAssumptions('default')).toEqual(defaultAssumptions)
    for (const gap of gapIds) expect(profileAssumptions('worst-case')[gap]).toBe(gaps[gap].worst)
  })

  it('has every assumption of every gap for some seed', () => {
    const met = new Set<string>()
    for (let seed = 0; seed < 100; seed++) {
      for (const [gap, assumption] of Object.entries(profileAssumptions(`seed:${seed}`)))
        met.add(`${gap}=${assumption}`)
    }
    const every = gapIds.flatMap((gap) => assumptionsOf(gap).map(({ name }) => `${gap}=${name}`))
    // It would let any open page read the responses.
    expect(every.filter((choice) => !met.has(choice))).toEqual(['format.cors=permissive'])
  })

  it.each(['', 'Default', 'seed', 'seed:', 'seed:x', 'seed:-1', 'seed:1.5', 'toString', 'worstcase'])(
    'is unknown by the name %j',
    (name) => {
      expect(refusal(() => profileAssumptions(name))).toMatchSnapshot()
    },
  )
})

describe('withChoices', () => {
  it('returns a new object with the given choices', () => {
    const before = JSON.stringify(defaultAssumptions)
    const assumptions = withChoices(defaultAssumptions, {
      'threads.total': 'page-size',
      'auth.missing-status': '403',
    })
    expect(assumptions).toEqual({
      ...defaultAssumptions,
      'threads.total': 'page-size',
      'auth.missing-status': '403',
    })
    expect(assumptions).not.toBe(defaultAssumptions)
    expect(JSON.stringify(defaultAssumptions)).toBe(before)
    expect(Object.isFrozen(assumptions)).toBe(true)
  })

  it.each([{ 'threads.totl': 'page-size' }, { weather: 'fine' }, { 'threads.total': 'pagesize' }])(
    'refuses %j',
    (choices) => {
      expect(refusal(() => withChoices(defaultAssumptions, choices))).toMatchSnapshot()
    },
  )
})

describe('parseChoice', () => {
  it('parses gap=assumption', () => {
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
