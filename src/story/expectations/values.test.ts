import { expect, it } from 'vitest'
import { formatMismatch, mismatches } from './values.js'

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

it('shows characters by which texts differ that look equal', () => {
  const [one] = mismatches('text', 'Here it is.', 'Here it\u00a0is.\u200b')
  expect(one && formatMismatch(one)).toBe('text: expected "Here it is.", found "Here it\\u00a0is.\\u200b"')
})
