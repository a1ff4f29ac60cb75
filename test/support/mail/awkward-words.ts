import type { AwkwardTable } from './awkward-mail.js'

/** Mail whose words are encoded, labelled or written awkwardly. */
export const awkwardWords: AwkwardTable = {
  'charset-ascii-is-utf-8': {
    subject: 'Lampen für Zoë ☾',
    text: 'Grüße aus Köln – 日本',
  },
  'charset-gb18030': {
    subject: '关于台灯',
    text: '你好,台灯 🎉 到了。',
  },
  'charset-iso-2022-jp': {
    from: '鈴木 <suzuki@shop.example>',
    subject: '照明の件',
    text: '照明の配送をお願いします。',
  },
  'charset-koi8-r': {
    from: 'Анна <anna@shop.example>',
    subject: 'Лампа',
    text: 'Здравствуйте, лампа не горит.',
  },
  'charset-missing-is-latin-1': {
    from: 'Jörg <joerg@shop.example>',
    subject: 'Grüße aus Köln',
    text: 'Schöne Grüße',
    headers: [['From', 'Jörg <joerg@shop.example>']],
  },
  'charset-of-parts-wrong': {
    subject: 'Parts with other charsets',
    text: 'Grüße',
    html: '<p>Grüße</p>',
  },
  'charset-unknown': {
    subject: 'Lampe für Zoë',
    text: 'café – 5\u00a0€',
  },
  'charset-utf-16': {
    subject: 'Two bytes a letter',
    text: 'Lämpchen ☾',
  },
  'charset-utf-16-big-endian': {
    subject: 'Two bytes a letter, the other way',
    text: 'Lämpchen ☾',
  },
  'charset-windows-1252': {
    subject: 'It’s €20 – “cheap”',
    text: 'It’s €20 – “cheap”, says Zoë…',
  },
  'emoji-and-right-to-left': {
    from: 'דנה 🌙 <dana@shop.example>',
    subject: '👩‍👩‍👧 שלום, مرحبا 🎉',
    text: 'שלום! המנורה 💡 לא עובדת.\nمرحبا, flag: 🇩🇪',
  },
  'html-charset-meta': {
    subject: 'HTML names its own charset',
    text: null,
    html: '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2"></head>\n<body><p>Žlutý kůň</p></body></html>',
  },
  'html-hidden-script-remote': {
    subject: 'Your voucher',
    text: null,
    html: /^<html><body><div style="display:none">Preview [\s\S]+<script>document[\s\S]+<p>Your <b>voucher<\/b> is here[\s\S]+127\.0\.0\.1\/admin"><\/body><\/html>$/,
  },
  'subject-direction-override': {
    subject: 'Invoice \u202efdp.exe\u202c attached',
    text: 'See the file.',
    attachments: [['billfdp.exe', 'application/octet-stream', 2]],
  },
  'word-b-without-padding': {
    subject: 'Lampen über',
  },
  'word-broken': {
    subject: '=?utf-8?Q?never ends and =?utf-8?X?odd?= and =?utf-8?B?????=',
  },
  'word-inside-word': {
    subject: 'Lamps ☾ and "shades"',
  },
  'word-line-break': {
    subject: 'Lamps Bcc: spy@evil.example',
  },
  'word-q-underscores': {
    from: 'Jörg Müller <joerg@shop.example>',
    subject: 'Die größte Lampe_2 = 4',
    text: 'Hallo',
  },
  'word-split-in-character': {
    from: 'Zoë <zoe@shop.example>',
    subject: 'Lampe für Zoë',
  },
}
