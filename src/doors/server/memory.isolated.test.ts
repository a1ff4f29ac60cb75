import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { LargeObjects } from './memory.js'

/** Returns the megabytes that large objects take. */
function taken(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'large_object_space')
  return (space?.space_used_size ?? 0) / 1e6
}

/** Returns texts of a megabyte each, which nothing else refers to. */
function largeTexts(count: number): string[] {
  return Array.from({ length: count }, () => Buffer.alloc(1_000_000, 'x').toString('latin1'))
}

it('gives back what large objects took', () => {
  const held = { texts: largeTexts(120) }
  const before = taken()
  expect(before).toBeGreaterThan(100)
  held.texts = []
  new LargeObjects().release(true)
  expect(taken()).toBeLessThan(before - 100)
})

it('leaves to the engine what was taken before, until it has grown', () => {
  const held = { texts: largeTexts(120) }
  const memory = new LargeObjects()
  const before = taken()
  held.texts = []
  memory.release()
  expect(taken()).toBeGreaterThan(before - 10)
  held.texts = largeTexts(60)
  held.texts = []
  memory.release()
  expect(taken()).toBeLessThan(before - 100)
})

it('gives back what many small objects took once hardly anything is left', async () => {
  const smallBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const memory = new LargeObjects()
  const held = { objects: Array.from({ length: 4_000_000 }, (_, index) => ({ index, of: [index] })) }
  const before = smallBytes()
  held.objects = []
  memory.release(true, () => false)
  expect(smallBytes()).toBeGreaterThan(before / 2)
  memory.release(true, () => true)
  await expect.poll(smallBytes).toBeLessThan(before / 2)
})

it.each([
  ['many requests', 6_000],
  ['few large requests', 20],
])('gives back what %s took, once they are over, also while a client polls', async (_, requests) => {
  let begun = 0
  const closed = new AbortController()
  const released = new LargeObjects().releaseAfterBursts(() => begun++, closed.signal, 5)
  const held = { objects: Array.from({ length: 1_000_000 }, (_, index) => ({ index, of: [index] })) }
  const before = getHeapStatistics().total_physical_size
  held.objects = []
  begun = requests
  await expect.poll(() => getHeapStatistics().total_physical_size).toBeLessThan(before - 40e6)
  closed.abort()
  await released
})
