import type { Random } from '../../../world/random.js'
import { yearOf } from './calendar.js'

/** An order number that starts with the seller's initials, e.g. `NO-482913` for Northwind Outfitters. */
export function orderNumber(random: Random, company: string): string {
  return `${initials(company)}-${random.integer(100_000, 999_999)}`
}

/** A number of the year, for invoices, quotes and the like, e.g. `INV-2026-0412`. */
export function numberOfYear(prefix: string, random: Random, at: number): string {
  return `${prefix}-${yearOf(at)}-${fourDigits(random)}`
}

/** The last four digits of a card, e.g. `0412`. */
export function fourDigits(random: Random): string {
  return `${random.integer(10_001, 19_999)}`.slice(1)
}

/** A support ticket's number, e.g. `T-48213`. */
export function ticketNumber(random: Random): string {
  return `T-${random.integer(10_000, 99_999)}`
}

/** A customer's or member's number, e.g. `C-482134`. */
export function customerNumber(random: Random): string {
  return `C-${random.integer(100_000, 999_999)}`
}

/** A parcel's number as carriers write it, e.g. `PX4829103477`. */
export function trackingNumber(random: Random): string {
  return `PX${random.integer(1_000_000_000, 9_999_999_999)}`
}

/** The first two capitals of the plain alphabet. */
function initials(company: string): string {
  let letters = ''
  for (let at = 0; at < company.length && letters.length < 2; at++) {
    const unit = company.charCodeAt(at)
    if (unit >= 65 && unit <= 90) letters += company[at]
  }
  return letters === '' ? 'OR' : letters
}
