import type { AwkwardTable } from './awkward-mail.js'

/** Mail made of awkward parts: nested, broken, reports, digests, signed and sealed. */
export const awkwardParts: AwkwardTable = {
  'alternative-with-calendar': {
    subject: 'Invitation: review',
    text: 'Review on Monday.',
    html: '<p>Review on Monday.</p>',
    attachments: [['attachment-1.ics', 'text/calendar', 144, null]],
  },
  'auto-reply': {
    subject: 'Automatic reply: Your order',
    text: 'I am away until Monday.',
    inReplyTo: '<sent-3@agents.example>',
    headers: [
      ['Auto-Submitted', 'auto-replied'],
      ['Precedence', 'bulk'],
    ],
  },
  'bounce-without-report': {
    from: 'MAILER-DAEMON <MAILER-DAEMON@mail.hotel.example>',
    subject: 'failure notice',
    text: 'Hi. This is the mail program at mail.hotel.example.\n<bea@hotel.example>:\nNo such mailbox. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nFrom: support@agents.example\nSubject: Your order',
    messageId: null,
  },
  'delivery-report': {
    from: 'Mail Delivery System <MAILER-DAEMON@mx.hotel.example>',
    subject: 'Undelivered Mail Returned to Sender',
    text: 'The mail could not be delivered.',
    headers: [
      ['Return-Path', '<>'],
      ['Auto-Submitted', 'auto-replied'],
    ],
    attachments: [
      ['attachment-1.txt', 'message/delivery-status', 113, null],
      ['attachment-2.txt', 'text/rfc822-headers', 65, null],
    ],
  },
  digest: {
    subject: 'Lamps digest, issue 7',
    text: null,
    attachments: [
      ['attachment-1.eml', 'message/rfc822', 44, null],
      ['attachment-2.eml', 'message/rfc822', 45, null],
    ],
  },
  'list-mail': {
    subject: '[Lamps] New shades',
    text: 'New shades are here.\n_______________________________________________\nLamps mailing list',
    headers: [
      ['List-Id', 'Lamps and shades <lamps.list.example>'],
      ['List-Unsubscribe', '<mailto:off@list.example>, <https://list.example/off>'],
      ['Reply-To', 'lamps@list.example'],
    ],
  },
  'message-as-body': {
    subject: 'The body is a mail',
    text: null,
    attachments: [['attachment-1.eml', 'message/rfc822', 166, null]],
  },
  'message-in-message': {
    subject: 'Fwd: Fwd: Lamps',
    text: 'See below.',
    attachments: [['attachment-1.eml', 'message/rfc822', 385, null]],
  },
  'multipart-base64-encoded': {
    subject: 'A multipart in base64',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'multipart-boundary-prefix': {
    subject: 'Boundaries alike',
    text: 'Inner text.',
    html: '<p>Inner text.</p>',
    attachments: [['x.csv', 'text/csv', 3, null]],
  },
  'multipart-cut-in-base64': {
    subject: 'Cut off',
    text: 'Cut.',
    attachments: [['a.png', 'image/png', 17, null]],
  },
  'multipart-empty-parts': {
    subject: 'Parts of nothing',
    text: 'The only words.',
  },
  'multipart-five-deep': {
    subject: 'Five levels down',
    text: 'The words are at the bottom.',
  },
  'multipart-never-closed': {
    subject: 'The end is missing',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'multipart-preamble-epilogue': {
    subject: 'Words around the parts',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'multipart-without-boundary': {
    subject: 'No boundary given',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'multipart-without-parts': {
    subject: 'Says multipart, is text',
    text: 'Just words,\nno parts.',
  },
  'multipart-wrong-boundary': {
    subject: 'Another boundary given',
    text: 'First part.',
    headers: [['Content-Type', 'multipart/mixed; boundary="never-used"']],
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'pgp-encrypted': {
    subject: '...',
    text: null,
    attachments: [
      ['attachment-1.bin', 'application/pgp-encrypted', 10, null],
      ['attachment-2.bin', 'application/octet-stream', 62, null],
    ],
  },
  'pgp-inline': {
    subject: 'Inline armour',
    text: '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nWords.\n- -- \nAnn\n-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----',
  },
  'pgp-signed': {
    subject: 'Signed as well',
    text: 'Signed words.',
    attachments: [['attachment-1.asc', 'application/pgp-signature', 66, null]],
  },
  'read-receipt': {
    from: 'Bea <bea@hotel.example>',
    subject: 'Read: Your order',
    text: 'The mail was shown. This does not mean it was read.',
    inReplyTo: '<sent-2@agents.example>',
    attachments: [['attachment-1.txt', 'message/disposition-notification', 144, null]],
  },
  'related-in-mixed-in-alternative': {
    subject: 'Turned inside out',
    text: 'Plain words.',
    html: '<p>Rich words. <img src="cid:dot@shop.example"></p>',
    attachments: [
      ['dot.png', 'image/png', 70, 'inline', 'dot@shop.example'],
      ['list.pdf', 'application/pdf', 3],
    ],
  },
  'smime-enveloped': {
    subject: 'Sealed',
    text: null,
    attachments: [['smime.p7m', 'application/pkcs7-mime', 5, null]],
  },
  'smime-signed': {
    subject: 'Signed',
    text: 'Signed words.',
    attachments: [['smime.p7s', 'application/pkcs7-signature', 5]],
  },
}
