import { describe, expect, it } from 'vitest'
import { assumptionsOf, defaultAssumptions, gapIds, gaps } from '../../contract/gaps.js'
import { parseChoice, profileAssumptions } from './assumptions.js'

/** A refusal with this code. */
const refused = (code: string) => expect.objectContaining({ name: 'WorldError', code })

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
      expect(() => profileAssumptions(name)).toThrow(refused('unknown-profile'))
    },
  )
})

describe('parseChoice', () => {
  it('parses gap=assumption', () => {
    expect(parseChoice('threads.total=page-size')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice(' threads.total = page-size ')).toEqual({ 'threads.total': 'page-size' })
    expect(parseChoice('messages.of-an-extension=x')).toEqual({ 'messages.of-an-extension': 'x' })
  })

  it.each(['', 'threads.total', 'threads.total=page-size=x', '=page-size'])('refuses %j', (text) => {
    expect(() => parseChoice(text)).toThrow(refused('malformed'))
  })

  it.each(['', 'Page-Size'])('refuses the assumption "%s"', (name) => {
    expect(() => parseChoice(`threads.total=${name}`)).toThrow(refused('unknown-assumption'))
  })
})
