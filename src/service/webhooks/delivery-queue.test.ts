import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedLimit } from './delivery-queue.js'

/** Waits for pending promises. */
async function followUp(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await undefined
}

describe('KeyedLimit', () => {
  it('runs all tasks in order, at most as many at a time as allowed', async () => {
    const steps = fc.array(fc.option(fc.nat(9), { freq: 2 }), { maxLength: 60, size: 'max' })
    const kept = fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (width, all) => {
      const limit = new KeyedLimit(width)
      const [begun, ended]: [number[], number[]] = [[], []]
      const ends: (() => void)[] = []
      let count = 0
      // A step adds a task, or ends one that is running.
      for (const step of [...all, ...Array(60).fill(0)]) {
        const number = count
        if (step === null) {
          const task = () => new Promise<void>((end) => void [begun.push(number), ends.push(end)])
          void limit.run('key', task).then(() => ended.push(number))
          count++
        } else ends.splice(step % Math.max(1, ends.length), 1)[0]?.()
        await followUp()
        expect(ends).toHaveLength(Math.min(width, count - ended.length))
      }
      const everything = Array.from({ length: count }, (_, number) => number)
      expect(begun).toEqual(everything)
      expect(ended.toSorted((one, other) => one - other)).toEqual(everything)
    })
    await fc.assert(kept, { numRuns: 25 })
  })

  it('keeps the order of a key whose queue was empty in between', async () => {
    const limit = new KeyedLimit(1)
    const done: string[] = []
    const slowly = (name: string) => async () => {
      await followUp()
      done.push(name)
    }
    await limit.run('a', slowly('first'))
    // At the very moment at which the queue is empty.
    const second = limit.run('a', slowly('second'))
    await Promise.all([second, limit.run('a', slowly('third'))])
    expect(done).toEqual(['first', 'second', 'third'])
  })

  it('ends what waits without running it once it is cleared, and runs what comes later', async () => {
    const limit = new KeyedLimit(1)
    const done: string[] = []
    const run = (name: string) => limit.run('a', async () => void done.push(name))
    const ends: (() => void)[] = []
    const first = limit.run('a', () => new Promise((end) => ends.push(end)))
    const waiting = [run('second'), run('third')]
    limit.clear()
    await Promise.all(waiting)
    const later = run('later')
    expect(done).toEqual([])
    ends[0]?.()
    await Promise.all([first, later])
    expect(done).toEqual(['later'])
  })
})
