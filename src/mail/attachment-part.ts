import type { Attachment } from 'postal-mime'
import { toBase64 } from './base64.js'
import { restoreWindows1252 } from './windows-1252.js'

/** One attached file of a parsed mail. */
export interface ParsedAttachment {
  /** Without any path, never empty, at most 255 UTF-16 code units. */
  readonly filename: string
  /** Lower-case media type without parameters. */
  readonly contentType: string
  /** Content-ID without its angle brackets, as a `cid:` link names it. @see RFC 2392 */
  readonly contentId: string | null
  readonly disposition: 'attachment' | 'inline' | null
  /** Base64 of the decoded bytes. */
  readonly content: string
}

const calendar = /^(?:text\/calendar|application\/ics)$/
const longestFilename = 255
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
// Direction overrides can make `exe.pdf` read backwards, so they go out with the control characters
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
 * Describes a decoded MIME part as an attachment; `position` counts from 1 and names a part that
 * names itself badly or not at all (`attachment-2.pdf`).
 * @see RFC 2183
 */
export function describeAttachment(part: Attachment, position: number): ParsedAttachment {
  const contentType = mediaType.test(part.mimeType) ? part.mimeType : 'application/octet-stream'
  return {
    filename: safeFilename(part.filename) || `attachment-${position}.${extensions[contentType] ?? 'bin'}`,
    contentType,
    contentId: part.contentId?.replace(/^\s*<|>\s*$/g, '').trim() || null,
    disposition: dispositionOf(part.disposition),
    content: toBase64(bytesOf(part.content, contentType)),
  }
}

function safeFilename(filename: string | null): string {
  const name = restoreWindows1252(filename ?? '').replace(unsafeInFilename, '')
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()
  return last === '.' || last === '..' ? '' : shortened(last)
}

// Most file systems take no longer name; the extension says what the file is, so it stays
function shortened(name: string): string {
  if (name.length <= longestFilename) return name
  const extension = /\.\w{1,15}$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, longestFilename - extension.length).replace(/[\ud800-\udbff]$/, '')
  return `${stem.trim()}${extension}`
}

function dispositionOf(value: string | null): ParsedAttachment['disposition'] {
  if (value === null || value === 'inline') return value
  // RFC 2183 section 2.8: an unknown disposition is treated as an attachment
  return 'attachment'
}

function bytesOf(content: Attachment['content'], contentType: string): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content)
  // The parser has brought calendars to UTF-8, with the engine's idea of windows-1252
  return calendar.test(contentType) ? new TextEncoder().encode(restoreWindows1252(decodeUtf8(bytes))) : bytes
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
