import type { Random } from '../../../world/random.js'
import type { Setting } from '../story.js'
import { formatHeaderDate } from './header-date.js'
import { trackingNumber } from './order-number.js'

const FAILURES = [
  { status: '5.1.1', reply: '550 5.1.1', says: 'no such user here' },
  { status: '5.2.2', reply: '552 5.2.2', says: 'mailbox is full' },
  { status: '5.7.1', reply: '554 5.7.1', says: 'message refused by local policy' },
  { status: '5.4.4', reply: '550 5.4.4', says: 'host not found' },
  { status: '5.3.4', reply: '552 5.3.4', says: 'message too big for this server' },
] as const

/** What a mail server knows about a message that it could not deliver; servers say it in English everywhere. */
export interface DeliveryFailure {
  /** The server that tells the agent, e.g. `agents.example`. */
  readonly relay: string
  readonly queue: string
  /** When the message was accepted, as headers write it. */
  readonly at: string
  readonly recipient: string
  /** The enhanced status, e.g. `5.1.1`. */
  readonly status: string
  /** The server that refused, e.g. `mx2.brackwater.example`. */
  readonly server: string
  /** e.g. `550 5.1.1`. */
  readonly reply: string
  /** e.g. `no such user here`. */
  readonly says: string
}

/** Draws a failure to deliver to one of the mailboxes of a domain, shortly before the thread begins. */
export function drawFailure(
  random: Random,
  { agentAddress, begins }: Setting,
  domain: string,
  mailboxes: readonly string[],
): DeliveryFailure {
  return {
    ...random.pick(FAILURES),
    recipient: `${random.pick(mailboxes)}@${domain}`,
    server: `mx${random.integer(1, 4)}.${domain}`,
    relay: agentAddress.slice(agentAddress.lastIndexOf('@') + 1),
    queue: trackingNumber(random).slice(2),
    at: formatHeaderDate(begins - random.integer(2, 40) * 1000),
  }
}

/** The machine-readable part of a bounce, with the fields that delivery reports have. */
export function deliveryReport(f: DeliveryFailure & { readonly agentAddress: string }): string {
  return [
    `Reporting-MTA: dns; ${f.relay}`,
    `X-Queue-ID: ${f.queue}`,
    `X-Sender: rfc822; ${f.agentAddress}`,
    `Arrival-Date: ${f.at}`,
    '',
    `Final-Recipient: rfc822; ${f.recipient}`,
    'Action: failed',
    `Status: ${f.status}`,
    `Remote-MTA: dns; ${f.server}`,
    `Diagnostic-Code: smtp; ${f.reply} ${f.says}`,
  ].join('\n')
}
