import { type Draw, pick } from './mutation.js'

const words = [
  'lamp',
  'Größe',
  'Zoë',
  '照明',
  'лампа',
  '☾',
  'order',
  '4187',
  'a=b',
  'über',
  '=?no?',
  'x_y',
  '"q"',
]
const western = ['lamp', 'Größe', 'Zoë', 'über', 'order', '4187', 'déjà']
const names = [
  'Ann Lee',
  'Lee, Ann',
  'Jürgen Weiß',
  '佐藤美咲',
  "O'Hara",
  'Ann (work)',
  'A. "B" C',
  'Dr. Zoë',
  '',
]
const files = [
  'a.txt',
  'price list.csv',
  'Größe.pdf',
  '照明の件.png',
  'semi;colon.txt',
  'quo"te.bin',
  'x(1).pdf',
  'é.ics',
]
const types = [
  'text/plain',
  'text/csv',
  'text/calendar',
  'application/pdf',
  'image/png',
  'application/octet-stream',
]
const zones = ['+0000', '-0500', '+0530', 'GMT', 'EST', '+1300', '-0000', 'PDT']
const boundaries = ['b', '----=_Part_1', "x'()+_,-./:=?y", 'with space', '0'.repeat(70)]

interface Charset {
  readonly label: string
  readonly words: readonly string[]
  encode(text: string): Buffer
}

const charsets: readonly Charset[] = [
  { label: 'utf-8', words, encode: (text) => Buffer.from(text) },
  { label: 'UTF-8', words, encode: (text) => Buffer.from(text) },
  { label: 'iso-8859-1', words: western, encode: (text) => Buffer.from(text, 'latin1') },
  {
    label: 'us-ascii',
    words: ['lamp', 'order', '4187', '-- ', '>', '.'],
    encode: (text) => Buffer.from(text),
  },
]

/** A well-formed mail, by RFC 5322, 2045, 2047 and 2231, in bytes. */
export function generatedMail(draw: Draw): Buffer {
  const eol = pick(['\r\n', '\r\n', '\n'], draw)
  const person = () => {
    const address = `${pick(['ann', 'a.b+c', 'x_1', "o'k"], draw)}@${pick(['shop.example', 'mail.hotel.example'], draw)}`
    const name = pick(names, draw)
    return name === '' ? address : `${phrase(name, draw)} <${address}>`
  }
  const subject = sentence(words, 1 + draw(9), draw)
  const day = `${1 + draw(28)} ${pick(['Jan', 'Feb', 'Jun', 'Dec'], draw)} ${1998 + draw(40)}`
  const time = [draw(24), draw(60), draw(60)].map((part) => String(part).padStart(2, '0')).join(':')
  const head = [
    `From: ${person()}`,
    `To: ${Array.from({ length: 1 + draw(3) }, person).join(`,${eol} `)}`,
    `Subject: ${encodedWords(subject, eol, draw)}`,
    `Date: ${pick(['Mon, ', ''], draw)}${day} ${time} ${pick(zones, draw)}`,
    'MIME-Version: 1.0',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join(eol)), entity(draw, eol, 0)])
}

function entity(draw: Draw, eol: string, depth: number): Buffer {
  const kind = depth > 3 ? 0 : draw(4)
  if (kind === 0) return textPart(draw, eol, 'plain')
  const boundary = `${pick(boundaries, draw)}${depth}`
  const parts =
    kind === 1
      ? [textPart(draw, eol, 'plain'), textPart(draw, eol, 'html')]
      : [entity(draw, eol, depth + 1), ...Array.from({ length: draw(4) }, () => filePart(draw, eol))]
  const type = `Content-Type: multipart/${kind === 1 ? 'alternative' : 'mixed'};${pick([' ', `${eol}\t`], draw)}boundary="${boundary}"`
  const preamble = pick(['', `This is MIME.${eol}`], draw)
  const padding = pick(['', ' ', '\t '], draw)
  return Buffer.concat([
    Buffer.from(`${type}${eol}${eol}${preamble}`),
    ...parts.flatMap((part, index) => [
      Buffer.from(`${index > 0 || preamble === '' ? eol : ''}--${boundary}${padding}${eol}`),
      part,
    ]),
    Buffer.from(`${eol}--${boundary}--${pick(['', eol, `${eol}epilogue${eol}`], draw)}`),
  ])
}

