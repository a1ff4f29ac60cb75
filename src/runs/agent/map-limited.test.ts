import { describe, expect, it } from 'vitest'
import { mapLimited } from './map-limited.js'

describe('mapLimited', () => {
  it('runs at most the limit at a time, and returns results in the order of the items', async () => {
    const running = { now: 0, most: 0 }
    const results = await mapLimited(3, [0, 1, 2, 3, 4, 5, 6, 7], async (item) => {
      running.most = Math.max(running.most, ++running.now)
      for (let turn = 8; turn > item; turn--) await Promise.resolve()
      running.now--
      return 10 * item
    })
    expect({ most: running.most, results }).toEqual({ most: 3, results: [0, 10, 20, 30, 40, 50, 60, 70] })
  })

  it('waits for the other items after a failure', async () => {
    const ended: string[] = []
    const all = mapLimited(2, ['fails', 'takes long'], async (item) => {
      if (item === 'fails') throw new Error('no')
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(item)
    })
    await expect(all).rejects.toThrow('no')
    expect(ended).toEqual(['takes long'])
  })
})
