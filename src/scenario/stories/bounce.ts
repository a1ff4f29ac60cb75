import { defineAnnouncement } from './announcement.js'
import { formatHeaderDate } from './facts/dates.js'
import { drawEmployer } from './facts/firms.js'
import { trackingNumber } from './facts/order-number.js'

const FAILURES = [
  { status: '5.1.1', reply: '550 5.1.1', says: 'no such user here' },
  { status: '5.2.2', reply: '552 5.2.2', says: 'mailbox is full' },
  { status: '5.7.1', reply: '554 5.7.1', says: 'message refused by local policy' },
  { status: '5.4.4', reply: '550 5.4.4', says: 'host not found' },
  { status: '5.3.4', reply: '552 5.3.4', says: 'message too big for this server' },
] as const
const MAILBOXES = [
  'accounts',
  'purchasing',
  'front.desk',
  'orders',
  'k.moreau',
  'j.albrecht',
  'admin',
] as const

/** A mail server tells the agent that something it sent did not get through. */
export const bounce = defineAnnouncement({
  name: 'bounce',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => {
    const { domain } = drawEmployer(random)
    return {
      ...random.pick(FAILURES),
      recipient: `${random.pick(MAILBOXES)}@${domain}`,
      server: `mx${random.integer(1, 4)}.${domain}`,
      relay: setting.agentAddress.slice(setting.agentAddress.lastIndexOf('@') + 1),
      queue: trackingNumber(random).slice(2),
      at: formatHeaderDate(setting.begins - random.integer(2, 40) * 1000),
    }
  },
  from: (f) => ({ name: 'Mail Delivery System', address: `MAILER-DAEMON@${f.relay}` }),
  subject: [
    () => 'Undelivered Mail Returned to Sender',
    () => 'Delivery Status Notification (Failure)',
    (f) => `Mail delivery failed: ${f.recipient}`,
    () => 'Returned mail: see transcript for details',
  ],
  first: [
    (f) => [
      `This is the mail system at ${f.relay}.`,
      `A message you sent could not be delivered to one of its recipients. It is not being tried again.`,
      `<${f.recipient}>: ${f.server} said: ${f.reply} ${f.says} (in reply to RCPT TO)`,
      report(f),
    ],
    (f) => [
      `Your message to ${f.recipient} was not delivered.`,
      `The server ${f.server} refused it for good:\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'Please check the address, or reach the recipient in another way.',
      report(f),
    ],
    (f) => [
      'Delivery has failed to these recipients:',
      `    ${f.recipient}\n    Reason: ${f.says} (${f.status})`,
      `Queued on ${f.at}, refused for good on the first try.`,
      report(f),
    ],
    (f) => [
      `----- The following address had a permanent failure -----\n<${f.recipient}>`,
      `----- Transcript of the session -----\n... while talking to ${f.server}:\n<<< ${f.reply} ${f.says}`,
      report(f),
    ],
  ],
  next: [
    [
      (f) => [
        `This is the mail system at ${f.relay}.`,
        `Another message from ${f.agentAddress} to <${f.recipient}> could not be delivered either. The reason is the same: ${f.reply} ${f.says}`,
      ],
      (f) => [
        `Your second message to ${f.recipient} was not delivered.`,
        `${f.server} answered: ${f.reply} ${f.says}`,
        'You may want to take this address off your list.',
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `transcript-${f.queue}.txt` } : undefined,
})

interface Failure {
  readonly relay: string
  readonly queue: string
  readonly agentAddress: string
  readonly at: string
  readonly recipient: string
  readonly status: string
  readonly server: string
  readonly reply: string
  readonly says: string
}

/** The machine-readable part, with the fields that delivery reports have. */
function report(f: Failure): string {
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
