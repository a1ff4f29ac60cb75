import { nameOf } from './body.js'
import { restoreWindows1252 } from './charsets.js'
import type { MimePart } from './mime-parts.js'
import { decodeTransfer, decodeUuencode, toBase64 } from './transfer-encoding.js'

/** An attached file of a parsed mail. */
export interface ParsedAttachment {
  /** Without a path, never empty, at most 255 UTF-16 code units. */
  readonly filename: string
  /** The media type in lower case, without parameters. */
  readonly contentType: string
  /** The Content-ID without angle brackets, as in a `cid:` link. @see RFC 2392 */
  readonly contentId: string | null
  readonly disposition: 'attachment' | 'inline' | null
  /** The decoded bytes as base64. */
  readonly content: string
}

const maxFilename = 255
// Direction overrides can make `exe.pdf` read backwards, so they are removed with the control characters
const unsafeInFilename = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu
const extensions: Readonly<Record<string, string>> = {
  'application/ics': 'ics',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/pgp-signature': 'asc',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/zip': 'zip',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/rfc822-headers': 'txt',
}

/**
 * Converts a MIME part to an attachment. `position` counts from 1 and becomes the name of a part without a usable name
 * (`attachment-2.pdf`).
 * @see RFC 2183
 */
export function describeAttachment(part: MimePart, position: number): ParsedAttachment {
  const { type, encoding, body, contentId, disposition } = part
  const uuencoded = encoding.includes('uue') ? decodeUuencode(body) : undefined
  const filename = safeFilename(nameOf(part)) || safeFilename(uuencoded?.filename ?? '')
  return {
    filename: filename || `attachment-${position}.${extensions[type.value] ?? 'bin'}`,
    contentType: type.value,
    contentId: contentId || null,
    disposition: dispositionOf(disposition.value),
    content: toBase64(uuencoded?.content ?? decodeTransfer(body, encoding)),
  }
}

function safeFilename(filename: string): string {
  const name = restoreWindows1252(filename).replace(/\t+/g, ' ').replace(unsafeInFilename, '')
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()
  return last === '.' || last === '..' ? '' : truncateFilename(last)
}

// Most file systems allow no longer names; the extension is kept because it says what the file is
function truncateFilename(name: string): string {
  if (name.length <= maxFilename) return name
  const extension = /\.\w{1,15}$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, maxFilename - extension.length).replace(/[\ud800-\udbff]$/, '')
  return `${stem.trim()}${extension}`
}

function dispositionOf(value: string): ParsedAttachment['disposition'] {
  if (value === '') return null
  return value === 'inline' ? value : 'attachment'
}
