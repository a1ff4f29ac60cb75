import { expect, it } from 'vitest'
import { DAY, formatTime, weekdayOf, workdayAfter, workdayBefore, yearOf } from './calendar.js'
import { formatHeaderDate } from './header-date.js'

const TUESDAY = 1_767_690_309_000
const MONDAY = 1
const FRIDAY = 5

it('writes times and header dates in UTC', () => {
  expect(formatTime(TUESDAY)).toBe('09:05')
  expect(formatTime(-1)).toBe('23:59')
  expect(yearOf(TUESDAY)).toBe(2026)
  expect(formatHeaderDate(TUESDAY)).toBe('Tue, 6 Jan 2026 09:05:09 +0000')
})

it('moves weekends to the nearest working day, and only those', () => {
  const saturday = TUESDAY + 4 * DAY
  const sunday = TUESDAY + 5 * DAY
  expect(workdayBefore(saturday)).toBe(saturday - DAY)
  expect(workdayBefore(sunday)).toBe(sunday - 2 * DAY)
  expect(weekdayOf(workdayBefore(sunday))).toBe(FRIDAY)
  expect(workdayAfter(saturday)).toBe(saturday + 2 * DAY)
  expect(workdayAfter(sunday)).toBe(sunday + DAY)
  expect(weekdayOf(workdayAfter(sunday))).toBe(MONDAY)
  expect(workdayBefore(TUESDAY)).toBe(TUESDAY)
  expect(workdayAfter(TUESDAY)).toBe(TUESDAY)
})
