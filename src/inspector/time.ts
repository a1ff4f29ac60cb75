const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const dayLength = 86_400_000

/** Formats an instant of story time: `2026-01-05 09:00:00`. */
export function shownTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`
}

/** Formats the date of an instant as people write it beside another date: '' for the same day, `Mon`, `23 Nov`, `23 Nov 2024`. */
function shortDate(at: string, now: string): string {
  const [then, today] = [new Date(at), new Date(now)]
  const dayOf = (date: Date): number => Math.floor(date.getTime() / dayLength)
  const distance = dayOf(today) - dayOf(then)
  if (distance === 0) return ''
  if (distance > 0 && distance < 7) return days[then.getUTCDay()] as string
  const date = `${then.getUTCDate()} ${months[then.getUTCMonth()]}`
  return then.getUTCFullYear() === today.getUTCFullYear() ? date : `${date} ${then.getUTCFullYear()}`
}

/** Formats an instant for a list of mail: `14:31` today, `Mon` in the last week, else `23 Nov` or `23 Nov 2024`. */
export function shortTime(at: string, now: string): string {
  return shortDate(at, now) || at.slice(11, 16)
}

/** Formats an instant where seconds matter: `14:31:05` today, else `Mon 14:31:05` or `23 Nov 14:31:05`. */
export function exactTime(at: string, now: string): string {
  return `${shortDate(at, now)} ${at.slice(11, 19)}`.trim()
}

/** Formats the distance between two instants: `3 minutes ago`, `in 2 days`. */
export function timeDistance(at: string, from: string): string {
  const seconds = (Date.parse(at) - Date.parse(from)) / 1000
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / length), unit)
}
