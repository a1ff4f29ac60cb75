import type { AwkwardTable } from './awkward-mail.js'

/** Mail whose files are named, encoded or packed awkwardly. */
export const awkwardFiles: AwkwardTable = {
  'attachment-broken-base64': {
    poor: 'without padding, the letters of a footer are base64 as well',
    subject: 'Base64 that went through a bad gateway',
    text: 'See the files.',
    attachments: [['a.txt', 'text/plain', 18]],
  },
  'attachment-duplicate-names': {
    subject: 'Twice the same name',
    text: 'See the files.',
    attachments: [
      ['a.txt', 'text/plain', 3],
      ['a.txt', 'text/plain', 3],
    ],
  },
  'attachment-of-zero-bytes': {
    subject: 'Nothing inside',
    text: 'See the files.',
    attachments: [
      ['empty.txt', 'text/plain', 0],
      ['none.pdf', 'application/pdf', 0],
    ],
  },
  'attachment-only': {
    subject: 'Only a file',
    text: null,
    attachments: [['scan.pdf', 'application/pdf', 9, null]],
  },
  'attachment-without-name': {
    subject: 'No names',
    text: 'See the files.',
    attachments: [
      ['attachment-1.png', 'image/png', 70, null],
      ['attachment-2.txt', 'text/plain', 10],
      ['attachment-3.bin', 'application/x-lamp-config', 3],
      ['attachment-4.bin', 'application/octet-stream', 3],
    ],
  },
  'filename-long': {
    subject: 'A name without end',
    text: 'See the files.',
    attachments: [[`${'long '.repeat(50)}l.txt`, 'text/plain', 3]],
  },
  'filename-path-and-controls': {
    subject: 'Names that reach out',
    text: 'See the files.',
    attachments: [
      ['passwd', 'text/plain', 3],
      ['win.ini', 'text/plain', 3],
      ['abc[1m.txt', 'text/plain', 3],
      ['attachment-4.txt', 'text/plain', 3],
      ['attachment-5.txt', 'text/plain', 3],
    ],
  },
  'filename-rfc-2047': {
    subject: 'Names in encoded words',
    text: 'See the files.',
    attachments: [
      ['Rechnung für Zoë.pdf', 'application/pdf', 3],
      ['naïve.txt', 'text/plain', 3],
      ['Größe.txt', 'text/plain', 3],
    ],
  },
  'filename-rfc-2231': {
    subject: 'Names in pieces',
    text: 'See the files.',
    attachments: [
      ['price list for lamps.pdf', 'application/pdf', 3],
      ['Preise für Zoë.csv', 'text/csv', 3],
      ['価格.csv', 'text/csv', 3],
    ],
  },
  'inline-images': {
    subject: 'Pictures',
    text: null,
    html: '<img src="cid:one@shop.example"><img src="two.png"><img src="cid:three">',
    attachments: [
      ['attachment-1.png', 'image/png', 70, null, 'one@shop.example'],
      ['two.png', 'image/png', 70, 'inline'],
      ['attachment-3.png', 'image/png', 70, 'inline', 'three'],
    ],
  },
  'quoted-printable-broken': {
    poor: 'a letter cut by a hard line break cannot be joined',
    subject: 'Quoted by hand',
    text: '100= % sure =ZZ and über =3\ncaf\ufffd\n\ufffd end',
  },
  'uuencoded-text': {
    poor: 'uuencoding is no MIME, the file stays in the text',
    subject: 'An old-fashioned file',
    text: 'The file follows.\n\nbegin 644 hi.txt\n#:&D*\n`\nend',
  },
  'yenc-like-text': {
    poor: 'yEnc is no MIME, the file stays in the text',
    subject: 'yEnc (1/1)',
    text: '=ybegin line=128 size=4 name=hi.bin\n’“=}¾\n=yend size=4 crc32=8a5f4d4a',
  },
}
