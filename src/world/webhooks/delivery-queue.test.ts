import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedLimit } from './delivery-queue.js'

/** Tasks that end on request, with a record of their order. */
function tasks(limit: KeyedLimit) {
  const begun: number[] = []
  const ended: number[] = []
  const settled: number[] = []
  const ends = new Map<number, () => void>()
  let inFlight = 0
  let most = 0
  return {
    begun,
    ended,
    settled,
    inFlight: () => [...ends.keys()],
    most: () => most,
    add(number: number) {
      const run = limit.run(
        'key',
        () =>
          new Promise<void>((resolve) => {
            begun.push(number)
            most = Math.max(most, ++inFlight)
            ends.set(number, () => {
              inFlight--
              ends.delete(number)
              ended.push(number)
              resolve()
            })
          }),
      )
      void run.then(() => settled.push(number))
    },
    end: (number: number) => ends.get(number)?.(),
  }
}

/** Waits for pending promises. */
async function followUp(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await undefined
}

describe('KeyedLimit', () => {
  it('runs all tasks in order, at most as many at a time as allowed', async () => {
    const steps = fc.array(fc.option(fc.nat(9)), { maxLength: 60 })
    const kept = fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (width, all) => {
      const notes = tasks(new KeyedLimit(width))
      let count = 0
      // A step adds a task, or ends one that is running.
      for (const step of all) {
        if (step === null) notes.add(count++)
        else notes.end(notes.inFlight()[step % Math.max(1, notes.inFlight().length)] ?? -1)
        await followUp()
        expect(notes.inFlight()).toHaveLength(Math.min(width, count - notes.ended.length))
      }
      while (notes.inFlight().length > 0) {
        notes.end(notes.inFlight()[0] as number)
        await followUp()
      }
      const everything = Array.from({ length: count }, (_, number) => number)
      expect(notes.begun).toEqual(everything)
      expect(notes.settled).toEqual(notes.ended)
      expect(notes.ended.toSorted((one, other) => one - other)).toEqual(everything)
      expect(notes.most()).toBeLessThanOrEqual(width)
    })
    await fc.assert(kept)
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
})
