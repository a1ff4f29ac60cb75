import { addressParser } from 'postal-mime'
import { restoreWindows1252 } from './windows-1252.js'

/** One sender or recipient; `name` is '' when there is none. @see RFC 5322 section 3.4 */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

const longestAddress = 254
const localPart = /^[^\s\p{Cc}"<>(),;:\\@[\]]+$/u
const domain = /^(?:[^\s\p{Cc}"<>(),;:\\@[\].]+(?:\.[^\s\p{Cc}"<>(),;:\\@[\].]+)*|\[[\w.:]+\])$/u
// RFC 5322 atext and the space between words; RFC 6532 adds everything beyond ASCII
const plainName = /^[\w!#$%&'*+\-/=?^`{|}~ \u{80}-\u{10ffff}]*$/u
const blanks = /[\s\p{Cc}]+/gu

/**
 * Whether a text is a bare address: one `@`, a dotted domain or a domain literal after it, at most
 * 254 characters. Quoted local parts are not taken, letters beyond ASCII are.
 * @see RFC 5322 section 3.4.1
 */
export function isAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || text.length > longestAddress) return false
  return localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1))
}

/**
 * Whether two bare addresses name the same mailbox; upper and lower case count as the same, in the
 * local part too, because that is how mailbox providers deliver.
 */
export function sameAddress(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

/**
 * Reads a text that holds exactly one mailbox, with or without a display name; encoded words in the
 * name are decoded. Gives undefined for no mailbox, for several, for a group and for a bad address.
 * @example parseMailbox('"Lee, Ann" <ann@shop.example>') // { name: 'Lee, Ann', address: 'ann@shop.example' }
 * @see interface 2.3, RFC 5322 section 3.4
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const [only, ...others] = addressParser(text)
  if (only?.address === undefined || others.length > 0 || !isAddress(only.address)) return undefined
  return { name: tidyName(restoreWindows1252(only.name)), address: only.address }
}

/**
 * Reads an address list as a To or Cc header carries it, members of groups included; entries
 * without a usable address are left out.
 * @see RFC 5322 section 3.4
 */
export function parseMailboxList(text: string): Mailbox[] {
  const mailboxes: Mailbox[] = []
  for (const entry of addressParser(text, { flatten: true })) {
    if (entry.address === undefined || !isAddress(entry.address)) continue
    mailboxes.push({ name: tidyName(restoreWindows1252(entry.name)), address: entry.address })
  }
  return mailboxes
}

/**
 * Writes a mailbox as `Display Name <local@domain>`, quoting a name that RFC 5322 wants quoted.
 * The form always carries a name, so a mailbox without one is shown under its local part.
 * @example formatMailbox({ name: '', address: 'ann@shop.example' }) // 'ann <ann@shop.example>'
 * @see interface 2.3, RFC 5322 section 3.2.5
 */
export function formatMailbox({ name, address }: Mailbox): string {
  const shown = tidyName(name) || address.slice(0, address.lastIndexOf('@'))
  return `${quotedWhenNeeded(shown)} <${address}>`
}

function quotedWhenNeeded(name: string): string {
  return plainName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

// An encoded word can smuggle line breaks into a name, which would end the header it is written to
function tidyName(name: string): string {
  return name.replace(blanks, ' ').trim()
}
