import type { EntryInput } from '../../../story/edits.js'

/** Mail that no person writes. */
interface OfProgram {
  readonly words: string
  /** The message itself, as it comes to a mailbox. */
  readonly eml: string
  /** As it answers what an agent sent, if such mail does. */
  readonly answer?: Partial<NonNullable<EntryInput['receive']>>
}

const automatic = {
  away: {
    words: 'an automatic reply',
    eml: [
      'From: Kim Park <kim@elsewhere.example>',
      'Subject: Automatic reply: Your message',
      'Message-ID: <away@elsewhere.example>',
      'Auto-Submitted: auto-replied',
      'X-Auto-Response-Suppress: All',
      'Precedence: auto_reply',
      '',
      'I am out of the office until Monday.',
    ].join('\n'),
    answer: {
      subject: 'Automatic reply: {{sent.subject}}',
      headers: {
        'Auto-Submitted': 'auto-replied',
        'X-Auto-Response-Suppress': 'All',
        Precedence: 'auto_reply',
      },
      text: 'I am out of the office until Monday, and read my mail then.',
    },
  },
  bounce: {
    words: 'a bounce of a message to somebody else',
    eml: [
      'Return-Path: <>',
      'From: Mail Delivery System <mailer-daemon@elsewhere.example>',
      'Subject: Undelivered mail returned to sender',
      'Message-ID: <bounce@elsewhere.example>',
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=part',
      '',
      '--part',
      'Content-Type: text/plain',
      '',
      'Your message could not be delivered to one of its recipients.',
      '--part',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.elsewhere.example',
      '',
      'Final-Recipient: rfc822; kim@elsewhere.example',
      'Action: failed',
      'Status: 5.1.1',
      '--part--',
      '',
    ].join('\n'),
  },
  list: {
    words: 'the digest of a mailing list',
    eml: [
      'From: The weekly list <weekly@lists.example>',
      'Subject: This week',
      'Message-ID: <digest@lists.example>',
      'Precedence: list',
      'List-Id: <weekly.lists.example>',
      'List-Unsubscribe: <https://lists.example/unsubscribe>',
      '',
      'Four people have written. What do you think of it?',
    ].join('\n'),
  },
  machine: {
    words: 'a message that a machine sends',
    eml: [
      'From: Status <no-reply@status.example>',
      'Subject: Your weekly report is ready',
      'Message-ID: <report@status.example>',
      'Auto-Submitted: auto-generated',
      '',
      'The report of this week is ready. This message was sent automatically.',
    ].join('\n'),
  },
} as const satisfies Readonly<Record<string, OfProgram>>

/** The name of mail that no person writes. */
export type AutomaticMail = keyof typeof automatic

/** Mail that no person writes, by its name. */
export const automaticMail: Readonly<Record<AutomaticMail, OfProgram>> = automatic

/** Returns whether a name is one of mail that no person writes. */
export function isAutomaticMail(name: string): name is AutomaticMail {
  return Object.hasOwn(automatic, name)
}
