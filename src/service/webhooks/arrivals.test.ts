import { expect, it } from 'vitest'
import { Arrivals } from './arrivals.js'

it('hides only the latest messages of a burst, and none for longer than two seconds', () => {
  const arrivals = new Arrivals()
  for (let count = 0; count < 10_000; count++) {
    arrivals.note({ message: `msg_${count}`, at: 1000, unread: false, answered: false })
  }
  const unlisted = arrivals.unlisted(2999).map(({ message }) => message)
  expect([unlisted.length, unlisted.at(-1)]).toEqual([200, 'msg_9999'])
  expect(arrivals.unlisted(3000)).toEqual([])
})

it('returns the same list until something changes, so that what is made from it can be kept', () => {
  const arrivals = new Arrivals()
  arrivals.note({ message: 'msg_1', at: 1000, unread: false, answered: false })
  const unlisted = arrivals.unlisted(1500)
  expect(arrivals.unlisted(2000)).toBe(unlisted)
  expect(arrivals.unlisted(3000)).not.toBe(unlisted)
})
