/** Days and times by arithmetic alone, in UTC, from milliseconds since the epoch. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const SATURDAY = 6
const SUNDAY = 0

/** A day of the Gregorian calendar. */
export interface CalendarDay {
  readonly year: number
  /** 0 is January. */
  readonly month: number
  readonly day: number
}

/** Writes the time of day on a clock of 24 hours, e.g. `09:05`. */
export function formatTime(at: number): string {
  const minutes = Math.floor((at - startOfDay(at)) / MINUTE)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** The calendar year, e.g. `2026`. */
export function yearOf(at: number): number {
  return calendarDay(at).year
}

/** The first millisecond of the day. */
export function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}

/** The same time on that day, or on the Friday before a weekend. */
export function workdayBefore(at: number): number {
  const day = weekdayOf(at)
  if (day === SATURDAY) return at - DAY
  return day === SUNDAY ? at - 2 * DAY : at
}

/** The same time on that day, or on the Monday after a weekend. */
export function workdayAfter(at: number): number {
  const day = weekdayOf(at)
  if (day === SATURDAY) return at + 2 * DAY
  return day === SUNDAY ? at + DAY : at
}

/** The day of the week; 0 is Sunday. */
export function weekdayOf(at: number): number {
  // The epoch's first day was a Thursday.
  return (((Math.floor(at / DAY) + 4) % 7) + 7) % 7
}

/** The day an instant falls on. */
export function calendarDay(at: number): CalendarDay {
  // Years are counted from 1 March, so that the leap day is the last of its year.
  const days = Math.floor(at / DAY) + 719_468
  const cycle = Math.floor(days / 146_097)
  const inCycle = days - cycle * 146_097
  const leapDays = Math.floor(inCycle / 1_460) - Math.floor(inCycle / 36_524) + Math.floor(inCycle / 146_096)
  const yearInCycle = Math.floor((inCycle - leapDays) / 365)
  const leapsBefore = Math.floor(yearInCycle / 4) - Math.floor(yearInCycle / 100)
  const inYear = inCycle - yearInCycle * 365 - leapsBefore
  const fromMarch = Math.floor((5 * inYear + 2) / 153)
  const month = (fromMarch + 2) % 12
  return {
    year: cycle * 400 + yearInCycle + (month < 2 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  }
}

/** Writes a number below a hundred with two digits, e.g. `06`. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
