import { describe, expect, it } from 'vitest'
import { DAY } from '../../facts/calendar.js'
import { formatDate, formatDay, formatMonth, partOfDay } from './dates.js'

const TUESDAY = 1_767_690_309_000

describe('days in English words', () => {
  it.each([
    [0, 'Thursday, 1 January', '1 January 1970'],
    [-1, 'Wednesday, 31 December', '31 December 1969'],
    [951_782_400_000, 'Tuesday, 29 February', '29 February 2000'],
    [951_868_800_000, 'Wednesday, 1 March', '1 March 2000'],
    [1_709_164_800_000, 'Thursday, 29 February', '29 February 2024'],
    [1_735_689_599_999, 'Tuesday, 31 December', '31 December 2024'],
    [TUESDAY, 'Tuesday, 6 January', '6 January 2026'],
    [4_107_542_400_000, 'Monday, 1 March', '1 March 2100'],
  ])('writes %i', (at, day, date) => {
    expect(formatDay(at)).toBe(day)
    expect(formatDate(at)).toBe(date)
  })

  it('names the month and knows the part of the day', () => {
    expect(formatMonth(TUESDAY)).toBe('January')
    expect(partOfDay(TUESDAY)).toBe('morning')
    expect(partOfDay(TUESDAY + DAY / 4)).toBe('afternoon')
    expect(partOfDay(TUESDAY + DAY / 2)).toBe('evening')
  })
})
