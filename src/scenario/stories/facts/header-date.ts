import { calendarDay, formatTime, startOfDay, twoDigits, weekdayOf } from './calendar.js'

// RFC 5322 section 3.3: these names whatever the language of the mail.
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Writes a date and time as mail headers do, e.g. `Tue, 6 Jan 2026 09:05:00 +0000`. */
export function formatHeaderDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  const seconds = twoDigits(Math.floor((at - startOfDay(at)) / 1000) % 60)
  return `${WEEKDAYS[weekdayOf(at)]}, ${day} ${MONTHS[month]} ${year} ${formatTime(at)}:${seconds} +0000`
}
