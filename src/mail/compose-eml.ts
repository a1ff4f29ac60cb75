import { fromBase64, toBase64, toQuotedPrintable } from './transfer-encoding.js'

/** The content of a message file. */
interface ComposedMail {
  /** The header fields in order; those that describe the body are replaced. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly ComposedFile[]
}

/** A file of a composed message. */
interface ComposedFile {
  readonly filename: string
  readonly contentType: string
  /** The content id (RFC 2392) without angle brackets; null if the file is not inline. */
  readonly contentId: string | null
  /** Base64. */
  readonly content: string
}

/** Formats a message as a file in RFC 5322 and MIME format, with CRLF line ends; equal input gives equal bytes. */
export function composeEml({ headers, text, html, attachments }: ComposedMail): string {
  const kept = headers.filter(([name]) => !/^(content-|mime-version$)/i.test(name))
  const fields = kept.map(([name, value]) => `${name}: ${encodeHeader(value, addressField.test(name))}`)
  const fieldOf = (wanted: string): string => {
    return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
  }
  const type = fieldOf('content-type')
  const transfer = fieldOf('content-transfer-encoding').toLowerCase()
  const flowed = /^text\/.*;\s*format="?flowed/i.test(type) ? '; format=flowed' : ''
  const texts = [
    ...(text !== null || html === null
      ? [textPart(`text/plain; charset=utf-8${flowed}`, text ?? '', transfer)]
      : []),
    ...(html !== null ? [textPart('text/html; charset=utf-8', html, transfer)] : []),
  ]
  const words = texts.length === 1 ? (texts[0] as string) : multipart('alternative', texts)
  const files = attachments.map(filePart)
  const body = files.length === 0 ? words : multipart(reportIn(type) ?? 'mixed', [words, ...files])
  return [...fields, 'MIME-Version: 1.0', body].join('\r\n')
}

/** Returns the media type of a report about delivery (RFC 6522), as it was received; undefined for any other type. */
function reportIn(contentType: string): string | undefined {
  const [, kind] = /^multipart\/report\b.*?\breport-type="?([\w-]+)/is.exec(contentType) ?? []
  return kind && `report;\r\n report-type=${kind}`
}

function textPart(type: string, text: string, transfer: string): string {
  const own = transferred(text.replace(/\r?\n/g, '\r\n'), transfer)
  return [
    `Content-Type: ${type}`,
    `Content-Transfer-Encoding: ${own === undefined ? 'base64' : transfer}`,
    '',
    own ?? wrap(encodeUtf8(text)),
    '',
  ].join('\r\n')
}

/** Returns a text in a transfer encoding in which ASCII is readable; undefined if it does not fit. */
function transferred(text: string, transfer: string): string | undefined {
  if (transfer === 'quoted-printable') return toQuotedPrintable(new TextEncoder().encode(text))
  return transfer === '7bit' && isAscii(text) && !/[^\n]{999}/.test(text) ? text : undefined
}

function filePart({ filename, contentType, contentId, content }: ComposedFile): string {
  const name = `filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, percent)}`
  const isMail = /^message\//i.test(contentType)
  const mail = isMail ? decodeUtf8(content) : undefined
  const type = isMail && mail === undefined ? 'application/octet-stream' : contentType
  return [
    `Content-Type: ${type.replace(/[\r\n]+/g, ' ')}`,
    `Content-Disposition: ${contentId === null ? 'attachment' : 'inline'}; ${name}`,
    ...(contentId === null ? [] : [`Content-ID: <${contentId.replace(/[\s<>]+/g, '')}>`]),
    `Content-Transfer-Encoding: ${mail === undefined ? 'base64' : isAscii(mail) ? '7bit' : '8bit'}`,
    '',
    mail ?? `${wrap(content)}\r\n`,
  ].join('\r\n')
}

/**
 * Returns base64 as text, since an attached message must not be encoded (RFC 2046 5.2.1); undefined if it is
 * not UTF-8.
 */
function decodeUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64(base64))
  } catch {
    return undefined
  }
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text)
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/**
 * Joins parts with a boundary that begins none of their lines; it can occur only in attached messages (RFC
 * 2045 6.7).
 */
function multipart(type: string, parts: readonly string[]): string {
  const taken = new Set(parts.flatMap((part) => part.match(/=_\d{6}/g) ?? []))
  let number = 0
  let boundary: string
  do boundary = `=_${String(++number).padStart(6, '0')}`
  while (taken.has(boundary))
  const joined = parts.map((part) => `--${boundary}\r\n${part}`).join('\r\n')
  return `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${joined}\r\n--${boundary}--\r\n`
}

const addressField = /^(from|sender|to|cc|bcc|reply-to)$/i

/** Encodes non-ASCII text as encoded words of at most 75 characters (RFC 2047 2). */
function encodeHeader(value: string, hasAddresses: boolean): string {
  const line = value.replace(/[\r\n]+[ \t]*/g, ' ')
  if (/^[\x20-\x7e]*$/.test(line)) return fold(line)
  // In a quoted name, encoded words would not be decoded (RFC 2047 5).
  const unquoted = hasAddresses ? line.replace(/"((?:[^"\\]|\\.)*)"/g, encodeQuoted) : line
  // Only the words that contain non-ASCII characters: addresses next to them must stay readable.
  const encoded = unquoted.replace(/[^\s<>@,;:"]*\P{ASCII}[^<>@,;:"]*/gu, (words) => {
    const trimmed = words.trimEnd()
    return `${encodedWords(trimmed)}${words.slice(trimmed.length)}`
  })
  return fold(encoded)
}

function encodeQuoted(quoted: string, inner: string): string {
  return /\P{ASCII}/u.test(inner) ? encodedWords(inner.replace(/\\(.)/g, '$1')) : quoted
}

function encodedWords(text: string): string {
  const chunks = chunksOf(text.toWellFormed())
  return chunks.map((chunk) => `=?utf-8?B?${encodeUtf8(chunk)}?=`).join(' ')
}

/** Folds a field at spaces where a line would be longer than RFC 5322 2.1.1 recommends. */
function fold(line: string): string {
  return line.length <= 60 ? line : line.replace(/(\S.{0,58}\S) (?=\S)/g, '$1\r\n ')
}

/** The maximum number of bytes in an encoded word, whose base64 and delimiters then take 72 characters. */
const wordBytes = 45

/**
 * Splits a text between characters, into as few encoded words as possible, since some readers put a space
 * between them.
 */
function chunksOf(text: string): string[] {
  const chunks = ['']
  let left = wordBytes
  for (const character of text) {
    const size = new TextEncoder().encode(character).length
    left -= size
    if (left < 0) {
      chunks.push('')
      left = wordBytes - size
    }
    chunks[chunks.length - 1] += character
  }
  return chunks
}

function encodeUtf8(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}

function wrap(base64: string): string {
  return base64.replace(/.{76}(?=.)/g, '$&\r\n')
}
