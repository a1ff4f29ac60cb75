import { calendarDay, DAY, HOUR, MINUTE, startOfDay, twoDigits, weekdayOf } from '../../facts/calendar.js'

const WEEKDAYS = ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'] as const
const MONTHS = [
  'يناير',
  'فبراير',
  'مارس',
  'أبريل',
  'مايو',
  'يونيو',
  'يوليو',
  'أغسطس',
  'سبتمبر',
  'أكتوبر',
  'نوفمبر',
  'ديسمبر',
] as const

const FRIDAY = 5
const SATURDAY = 6

/** Writes a day as people say it, e.g. `الثلاثاء 6 يناير`. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${WEEKDAYS[weekdayOf(at)]} ${day} ${MONTHS[month]}`
}

/** Writes a date with its year, e.g. `6 يناير 2026`. */
export function formatDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  return `${day} ${MONTHS[month]} ${year}`
}

/** Names the month, e.g. `يناير`. */
export function formatMonth(at: number): string {
  return MONTHS[calendarDay(at).month] as string
}

/** Writes the time on a clock of twelve hours, e.g. `3:30 عصرًا`. */
export function formatHour(at: number): string {
  const minutes = Math.floor((at - startOfDay(at)) / MINUTE)
  const hour = Math.floor(minutes / 60)
  return `${((hour + 11) % 12) + 1}:${twoDigits(minutes % 60)} ${partOfDay(hour)}`
}

/** Whether one wishes a good morning or a good evening. */
export function isMorning(at: number): boolean {
  return at - startOfDay(at) < 12 * HOUR
}

/** The same time on that day, or on the Thursday before a weekend, which is Friday and Saturday. */
export function workdayBefore(at: number): number {
  const day = weekdayOf(at)
  if (day === FRIDAY) return at - DAY
  return day === SATURDAY ? at - 2 * DAY : at
}

/** The same time on that day, or on the Sunday after a weekend. */
export function workdayAfter(at: number): number {
  const day = weekdayOf(at)
  if (day === FRIDAY) return at + 2 * DAY
  return day === SATURDAY ? at + DAY : at
}

function partOfDay(hour: number): string {
  if (hour < 12) return 'صباحًا'
  if (hour < 15) return 'ظهرًا'
  return hour < 18 ? 'عصرًا' : 'مساءً'
}
