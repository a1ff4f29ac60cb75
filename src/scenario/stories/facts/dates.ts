/** Days and times in words, in UTC, from milliseconds since the epoch by arithmetic alone. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const SATURDAY = 6
const SUNDAY = 0

interface CalendarDay {
  readonly year: number
  /** 0 is January. */
  readonly month: number
  readonly day: number
}

/** Writes a day as people say it, e.g. `Tuesday, 6 January`. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${WEEKDAYS[weekday(at)]}, ${day} ${MONTHS[month]}`
}

/** Writes a date with its year, e.g. `6 January 2026`. */
export function formatDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  return `${day} ${MONTHS[month]} ${year}`
}

/** Names the month, e.g. `January`. */
export function formatMonth(at: number): string {
  return MONTHS[calendarDay(at).month] as string
}

/** Writes a date and time as mail headers do, e.g. `Tue, 6 Jan 2026 09:05:00 +0000`. */
export function formatHeaderDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  const name = (WEEKDAYS[weekday(at)] as string).slice(0, 3)
  const seconds = twoDigits(Math.floor((at - startOfDay(at)) / 1000) % 60)
  return `${name}, ${day} ${(MONTHS[month] as string).slice(0, 3)} ${year} ${formatTime(at)}:${seconds} +0000`
}

/** Writes the time of day, e.g. `09:05`. */
export function formatTime(at: number): string {
  const minutes = Math.floor((at - startOfDay(at)) / MINUTE)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** The calendar year, e.g. `2026`. */
export function yearOf(at: number): number {
  return calendarDay(at).year
}

/** The part of the day one wishes a good one of. */
export function partOfDay(at: number): 'morning' | 'afternoon' | 'evening' {
  const hour = (at - startOfDay(at)) / HOUR
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}

/** The first millisecond of the day. */
export function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}

/** The same time on that day, or on the Friday before a weekend. */
export function workdayBefore(at: number): number {
  const day = weekday(at)
  if (day === SATURDAY) return at - DAY
  return day === SUNDAY ? at - 2 * DAY : at
}

/** The same time on that day, or on the Monday after a weekend. */
export function workdayAfter(at: number): number {
  const day = weekday(at)
  if (day === SATURDAY) return at + 2 * DAY
  return day === SUNDAY ? at + DAY : at
}

/** 0 is Sunday; the epoch's first day was a Thursday. */
function weekday(at: number): number {
  return (((Math.floor(at / DAY) + 4) % 7) + 7) % 7
}

/** Counts years from 1 March, so that the leap day is the last of its year. */
function calendarDay(at: number): CalendarDay {
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

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
