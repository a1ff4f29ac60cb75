import type { AwkwardTable } from './awkward-mail.js'

/** Mail with awkward lines: their ends, their folding, headers and bodies that are missing. */
export const awkwardLines: AwkwardTable = {
  'blank-line-missing': {
    subject: 'No line between',
    text: 'Hello Support,\nthe lamp is broken: it flickers.\n\nPlease help.',
  },
  'body-missing': {
    subject: 'An empty letter',
    text: null,
  },
  'byte-order-mark': {
    subject: 'After a mark',
  },
  'format-flowed': {
    subject: 'Flowing',
    text: 'These words flow over three lines to here.\n>not a quote\n> quoted words\n-- \nAnn',
  },
  'format-flowed-delsp': {
    subject: '流れる',
    text: '長い文は続きます。',
  },
  'header-duplicates': {
    from: 'Ann <ann@shop.example>',
    to: 2,
    subject: 'First',
    text: '<b>Hello</b>',
    messageId: '<one@shop.example>',
  },
  'header-folded': {
    to: 2,
    subject: 'Folded with a tab and a space   and three',
    messageId: '<folded@shop.example>',
  },
  'header-null-bytes': {
    from: 'Ann <ann@shop.example>',
    subject: 'zero bytes',
    messageId: '<zero@shop.example>',
  },
  'header-without-colon': {
    subject: 'A line astray',
    messageId: '<astray@shop.example>',
    headers: [['X-Kind', 'lamp']],
  },
  'headers-missing': {
    from: 'unknown <unknown@invalid>',
    to: 0,
    subject: '',
    text: 'Hello Support,\nI only know how to write text.\n\nAnn',
    date: null,
    messageId: null,
  },
  'headers-only': {
    subject: 'Nothing below',
    text: null,
  },
  'line-ends-bare-cr': {
    subject: 'Old Mac line ends',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'line-ends-bare-lf': {
    subject: 'Unix line ends',
    text: 'First part.',
    attachments: [['a.txt', 'text/plain', 4]],
  },
  'line-ends-mixed': {
    subject: 'All line ends',
    text: 'one\ntwo\nthree\nfour\nfive\n\nsix',
  },
  'line-very-long': {
    subject: 'One line',
    text: /^(lamp ){2000}end$/,
  },
  'mbox-from-line': {
    poor: 'how a mailbox file quotes From is not undone, the text may have come so',
    subject: 'From a mailbox file',
    text: '>From here on it is quoted.',
  },
  'nothing-but-line-breaks': {
    from: 'unknown <unknown@invalid>',
    to: 0,
    subject: '',
    text: '\n',
    date: null,
    messageId: null,
  },
  'subject-empty': {
    subject: '',
  },
  'subject-missing': {
    subject: '',
  },
  'subject-of-2-kilobytes': {
    subject: /^(lamps and shades and bulbs and cables ?){57}$/,
  },
}
