import { deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { announcement } from './english.js'
import { drawEmployer } from './facts/firms.js'

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
export const bounce = announcement({
  name: 'bounce',
  category: 'bounces',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => drawFailure(random, setting, drawEmployer(random).domain, MAILBOXES),
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
      deliveryReport(f),
    ],
    (f) => [
      `Your message to ${f.recipient} was not delivered.`,
      `The server ${f.server} refused it for good:\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'Please check the address, or reach the recipient in another way.',
      deliveryReport(f),
    ],
    (f) => [
      'Delivery has failed to these recipients:',
      `    ${f.recipient}\n    Reason: ${f.says} (${f.status})`,
      `Queued on ${f.at}, refused for good on the first try.`,
      deliveryReport(f),
    ],
    (f) => [
      `----- The following address had a permanent failure -----\n<${f.recipient}>`,
      `----- Transcript of the session -----\n... while talking to ${f.server}:\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
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
