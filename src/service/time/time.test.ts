import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, formatMailDate, parseDuration, parseInstant } from './time.js'

describe('parseDuration', () => {
  it('parses one or several units', () => {
    const rows = [
      ['0s', 0],
      ['1ms', 1],
      ['250ms', 250],
      ['90s', 90_000],
      ['5m', 300_000],
      ['1h30m', 5_400_000],
      ['2d', 172_800_000],
      ['1w', 604_800_000],
      ['1w2d3h4m5s6ms', 788_645_006],
      ['1.5h', 5_400_000],
      ['0.25s', 250],
      ['1m1ms', 60_001],
      ['30m1h', 5_400_000],
      ['-2d', -172_800_000],
      ['-1h30m', -5_400_000],
      ['007s', 7000],
    ] as const
    expect(rows.map(([text]) => [text, parseDuration(text)])).toEqual(rows)
  })

  it('returns whole milliseconds', () => {
    expect(1.005 * 1000).not.toBe(1005)
    expect(parseDuration('1.005s')).toBe(1005)
    expect(parseDuration('0.4ms')).toBe(0)
    expect(parseDuration('-1.005s')).toBe(-1005)
  })

  it('refuses other texts', () => {
    const all = [
      ...'5 s - +5m --5m 5m-1s 1,5h .5h 1.h 5M 5min 1e3s PT5M 1y ٥m'.split(' '),
      ...['', ' ', '5 m', ' 5m', '5m ', '5m\n', '5 minutes', `${'9'.repeat(30)}s`, `${'9'.repeat(400)}w`],
    ]
    expect(all.filter((text) => parseDuration(text) !== undefined)).toEqual([])
  })
})

describe('parseInstant', () => {
  it('parses a day, or an instant with its zone', () => {
    const rows = [
      ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00.000Z'],
      ['2026-01-05T09:00:00.25Z', '2026-01-05T09:00:00.250Z'],
      ['2026-01-05T09:00:00.123456789Z', '2026-01-05T09:00:00.123Z'],
      ['2026-01-05T09:00Z', '2026-01-05T09:00:00.000Z'],
      ['2026-01-05T09:00:00+01:00', '2026-01-05T08:00:00.000Z'],
      ['2026-01-05T09:00:00-0530', '2026-01-05T14:30:00.000Z'],
      ['2026-01-05', '2026-01-05T00:00:00.000Z'],
      ['2026-01-05T24:00:00Z', '2026-01-06T00:00:00.000Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
      ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
      ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ] as const
    expect(rows.map(([text]) => [text, formatInstant(parseInstant(text) ?? Number.NaN)])).toEqual(rows)
  })

  it('refuses other texts', () => {
    const all = [
      '',
      ...'now 2026 2026-01 20260105 2026-1-5 05.01.2026 01/05/2026 1767603600000 +002026-01-05T09:00:00Z'.split(
        ' ',
      ),
      ...'2026-01-05T09 2026-01-05T09:00:00 2026-01-05t09:00:00z 2026-01-05T09:00:00.Z'.split(' '),
      ...'2026-01-05T25:00:00Z 2026-01-05T24:00:01Z 2026-01-05T09:60:00Z 2026-01-05T09:00:60Z'.split(' '),
      ...'2026-01-05T09:00:00+24:00 2026-02-29T00:00:00Z 2026-04-31T10:00:00+0200'.split(' '),
      ...'2026-13-01 2026-00-01 2026-01-32 2026-01-00 2026-02-30'.split(' '),
      '2026-01-05 09:00:00Z',
      '2026-01-05T09:00:00 Z',
      '2026-01-05T09:00:00Z\n',
      'Mon, 05 Jan 2026 09:00:00 +0000',
    ]
    expect(all.filter((text) => parseInstant(text) !== undefined)).toEqual([])
  })
})

describe('formatInstant', () => {
  it('writes milliseconds by default, or seconds', () => {
    const instant = Date.UTC(2026, 0, 5, 9, 0, 7, 89)
    expect(formatInstant(instant)).toBe('2026-01-05T09:00:07.089Z')
    expect(formatInstant(instant, 'milliseconds')).toBe('2026-01-05T09:00:07.089Z')
    expect(formatInstant(instant, 'seconds')).toBe('2026-01-05T09:00:07Z')
    expect(formatInstant(-1, 'seconds')).toBe('1969-12-31T23:59:59Z')
  })

  it('is reversed by parseInstant', () => {
    const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(0), max: lastInstant }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant)
        expect(parseInstant(formatInstant(instant, 'seconds'))).toBe(Math.floor(instant / 1000) * 1000)
      }),
    )
  })
})

describe('formatMailDate', () => {
  it.each([
    ['2026-01-05T09:00:00Z', 'Mon, 05 Jan 2026 09:00:00 +0000'],
    ['2024-02-29T23:59:59.999Z', 'Thu, 29 Feb 2024 23:59:59 +0000'],
    ['1970-01-01T00:00:00Z', 'Thu, 01 Jan 1970 00:00:00 +0000'],
  ])('formats %s', (text, date) => {
    expect(formatMailDate(parseInstant(text) ?? Number.NaN)).toBe(date)
  })
})
