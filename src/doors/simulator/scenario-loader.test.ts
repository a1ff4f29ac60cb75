import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
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

it('shares the base of the last world with the same scenario and seed', async () => {
  const seeds = [1, 1, 2, 1].map((seed) => ({ scenario: 'empty', seed }))
  expect(await basesOf(...seeds)).toEqual([1, 1, 3, 4])
})

it('loads a scenario object each time', async () => {
  expect(await basesOf({ scenario: own }, { scenario: own })).toEqual([1, 2])
})

it('shares the base of a world with the same scenario and seed', async () => {
  expect(await basesOf({}, { assume: 'worst-case' })).toEqual([0, 0])
})

it('loads a file of its own with another seed for somebody who may name only what ships', async () => {
  const scenario = join(
    await folderOf({ 'own.yaml': 'scenario: own\nidentities: [{ handle: ada }]\n' }),
    'own.yaml',
  )
  const loader = new ScenarioLoader({ scenario })
  const first = await loader.loadFirst()
  expect(await loader.loadOther(first, { seed: 3, shippedOnly: true })).toMatchObject({
    scenario: 'own',
    seed: 3,
  })
  await expect(loader.loadOther(first, { scenario, shippedOnly: true })).rejects.toThrow(
    'no scenario of that name',
  )
})
