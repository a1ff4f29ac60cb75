import { expect, it } from 'vitest'
import { mismatches } from './matching.js'

it('matches a global pattern from the start of the text each time', () => {
  const expected = /refund/g
  for (const found of ['refund', 'a refund', 'refund']) {
    expect(mismatches('subject', expected, found)).toEqual([])
  }
  expect(mismatches('subject', expected, 'order')).toEqual([{ name: 'subject', expected, found: 'order' }])
})
