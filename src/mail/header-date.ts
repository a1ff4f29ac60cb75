const dateTime =
  /^(?:[a-z]{3,9}\s*,\s*|(?:mon|tue|wed|thu|fri|sat|sun)\s+)?(\d{1,2})\s+([a-z]{3,9})\s+(\d{2,4})\s+(\d{1,2})\s*:\s*(\d{2})(?:\s*:\s*(\d{2}))?\s*([+-]\d{4}|[a-z]{1,5})$/i
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const zoneHours: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
}
const daySeconds = 86_400
// Before it no mail was sent; RFC 5322 section 3.3 sets the same bound
const firstYear = 1900

/**
 * Reads a Date header with a time zone, obsolete forms and comments included, as ISO 8601 UTC with
 * milliseconds; null for anything else. The day of the week is not checked, zones named by letters
 * RFC 5322 does not define count as UTC.
 * @example readDate('Mon, 5 Jan 26 09:00 PST') // '2026-01-05T17:00:00.000Z'
 * @see RFC 5322 sections 3.3 and 4.3
 */
export function readDate(header: string): string | null {
  // Date.parse is not used: engines differ in what they read, and some of it in the machine's own zone
  const [, dayText = '', monthText = '', yearText = '', ...time] =
    dateTime.exec(withoutComments(header).trim()) ?? []
  const day = Number(dayText)
  const month = monthOf(monthText.toLowerCase())
  const year = fullYear(yearText)
  if (month < 0 || year < firstYear || day < 1 || day > daysIn(year, month)) return null
  const seconds = secondOfDay(time)
  return seconds === undefined ? null : instant(year, month, day, seconds)
}

function monthOf(name: string): number {
  return monthNames.findIndex((month) => month === name || month.slice(0, 3) === name)
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 3) return 1900 + year
  if (text.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return year
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 1 && leap ? 29 : (monthDays[month] ?? 0)
}

/** Counted in UTC from the start of the local day, so it may lie some days before or after it. */
function secondOfDay([hours = '', minutes = '', seconds = '0', zone = '']: string[]): number | undefined {
  const offset = zoneOffset(zone.toLowerCase())
  // A leap second is read as the first second of the next minute
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60 || offset === undefined) return
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) - offset
}

function zoneOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2})([0-5]\d)$/.exec(zone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  return /^[a-z]/.test(zone) ? (zoneHours[zone] ?? 0) * 3600 : undefined
}

function instant(year: number, month: number, day: number, seconds: number): string | null {
  let [y, m, d] = [year, month, day + Math.floor(seconds / daySeconds)]
  // A zone moves the day by less than a month
  if (d < 1) {
    m -= 1
    if (m < 0) [y, m] = [y - 1, 11]
    d += daysIn(y, m)
  } else if (d > daysIn(y, m)) {
    d -= daysIn(y, m)
    m += 1
    if (m > 11) [y, m] = [y + 1, 0]
  }
  if (y < firstYear || y > 9999) return null
  const rest = ((seconds % daySeconds) + daySeconds) % daySeconds
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(twoDigits).join(':')
  return `${y}-${twoDigits(m + 1)}-${twoDigits(d)}T${time}.000Z`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function withoutComments(text: string): string {
  let kept = ''
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    else if (character === ')' && depth > 0) depth -= 1
    else if (depth === 0) kept += character
  }
  return kept
}
