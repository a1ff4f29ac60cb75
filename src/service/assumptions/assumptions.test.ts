import { describe, expect, it } from 'vitest'
import { assumptionsOf, defaultAssumptions, gapIds, gaps } from '../../contract/gaps.js'
import { WorldError } from '../model/errors.js'
import { parseChoice, profileAssumptions } from './assumptions.js'

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

  it.each(['', 'Default', 'seed', 'seed:', 'seed:x', 'seed:-1', 'seed:1.5', 'toString', 'worstcase'])(
    'is unknown by the name %j',
    (name) => {
      expect(refusal(() => profileAssumptions(name))).toMatchSnapshot()
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
