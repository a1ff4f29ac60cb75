import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInstant, receivedInstant } from './header-date.js'
import { parseEml } from './parse-eml.js'

// small-mails.jsonl has the forms of dates in real mail.
it('agrees with the engine on every complete date', () => {
  const range = { min: Date.UTC(1900, 0, 8), max: Date.UTC(9999, 11, 20) }
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
  fc.assert(
    fc.property(fc.integer(range), offset, (time, minutes) => {
      const instant = time - (time % 1000)
      const local = new Date(instant + minutes * 60_000).toUTCString().replace(' GMT', '')
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const zone = [hours, rest].map((part) => String(part).padStart(2, '0')).join('')
      expect(readInstant(`${local} ${minutes < 0 ? '-' : '+'}${zone}`)).toBe(instant)
    }),
    { numRuns: 1000 },
  )
})

describe('receivedInstant', () => {
  const dateOf = (...headers: string[]) =>
    receivedInstant(parseEml([...headers, '', ''].join('\r\n')).headers)

  it('returns the latest valid date', () => {
    const date = dateOf(
      'Received: from a.example by b.example; Mon, 5 Jan 2026 09:00:00 +0000',
      'Received: from c.example (c.example [192.0.2.1]; really)',
      '\tby a.example; Mon, 5 Jan 2026 12:30:00 +0200 (EET)',
      'RECEIVED: by c.example; Mon, 5 Jan 2026 09:30:00 +0000',
      'Received: by d.example; yesterday',
      'X-Received: by e.example; Mon, 5 Jan 2026 23:00:00 +0000',
    )
    expect(date).toBe(Date.parse('2026-01-05T10:30:00.000Z'))
  })

  it('returns undefined without a valid date', () => {
    const invalid = 'Received: by d.example; 31 Feb 2026 09:00:00 +0000'
    expect(dateOf('Received: by d.example', invalid)).toBeUndefined()
    expect(dateOf('Subject: Hello')).toBeUndefined()
  })
})
