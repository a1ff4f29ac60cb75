import { describe, expect, it } from 'vitest'
import { searchAgent as search } from './search-agent.js'

describe('fuzz, in many runs', () => {
  it.each([
    ['takes-the-oldest-for-the-newest', 18],
    ['stops-at-total-of-many', 19],
  ])('removes from a large plan what %s does not need', async (agent, seed) => {
    const { findings } = await search(agent, 60, seed)
    expect(findings.map(({ elements }) => elements.length)).toEqual([2])
  })

  it('drops a finding that a smaller one of the same cause explains', async () => {
    const { findings } = await search('leaves-out-the-last-page', 60, 2)
    const causes = findings.map(({ failure }) => failure.cause)
    expect(causes).toContainEqual(expect.stringContaining('expectation'))
    expect(new Set(causes).size).toBe(causes.length)
  })
})
