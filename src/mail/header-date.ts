const dateTime =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)\s*,\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{2}|\d{4})\s+(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s+(?:[+-]\d{2}[0-5]\d|ut|gmt|z|[ecmp][sd]t)(?:\s*\([^()]*\))?$/i
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Gives the parser's reading of a Date header when the header really is an RFC 5322 date with a
 * time zone, as ISO 8601 UTC with milliseconds, else null.
 * @see RFC 5322 section 3.3
 */
export function checkedDate(header: string, parsed: string | undefined): string | null {
  // Engines also read dates without a zone, in the machine's own zone, and roll 31 Feb into March
  const [, day, month, year] = dateTime.exec(header.trim()) ?? []
  if (day === undefined || month === undefined || year === undefined) return null
  if (parsed === undefined || !isoInstant.test(parsed)) return null
  return dayExists(Number(day), month.toLowerCase(), Number(year)) ? parsed : null
}

function dayExists(day: number, month: string, year: number): boolean {
  const last = monthDays[monthNames.indexOf(month)]
  if (last === undefined || day < 1 || day > last) return false
  // A two-digit 00 stands for 2000, a leap year by the same rule
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month !== 'feb' || day < 29 || leap
}
