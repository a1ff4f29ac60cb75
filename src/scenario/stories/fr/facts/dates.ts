import { calendarDay, HOUR, startOfDay, weekdayOf } from '../../facts/calendar.js'

const WEEKDAYS = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'] as const
const MONTHS = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
] as const

/** Writes a day, e.g. `6 janvier`, and `1er janvier` for the first of a month. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${day === 1 ? '1er' : day} ${MONTHS[month]}`
}

/** Writes a day with its weekday, e.g. `mardi 6 janvier`. */
export function formatWeekday(at: number): string {
  return `${WEEKDAYS[weekdayOf(at)]} ${formatDay(at)}`
}

/** Writes a date with its year, e.g. `6 janvier 2026`. */
export function formatDate(at: number): string {
  return `${formatDay(at)} ${calendarDay(at).year}`
}

/** Names the month, e.g. `janvier`. */
export function formatMonth(at: number): string {
  return MONTHS[calendarDay(at).month] as string
}

/** Writes the time of day, e.g. `9 h 05` and `14 h`. */
export function formatHour(at: number): string {
  const minutes = Math.floor((at - startOfDay(at)) / 60_000)
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest < 10 ? '0' : ''}${rest}`}`
}

/** What one wishes at that time: `Bonjour` or `Bonsoir`. */
export function timelyGreeting(at: number): string {
  return (at - startOfDay(at)) / HOUR < 18 ? 'Bonjour' : 'Bonsoir'
}
