import { calendarDay, HOUR, startOfDay, weekdayOf } from '../../facts/calendar.js'

const WEEKDAYS = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'] as const
const MONTHS = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
] as const

/** Writes a day for the middle of a sentence, e.g. `6. Januar`. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${day}. ${MONTHS[month]}`
}

/** Names the weekday, e.g. `Dienstag`. */
export function formatWeekdayName(at: number): string {
  return WEEKDAYS[weekdayOf(at)] as string
}

/** Writes a day with its weekday, e.g. `Dienstag, 6. Januar`. */
export function formatWeekday(at: number): string {
  return `${formatWeekdayName(at)}, ${formatDay(at)}`
}

/** Writes a date with its year, e.g. `6. Januar 2026`. */
export function formatDate(at: number): string {
  return `${formatDay(at)} ${calendarDay(at).year}`
}

/** Names the month, e.g. `Januar`. */
export function formatMonth(at: number): string {
  return MONTHS[calendarDay(at).month] as string
}

/** What one wishes at that time, e.g. `Guten Morgen`. */
export function timelyGreeting(at: number): string {
  const hour = (at - startOfDay(at)) / HOUR
  if (hour < 10) return 'Guten Morgen'
  return hour < 18 ? 'Guten Tag' : 'Guten Abend'
}
