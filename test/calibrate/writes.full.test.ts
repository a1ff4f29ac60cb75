import { expect, it } from 'vitest'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import { mailboxOf, seedsToTry } from './instance.js'
import { judge } from './judge.js'

const byWrites = gapIds.filter((gap) => gaps[gap].learnedBy === 'writes')

it('learns everything that updates reveal, and the rate limit, under any readings', {
  timeout: 600_000,
}, async () => {
  for (let seed = 0; seed < seedsToTry(4); seed++) {
    const { learned, wrong, simulator } = await judge(mailboxOf(40), `seed:${seed}`, {
      needs: ['reads', 'writes', 'burst'],
      agent: '@support',
    })
    expect(wrong, `seed:${seed}`).toEqual([])
    expect(learned, `seed:${seed}`).toEqual(expect.arrayContaining([...byWrites, 'limits.rate']))
    const { display_name, description } = simulator.identities.get('support') as never as Record<
      string,
      unknown
    >
    expect({ display_name, description }).toEqual({
      display_name: 'Support',
      description: 'Answers customers',
    })
  }
})
