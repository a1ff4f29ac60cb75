import { calendarDay, HOUR, startOfDay, weekdayOf } from '../../facts/calendar.js'

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

/** Writes a day as people say it, e.g. `Tuesday, 6 January`. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${WEEKDAYS[weekdayOf(at)]}, ${day} ${MONTHS[month]}`
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

/** The part of the day one wishes a good one of. */
export function partOfDay(at: number): 'morning' | 'afternoon' | 'evening' {
  const hour = (at - startOfDay(at)) / HOUR
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}