function textPart(draw: Draw, eol: string, kind: 'plain' | 'html'): Buffer {
  const charset = pick(charsets, draw)
  const lines = Array.from({ length: 1 + draw(6) }, () => sentence(charset.words, draw(9), draw).trimEnd())
  const text = kind === 'html' ? `<p>${lines.join(`</p>${eol}<p>`)}</p>` : lines.join(eol)
  const type = `Content-Type: text/${kind}; charset=${pick([charset.label, `"${charset.label}"`], draw)}`
  return encoded(charset.encode(`${text}.`), [type], eol, draw)
}

function filePart(draw: Draw, eol: string): Buffer {
  const bytes = Buffer.from(
    Array.from({ length: pick([0, 1, 2, 3, 57, 58, 200, 1000], draw) }, () => draw(256)),
  )
  const text = Buffer.from(
    sentence(words, 20, draw).replaceAll(' ', pick([' ', '\n', '\r\n', ' \r\n'], draw)),
  )
  const name = pick(files, draw)
  const disposition = `Content-Disposition: ${pick(['attachment', 'inline'], draw)}; ${filename(name, draw)}`
  return encoded(draw(2) === 0 ? bytes : text, [`Content-Type: ${pick(types, draw)}`, disposition], eol, draw)
}

function encoded(bytes: Buffer, head: readonly string[], eol: string, draw: Draw): Buffer {
  const isText = !bytes.some((byte) => byte < 9 || byte > 126 || (byte > 13 && byte < 32))
  const encoding = pick(
    isText ? ['7bit', 'base64', 'quoted-printable', 'binary'] : ['base64', 'quoted-printable', 'BASE64'],
    draw,
  )
  const body = /base64/i.test(encoding)
    ? Buffer.from(bytes.toString('base64').replace(/.{76}/g, `$&${eol}`))
    : encoding === 'quoted-printable'
      ? Buffer.from(quotedPrintable(bytes, eol))
      : bytes
  const lines = [...head, `Content-Transfer-Encoding: ${encoding}`, '', ''].join(eol)
  return Buffer.concat([Buffer.from(lines), body])
}

function quotedPrintable(bytes: Buffer, eol: string): string {
  let line = ''
  let text = ''
  for (const byte of bytes) {
    const isPlain = byte > 32 && byte < 127 && byte !== 61
    line += isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
    if (line.length > 70) {
      text += `${line}=${eol}`
      line = ''
    }
  }
  return text + line
}

function sentence(from: readonly string[], count: number, draw: Draw): string {
  return Array.from({ length: count }, () => pick(from, draw)).join(' ')
}

function phrase(name: string, draw: Draw): string {
  if (/[^ -~]/.test(name))
    return `=?utf-8?${draw(2) === 0 ? 'B' : 'q'}?${wordOf(name, draw)}?=`.replace(
      /\?B\?.*\?=/,
      () => `?B?${Buffer.from(name).toString('base64')}?=`,
    )
  return /^[\w ']+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

function wordOf(text: string, _: Draw): string {
  return Array.from(Buffer.from(text), (byte) =>
    /[a-z\d]/i.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : byte === 32
        ? '_'
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')
}

/** A subject in encoded words, folded between them. */
function encodedWords(text: string, eol: string, draw: Draw): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text.replace(' ', pick([' ', `${eol} `], draw))
  const chunks = text.match(/[\s\S]{1,9}/gu) ?? []
  return chunks
    .map((chunk) =>
      draw(2) === 0
        ? `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`
        : `=?utf-8?Q?${wordOf(chunk, draw)}?=`,
    )
    .join(`${eol} `)
}

function filename(name: string, draw: Draw): string {
  const isPlain = /^[ -~]*$/.test(name)
  if (isPlain && draw(3) > 0) return `filename="${name.replace(/["\\]/g, '\\$&')}"`
  const percent = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  )
  if (draw(2) === 0) return `filename*=UTF-8''${percent}`
  const cut = percent.indexOf('%', 3) < 0 ? percent.length : percent.indexOf('%', 3)
  return `filename*0*=utf-8''${percent.slice(0, cut)}; filename*1*=${percent.slice(cut) || 'x'}`
}
