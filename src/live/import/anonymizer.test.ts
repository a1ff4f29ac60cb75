import { expect, it } from 'vitest'
import { Anonymizer } from './anonymizer.js'

it('keeps addresses apart that differ only in their top-level domain', () => {
  const anonymizer = new Anonymizer(7)
  const addresses = ['ann@shop.example', 'ann@shop.com', 'Ann@Shop.example']
  const [first, second, again] = addresses.map((address) => anonymizer.address(address))
  expect(first).toMatch(/^[a-z]{3}@[a-z]{4}\.test$/)
  expect(second).not.toBe(first)
  expect(again?.toLowerCase()).toBe(first)
})

it('invents no word that begins or ends with a word of the mailbox', () => {
  const invented = new Anonymizer(7).text('lamps')
  for (const part of [invented, invented.slice(0, 4), invented.slice(1)]) {
    const anonymizer = new Anonymizer(7)
    anonymizer.note(part)
    expect(anonymizer.text('lamps')).not.toContain(part)
  }
})
