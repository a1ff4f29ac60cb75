import { readDate } from './header-date.js'
import type { ParsedMail } from './parsed-mail.js'

/**
 * The latest date its Received headers give a mail, as ISO 8601 UTC with milliseconds; null when none of
 * them gives any.
 * @see RFC 5321 section 4.4
 */
export function receivedDate({ headers }: Pick<ParsedMail, 'headers'>): string | null {
  let latest: string | null = null
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'received') continue
    const date = readDate(value.slice(value.lastIndexOf(';') + 1))
    // Of one form and length, so that their order as texts is that of time
    if (date !== null && (latest === null || date > latest)) latest = date
  }
  return latest
}
