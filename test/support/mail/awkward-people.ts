import type { AwkwardTable } from './awkward-mail.js'

/** Mail with awkward senders, recipients, dates and message ids. */
export const awkwardPeople: AwkwardTable = {
  'address-comments': {
    from: '"Ann (the boss) Lee" <ann@shop.example>',
    to: 2,
    subject: 'Comments everywhere',
  },
  'address-groups': {
    from: 'Ann <ann@shop.example>',
    to: 3,
    cc: 1,
    subject: 'To groups',
  },
  'address-international': {
    from: 'Jörg Müller <jörg@müller.example>',
    to: 2,
    subject: 'Postadressen',
  },
  'address-malformed': {
    to: 2,
    subject: 'Malformed',
  },
  'address-name-is-address': {
    from: '"help@bank.example" <x7@evil.example>',
    subject: 'Who is it',
  },
  'address-quoted-local-part': {
    poor: 'as a recipient, an address in a quoted local part is none, as it smuggles another address in',
    from: 'Ann <"ann lee"@shop.example>',
    subject: 'Quoted',
  },
  'address-route': {
    from: 'Ann <ann@shop.example>',
    subject: 'By way of others',
  },
  'address-without-domain': {
    from: 'Cron Daemon <root>',
    to: 0,
    subject: 'Local mail',
  },
  'date-1969': {
    subject: 'A date',
    date: '1969-12-31T23:59:59.000Z',
  },
  'date-9999': {
    subject: 'A date',
    date: '9999-12-31T23:59:59.000Z',
  },
  'date-bad-zone': {
    subject: 'A date',
    date: '2026-01-01T06:00:00.000Z',
  },
  'date-comments': {
    subject: 'A date',
    date: '2026-01-05T08:00:00.000Z',
  },
  'date-missing': {
    subject: 'No date',
    date: null,
  },
  'date-obsolete-zone': {
    subject: 'A date',
    date: '2026-01-05T17:00:00.000Z',
  },
  'date-wrong-weekday': {
    subject: 'A date',
  },
  'homograph-sender': {
    from: '"Bank Service <help@bank.example>" <help@bаnk.example>',
    subject: 'Account locked',
    text: 'Click here.',
  },
  'message-id-missing': {
    subject: 'No id',
    messageId: null,
  },
  'message-id-odd': {
    subject: 'Odd ids',
    messageId: '<spaced@shop.example>',
    references: ['<no-at-sign>', '<two@shop.example>', '<three@shop.example>'],
  },
  'recipients-500': {
    to: 500,
    subject: 'To everyone',
  },
  'recipients-missing': {
    to: 0,
    subject: 'To nobody',
    headers: [['Delivered-To', 'support@agents.example']],
  },
  'recipients-undisclosed': {
    to: 0,
    subject: 'Hidden',
  },
  'references-200': {
    subject: 'Re: Lamps',
    references: Array.from({ length: 200 }, (_, n) => `<r${n}@shop.example>`),
  },
  'references-folded': {
    subject: 'Re: Lamps',
    inReplyTo: '<r3@shop.example>',
    references: ['<r1@shop.example>', '<r2@shop.example>', '<r3@shop.example>'],
  },
}
