import { expect, it } from 'vitest'
import { mismatches } from './matching.js'

it('compares with a global pattern from the start of the text each time', () => {
  const wanted = /refund/g
  for (const found of ['refund', 'a refund', 'refund']) {
    expect(mismatches('subject', wanted, found)).toEqual([])
  }
  expect(mismatches('subject', wanted, 'order')).toEqual([{ name: 'subject', wanted, found: 'order' }])
})
