import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RingBuffer } from './ring-buffer.js'

it('keeps the newest entries up to its capacity', () => {
  const steps = fc.array(fc.oneof({ weight: 20, arbitrary: fc.nat() }, fc.constant('clear' as const)))
  fc.assert(
    fc.property(fc.nat(7), steps, (capacity, all) => {
      const ring = new RingBuffer<number>({ entries: capacity })
      let list: number[] = []
      for (const step of all) {
        if (step === 'clear') {
          ring.clear()
          list = []
        } else {
          ring.push(step)
          list = [...list, step].slice(Math.max(0, list.length + 1 - capacity))
        }
        expect([...ring]).toEqual(list)
        expect(ring.size).toBe(list.length)
        const places = [-1, ...list.keys(), list.length]
        expect(places.map((place) => ring.at(place))).toEqual(places.map((place) => list[place]))
      }
    }),
  )
})

it('iterates over its entries at the start of the iteration', () => {
  const ring = new RingBuffer<string>({ entries: 2 })
  ring.push('first')
  ring.push('second')
  const read: string[] = []
  for (const entry of ring) {
    read.push(entry)
    ring.push(`after ${entry}`)
  }
  expect(read).toEqual(['first', 'second'])
  expect([...ring]).toEqual(['after first', 'after second'])
})

it('stays within its limit of bytes but always keeps the newest entry', () => {
  const ring = new RingBuffer<string>({ entries: 1000, bytes: 100 })
  for (let turn = 0; turn < 500; turn++) {
    ring.push(`entry ${turn}`, 30)
    expect(ring.bytes).toBeLessThanOrEqual(100)
    expect([...ring].at(-1)).toBe(`entry ${turn}`)
  }
  expect(ring.size).toBe(3)
  ring.push('huge', 1000)
  expect([...ring]).toEqual(['huge'])
  ring.push('small', 1)
  expect([...ring]).toEqual(['small'])
})
