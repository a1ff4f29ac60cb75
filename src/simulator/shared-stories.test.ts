import { expect, it } from 'vitest'
import type { Beginning } from '../world/index.js'
import { SharedStories, type Source } from './shared-stories.js'

/** Stories that are loaded by naming them; the names in `failing` cannot be. */
function stories(failing = new Set<string>()) {
  const loaded: string[] = []
  const shared = new SharedStories(async ({ scenario }, seed) => {
    loaded.push(`${typeof scenario === 'string' ? scenario : 'own'} ${seed}`)
    if (failing.has(scenario as string)) throw new Error('not now')
    return { scenario, seed } as unknown as Beginning
  })
  return { shared, loaded }
}

const shipped: Source = { scenario: 'empty' }

it('loads what ships once for each seed, however many want it at a time', async () => {
  const { shared, loaded } = stories()
  const got = await Promise.all([1, 1, 2, undefined, 1].map((seed) => shared.get(shipped, seed)))
  expect(loaded).toEqual(['empty 1', 'empty 2', 'empty undefined'])
  expect(got[0]).toBe(got[1])
  expect(got[4]).toBe(got[0])
  expect(got[2]).not.toBe(got[0])
})

it('loads anything else each time', async () => {
  const { shared, loaded } = stories()
  const own: Source = { scenario: { scenario: 'empty' } }
  for (const source of [own, own, { scenario: './empty.yaml' }, { scenario: './empty.yaml' }]) {
    await shared.get(source, 1)
  }
  expect(loaded).toEqual(['own 1', 'own 1', './empty.yaml 1', './empty.yaml 1'])
})

it('tries again what could not be loaded', async () => {
  const failing = new Set(['empty'])
  const { shared, loaded } = stories(failing)
  await expect(shared.get(shipped, 1)).rejects.toThrow('not now')
  failing.clear()
  await expect(shared.get(shipped, 1)).resolves.toMatchObject({ seed: 1 })
  expect(loaded).toEqual(['empty 1', 'empty 1'])
})

it('keeps eight, those that were wanted last', async () => {
  const { shared, loaded } = stories()
  const wanted = [1, 2, 3, 4, 5, 6, 7, 8, 1, 9]
  for (const seed of wanted) await shared.get(shipped, seed)
  loaded.length = 0
  for (const seed of [1, 9, 2]) await shared.get(shipped, seed)
  expect(loaded).toEqual(['empty 2'])
})
