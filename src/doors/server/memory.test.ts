import { expect, it } from 'vitest'
import { LargeObjects } from './memory.js'

/** Returns texts of a megabyte each, which nothing else refers to. */
function largeTexts(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    Buffer.alloc(1_000_000, 65 + (index % 26)).toString('latin1'),
  )
}

it('gives back what large objects took', () => {
  const { heapUsed } = process.memoryUsage()
  const taken = (): number => process.memoryUsage().heapUsed - heapUsed
  const held = { texts: largeTexts(120) }
  expect(taken()).toBeGreaterThan(100_000_000)
  held.texts = []
  new LargeObjects().release(true)
  expect(taken()).toBeLessThan(40_000_000)
})
