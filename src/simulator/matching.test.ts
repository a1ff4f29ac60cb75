import { expect, it } from 'vitest'
import { distanceOf, mismatches } from './matching.js'

it('matches a global pattern from the start of the text each time', () => {
  const expected = /refund/g
  for (const found of ['refund', 'a refund', 'refund']) {
    expect(mismatches('subject', expected, found)).toEqual([])
  }
  expect(mismatches('subject', expected, 'order')).toEqual([{ name: 'subject', expected, found: 'order' }])
})

it('matches a number with its text but no other value', () => {
  const matches = (expected: number | boolean | null, found: unknown) =>
    mismatches('x', expected, found).length === 0
  expect([matches(5, '5'), matches(5, 5), matches(true, true), matches(null, null)]).not.toContain(false)
  expect([matches(5, '05'), matches(true, 'true'), matches(null, 'null')]).not.toContain(true)
})

it('weighs another operation or event more than other values', () => {
  const others = ['a', 'b', 'c'].map((name) => ({ name, expected: 1, found: 2 }))
  for (const name of ['operation', 'event']) {
    expect(distanceOf([{ name, expected: 'a', found: 'b' }])).toBeGreaterThan(distanceOf(others))
  }
})
