import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { ScenarioLoader } from './scenario-loader.js'

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
