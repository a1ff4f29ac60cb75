import { isNamed, withoutComments } from './parameters.js'
import type { ParsedMail } from './parsed-mail.js'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/
const isoDate = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[t\s]\s*|$)/
const timeOfDay = /(\d{1,2})\s*[:.]\s*(\d{1,2})(?:\s*[:.]\s*(\d{1,2})(?:[.,]\d+)?)?\s*(?:([ap])\.?m\b\.?)?\s*/
const zoneOffset = /([+-])(\d{1,2}):?(\d{2})?(?!\d)/
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
// The minimum of RFC 5322 section 3.3
const firstYear = 1900
const earliest = -2_208_988_800_000
const latest = 253_402_300_799_999
const maxLength = 200

/**
 * Parses a Date header to milliseconds since the epoch; undefined if it is malformed. Accepts the forms of the RFC and
 * others that programs write: the order of `asctime`, ISO 8601, offsets such as `-600` and `+1`, hours with AM and PM,
 * no time. The day of the week is not checked. Missing zones, and names that RFC 5322 does not define, are UTC.
 * @example readInstant('Mon, 5 Jan 26 09:00 PST') // 1767632400000
 * @see RFC 5322 sections 3.3 and 4.3
 */
export function readInstant(header: string): number | undefined {
  // Not Date.parse: engines accept different forms, and some use the machine's time zone
  const whole = header.slice(0, maxLength).toLowerCase().trim()
  const text = withoutComments(whole).trim()
  const iso = isoDate.exec(text)
  const rest = iso ? text.slice(iso[0].length) : text
  const time = timeOfDay.exec(rest)
  const before = rest.slice(0, time?.index)
  const after = time ? rest.slice(time.index + time[0].length) : ''
  if (iso && before !== '') return undefined
  const day = iso ? iso.slice(1, 4).map(Number) : dayIn(before, after)
  const seconds = time ? secondsOf(time) : 0
  const offset = offsetIn(after) ?? offsetIn(/\(.*/.exec(whole)?.[0] ?? '') ?? 0
  return day && seconds !== undefined ? instantOf(day, seconds, offset) : undefined
}

/** Returns year, month and day; the year may follow the time. */
function dayIn(before: string, after: string): number[] | undefined {
  const words = before.split(/[\s,./-]+/).filter((word) => word !== '')
  const at = words.findIndex((word) => monthName.test(word))
  if (at < 0) return undefined
  const month = months.indexOf((words[at] as string).slice(0, 3)) + 1
  const [first, second, ...others] = words.filter((word) => /^\d+$/.test(word))
  const strange = words.filter((word, index) => index > at && !/^\d+$/.test(word))
  const year = second ?? /(?:^|\s)(\d{4})(?=\s|$)/.exec(after)?.[1]
  if (first === undefined || year === undefined || others.length > 0 || strange.length > 0) return undefined
  return /^\d{4}$/.test(first) ? [Number(first), month, Number(year)] : [fullYear(year), month, Number(first)]
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 3) return 1900 + year
  if (text.length <= 2) return year < 50 ? 2000 + year : 1900 + year
  return year
}

/** Returns the seconds since the start of the day; a leap second counts as the first second of the next minute. */
function secondsOf([, hours = '', minutes = '', seconds = '0', half]: RegExpExecArray): number | undefined {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined
  return hour * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** Returns how many minutes a zone is ahead of UTC; undefined if the text has no zone. */
function offsetIn(text: string): number | undefined {
  const [, sign, hours, minutes = '0'] = zoneOffset.exec(text) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const name = /^[\s(]*([a-z]{1,5})\b/.exec(text)?.[1]
  return name === undefined ? undefined : (zoneHours[name] ?? 0) * 60
}

function instantOf(
  [year = 0, month = 0, day = 0]: readonly number[],
  seconds: number,
  offset: number,
): number | undefined {
  const days = daysUntil(year, month, day)
  const exists = month > 0 && days < daysUntil(month < 12 ? year : year + 1, (month % 12) + 1, 1)
  const instant = (days * 86_400 + seconds - offset * 60) * 1000
  return exists && year >= firstYear && day > 0 && instant >= earliest && instant <= latest
    ? instant
    : undefined
}

/** Returns the days since 1970; years begin in March, so that the leap day is the last of the year. */
function daysUntil(year: number, month: number, day: number): number {
  const from = month > 2 ? year : year - 1
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leaps = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400)
  return from * 365 + leaps + ofYear - 719_468
}

// RFC 5321 section 6.3: mail with more hops is in a loop
const maxHops = 100

/**
 * Returns the latest date of the first hundred Received headers, in milliseconds since the epoch; undefined if none of
 * them has a date.
 * @see RFC 5321 section 4.4
 */
export function receivedInstant(headers: ParsedMail['headers']): number | undefined {
  const received = headers.filter(([name]) => isNamed(name, 'received')).slice(0, maxHops)
  const instants = received.flatMap(([, value]) => readInstant(value.slice(value.lastIndexOf(';') + 1)) ?? [])
  return instants.length === 0 ? undefined : Math.max(...instants)
}
