import { expect, it } from 'vitest'
import type { Story } from '../../story/story.js'

import type { WorldOptions } from './options.js'
import { ScenarioLoader } from './scenario-loader.js'

const own = { scenario: 'own' }

/** Loads the scenarios of additional worlds; returns for each the position of the first equal base. */
async function basesOf(...wanted: WorldOptions[]): Promise<number[]> {
  const loader = new ScenarioLoader({ scenario: own })
  const first = await loader.loadFirst()
  const loaded: Story[] = []
  for (const options of wanted) loaded.push(await loader.loadOther(first, options))
  const bases = [first, ...loaded].map(({ base }) => base)
  return bases.slice(1).map((base) => bases.indexOf(base))
}

it('loads a shipped scenario once for each seed', async () => {
  const seeds = [1, 1, 2, undefined, 1].map((seed) => ({ scenario: 'empty', seed }))
  expect(await basesOf(...seeds)).toEqual([1, 1, 3, 4, 1])
})

it('loads a scenario once for concurrent requests', async () => {
  const loader = new ScenarioLoader({ scenario: own })
  const first = await loader.loadFirst()
  const wanted = { scenario: 'empty', seed: 1 }
  const [one, other] = await Promise.all([loader.loadOther(first, wanted), loader.loadOther(first, wanted)])
  expect(one?.base).toBe(other?.base)
})

it('loads a scenario object each time', async () => {
  expect(await basesOf({ scenario: own }, { scenario: own })).toEqual([1, 2])
})

it('shares the base of a world with the same scenario and seed', async () => {
  expect(await basesOf({}, { assume: 'worst-case' })).toEqual([0, 0])
})

it('caches the eight most recently used scenarios', async () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 1, 9, 2].map((seed) => ({ scenario: 'empty', seed }))
  expect((await basesOf(...seeds)).slice(8)).toEqual([1, 10, 1, 10, 13])
})
