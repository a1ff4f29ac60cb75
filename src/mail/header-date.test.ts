import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInstant } from './header-date.js'

function readDate(header: string): string | undefined {
  const instant = readInstant(header)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

describe('readInstant', () => {
  it.each([
    ['Mon, 5 Jan 2026 09:00:00 A', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 CET', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 EDT', '2026-01-05T13:00:00.000Z'],
    ['Mon, 5 Jan 2026 9:00 +0530', '2026-01-05T03:30:00.000Z'],
    ['Mon,5 January 2026 09:00:00+0000', '2026-01-05T09:00:00.000Z'],
    ['Sun, 5 Jan 69 09:00:00 GMT', '1969-01-05T09:00:00.000Z'],
    ['5 Jan 49 09:00:00 GMT', '2049-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 126 09:00:00 GMT', '2026-01-05T09:00:00.000Z'],
    ['Thu, 31 Dec 2026 23:59:60 +0000', '2027-01-01T00:00:00.000Z'],
    ['Thu, 1 Jan 2026 00:30:00 +0100', '2025-12-31T23:30:00.000Z'],
    ['Sat, 28 Feb 2026 23:30:00 -0100', '2026-03-01T00:30:00.000Z'],
    ['Thu, 1 Jan 2026 00:00:00 -0000', '2026-01-01T00:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 -600', '2026-01-05T15:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 -05', '2026-01-05T14:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 GMT+1', '2026-01-05T08:00:00.000Z'],
    ['2026/1/5 09:00:00 +0100', '2026-01-05T08:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 +01:00', '2026-01-05T08:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 GMT+0100', '2026-01-05T08:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 (UTC)', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 (PST)', '2026-01-05T17:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 Europe/Berlin', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 9:00 AM', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 9:00:05 p.m. -0500', '2026-01-06T02:00:05.000Z'],
    ['Mon, 5 Jan 2026 12:10 AM', '2026-01-05T00:10:00.000Z'],
    ['Mon Jan  5 09:00:00 2026', '2026-01-05T09:00:00.000Z'],
    ['Mon Jan 5 09:00:00 PST 2026', '2026-01-05T17:00:00.000Z'],
    ['Jan 5, 2026 09:00:00 +0100', '2026-01-05T08:00:00.000Z'],
    ['Monday, 05-Jan-26 09:00:00 GMT', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05 09:00:00.123 +0100', '2026-01-05T08:00:00.000Z'],
    ['5 Jan 2026', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['Mon, 5 Jan 2026 9:5:7 +0000', '2026-01-05T09:05:07.000Z'],
    ['(one (two)) 5 Jan 2026 09:00 GMT (', '2026-01-05T09:00:00.000Z'],
  ])('parses %s', (header, instant) => {
    expect(readDate(header)).toBe(instant)
  })

  it('knows the zones of RFC 5322', () => {
    const hours = ['GMT', 'EDT', 'EST', 'CDT', 'CST', 'MDT', 'MST', 'PDT', 'PST'].map((zone) =>
      readDate(`Mon, 5 Jan 2026 09:00:00 ${zone}`)?.slice(11, 13),
    )
    expect(hours).toEqual(['09', '13', '14', '14', '15', '15', '16', '16', '17'])
  })

  it.each([
    'Mon, 5 Jan 2026 09:60:00 +0000',
    'Mon, 5 Jan 2026 24:00:00 +0000',
    '31 Feb 2026 09:00:00 +0000',
    '5 Janus 2026 09:00:00 +0000',
    '31 Dec 9999 23:59:59 -0100',
    '1 Jan 1900 00:00:00 +0100',
    '31 Dec 1899 00:00:00 +0000',
    '(5 Jan 2026 09:00:00 +0000',
  ])('returns undefined for %s', (header) => {
    expect(readDate(header)).toBeUndefined()
  })

  it('agrees with the engine on every complete date', () => {
    const range = { min: Date.UTC(1900, 0, 8), max: Date.UTC(9999, 11, 20) }
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(fc.integer(range), offset, (time, minutes) => {
        const instant = time - (time % 1000)
        const local = new Date(instant + minutes * 60_000).toUTCString().replace(' GMT', '')
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
        const zone = [hours, rest].map((part) => String(part).padStart(2, '0')).join('')
        const header = `${local} ${minutes < 0 ? '-' : '+'}${zone}`
        expect(readDate(header)).toBe(new Date(instant).toISOString())
      }),
      { numRuns: 1000 },
    )
  })
})
