import { type Authentication, authenticationFrom, authenticationSchema } from '../model/authentication.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { HeaderField, MessageRow } from '../model/rows.js'
import { formatMailDate } from '../time/time.js'

/**
 * Returns what the receiving server found about who sent a message; undefined for one that it did not receive, or that has
 * its header from elsewhere.
 */
export function authenticationOf(
  row: MessageRow,
  store: Pick<MailboxStore, 'get'>,
): Authentication | undefined {
  if (row.direction === 'outbound') return undefined
  if (row.authentication) return row.authentication
  if (row.headers !== null) return undefined
  // Generated mail is what it claims to be.
  if (row.body_key !== null) return authenticationFrom('pass')
  return expectedAuthentication(row.from, mailboxOf(row, store))
}

/** Returns what fits a sender: only a forged message comes from outside with an address of the mailbox's own domain. */
export function expectedAuthentication(from: string, mailbox: string): Authentication {
  const sender = domainOf(addressIn(from))
  if (sender === '') return authenticationFrom('none')
  const own = domainOf(mailbox)
  return authenticationFrom(sender === own || sender.endsWith(`.${own}`) ? 'fail' : 'pass')
}

/**
 * Returns what a message that came with its whole header says about its sender in a field at the very top from the server of the
 * mailbox: it is written down after that server received it. Undefined if there is none.
 */
export function statedAuthentication(
  fields: readonly HeaderField[],
  mailbox: string,
): Authentication | undefined {
  const top = fields.find(([name]) => !/^(return-path|delivered-to)$/i.test(name))
  if (top?.[0].toLowerCase() !== 'authentication-results') return undefined
  const [, value] = top
  if (claimedServer(value) !== serverOf(mailbox)) return undefined
  const stated = ['spf', 'dkim', 'dmarc'].map((method): [string, string] => {
    const [, result = 'none'] = new RegExp(`;\\s*${method}\\s*=\\s*(\\w+)`, 'i').exec(value) ?? []
    return [method, result.toLowerCase()]
  })
  return authenticationSchema().safeParse(Object.fromEntries(stated)).data
}

/**
 * Returns the header fields of a received message with those that the receiving server adds above them; it removes fields that
 * claim to be its own (RFC 8601, section 5).
 */
export function receivedFieldsOf(
  row: MessageRow,
  fields: readonly HeaderField[],
  found: Authentication,
  store: Pick<MailboxStore, 'get'>,
): HeaderField[] {
  const mailbox = mailboxOf(row, store)
  const server = serverOf(mailbox)
  const kept = fields.filter(([name, value]) => {
    return name.toLowerCase() !== 'authentication-results' || claimedServer(value) !== server
  })
  const stated = kept.find(([name]) => name.toLowerCase() === 'return-path')
  const from = addressIn(row.from)
  const envelope = found.envelope_from ?? (stated ? addressIn(stated[1]) : from)
  const helo = domainOf(envelope) || domainOf(from) || 'mail.invalid'
  const results = [
    `spf=${found.spf}${envelope === '' ? ` smtp.helo=mail.${helo}` : ` smtp.mailfrom=${envelope}`}`,
    `dkim=${found.dkim}${found.dkim === 'none' ? '' : ` header.d=${found.signed_by ?? (domainOf(from) || helo)}`}`,
    `dmarc=${found.dmarc}${from === '' ? '' : ` header.from=${domainOf(from)}`}`,
  ]
  const received = `from mail.${helo} by ${server} with ESMTPS id ${row.id} for <${mailbox}>; ${formatMailDate(row.created_at)}`
  return [
    ...(stated ? [] : [['Return-Path', `<${envelope}>`] as const]),
    ['Received', received],
    ['Authentication-Results', `${server}; ${results.join('; ')}`],
    ...kept,
  ]
}

function mailboxOf({ identity_id }: MessageRow, store: Pick<MailboxStore, 'get'>): string {
  return store.get('identity', identity_id)?.mailbox_address ?? ''
}

/** Returns the name under which the server of a mailbox reports what it found (its authserv-id). */
function serverOf(mailbox: string): string {
  return `mx.${domainOf(mailbox)}`
}

/** Returns the authserv-id in a field `Authentication-Results`; '' if it has none. */
function claimedServer(value: string): string {
  const [, id = ''] = /^\s*(?:\((?:[^()\\]|\\.)*\)\s*)*"?([^\s;"()]+)/.exec(value) ?? []
  return id.toLowerCase()
}

function addressIn(mailbox: string): string {
  const [, bracketed] = /<([^<>]*)>\s*$/.exec(mailbox) ?? []
  return bracketed ?? (mailbox.includes('@') ? mailbox.trim() : '')
}

function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/\.$/, '')
    .toLowerCase()
}
