import type { Charsets } from './charsets.js'
import { extensionFor } from './media-types.js'
import type { MimePart } from './mime-parts.js'
import type { StructuredValue } from './parameters.js'
import type { ParsedAttachment } from './parsed-mail.js'
import { decodeTransfer, decodeUuencode, toBase64 } from './transfer-encoding.js'

const lineFeed = 0x0a
const space = 0x20
const hyphen = 0x2d
const quoteMark = 0x3e
const carriageReturn = 0x0d
const maxFilename = 255
// Direction overrides can make `exe.pdf` read backwards, so they are removed with the control characters
const unsafeInFilename = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** The parts of a message by purpose. */
interface SortedParts {
  readonly text: readonly MimePart[]
  readonly html: readonly MimePart[]
  readonly attachments: readonly MimePart[]
}

/**
 * Divides the parts of a message into its body and its attachments. Attachments are parts that are neither
 * plain text nor HTML, parts with the disposition `attachment`, named texts, and all parts of a
 * `multipart/related` except the root.
 * @see RFC 8621 section 4.1.4, RFC 2046 section 5.1, RFC 2387 section 3.2
 */
export function sortParts(mail: MimePart): SortedParts {
  const sorted = { text: [] as MimePart[], html: [] as MimePart[], attachments: [] as MimePart[] }
  const sort = (part: MimePart, isBody: boolean): void => {
    const { value } = part.type
    if (part.parts.length > 0) {
      const root = value === 'multipart/related' ? rootOf(part) : undefined
      const isAlternative = value === 'multipart/alternative'
      for (const [index, child] of part.parts.entries()) {
        sort(child, root ? child === root : !isNamedText(child, isAlternative, index))
      }
    } else if (!isBody || part.disposition.value === 'attachment' || isOtherDisposition(part)) {
      sorted.attachments.push(part)
    } else if (value === 'text/html') sorted.html.push(part)
    else if (value === 'text/plain' || (part === mail && value.startsWith('multipart/')))
      sorted.text.push(part)
    // Before a first boundary, a multipart has only what is to be ignored
    else if (!value.startsWith('multipart/')) sorted.attachments.push(part)
  }
  sort(mail, true)
  return sorted
}

/** Returns the declared name of a part; '' if it has none. */
function nameOf({ disposition, type }: MimePart): string {
  return disposition.parameters.get('filename') || type.parameters.get('name') || ''
}

function rootOf({ type, parts }: MimePart): MimePart | undefined {
  const start = type.parameters.get('start')
  const named = start && parts.find((part) => part.contentId !== '' && start.includes(part.contentId))
  return named || parts[0]
}

// Alternatives are always the body, and so is the first part if only its Content-Type has a name
function isNamedText(part: MimePart, isAlternative: boolean, index: number): boolean {
  if (isAlternative || part.parts.length > 0) return false
  return isGiven(part.disposition, 'filename') || (index > 0 && isGiven(part.type, 'name'))
}

/** Returns whether a parameter has a value that is not blank. */
function isGiven({ parameters }: StructuredValue, name: string): boolean {
  return (parameters.get(name) ?? '').trim() !== ''
}

// RFC 2183 section 2.8: an unknown disposition is treated as an attachment
function isOtherDisposition({ disposition }: MimePart): boolean {
  return disposition.value !== '' && disposition.value !== 'inline'
}

/** Returns the joined text of parts, with `\n` line ends; null if there is none. */
export function textOfParts(parts: readonly MimePart[], mail: MimePart, charsets: Charsets): string | null {
  const texts = parts.map((part) => {
    const text = textOf(part, charsets)
    // The line break at the end of a message, or of the last encoded line, is not part of the text
    return part === mail || part.encoding === 'base64' ? text.replace(/\n$/, '') : text
  })
  return texts.filter((text) => text !== '').join('\n') || null
}

function textOf(part: MimePart, charsets: Charsets): string {
  const { parameters, value } = part.type
  const charset = parameters.get('charset')
  const isHtml = value === 'text/html'
  const bytes = decodeTransfer(part.body, part.encoding)
  if (charsets.named(charset).startsWith('utf-16') || (bytes[0] ?? 0) >= 0xfe) {
    const text = charsets.text(bytes, charset, isHtml)
    return text.replaceAll('\0', '').replace(/\r+\n?/g, '\n')
  }
  const lines = withLineFeeds(bytes)
  const isFlowed = value === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed'
  const paragraphs = isFlowed ? unflowed(lines, parameters.get('delsp')?.toLowerCase() === 'yes') : lines
  return charsets.text(paragraphs, charset, isHtml)
}

/** Converts line ends to LF; removes NUL, at which stores and terminals that receive the text would stop. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const next = bytes[at + 1]
    if (byte === carriageReturn && next !== carriageReturn && next !== lineFeed) plain[length++] = lineFeed
    else if (byte !== carriageReturn && byte !== 0) plain[length++] = byte
  }
  return plain.subarray(0, length)
}

/**
 * Joins the lines of flowed paragraphs, including quoted ones at each depth, and removes the spaces that protect lines.
 * Quote marks and spaces are the same bytes in every charset except UTF-16.
 * @see RFC 3676 sections 4.1 to 4.5
 */
function unflowed(lines: Uint8Array, dropsSpace: boolean): Uint8Array {
  // Larger, because a space is inserted after a quote mark that has none
  const joined = new Uint8Array(Math.ceil(lines.length * 1.5) + 2)
  let length = 0
  let depthBefore = -1
  for (let start = 0; start <= lines.length; ) {
    const found = lines.indexOf(lineFeed, start)
    const end = found < 0 ? lines.length : found
    let words = start
    while (lines[words] === quoteMark) words += 1
    const depth = words - start
    if (words < end && lines[words] === space) words += 1
    const endsInSpace = end > words && lines[end - 1] === space
    const isSignature =
      endsInSpace && end - words === 3 && lines[words] === hyphen && lines[words + 1] === hyphen
    const flows = endsInSpace && !isSignature
    if (depth !== depthBefore || isSignature) {
      if (start > 0) joined[length++] = lineFeed
      for (let mark = 0; mark < depth; mark += 1) joined[length++] = quoteMark
      if (depth > 0) joined[length++] = space
    }
    const to = flows && dropsSpace ? end - 1 : end
    for (let at = words; at < to; at += 1) joined[length++] = lines[at] as number
    depthBefore = flows ? depth : -1
    start = end + 1
  }
  return joined.subarray(0, length)
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
    filename: filename || `attachment-${position}.${extensionFor(type.value)}`,
    contentType: type.value,
    contentId: contentId || null,
    disposition: dispositionOf(disposition.value),
    content: toBase64(uuencoded?.content ?? decodeTransfer(body, encoding)),
  }
}

function safeFilename(filename: string): string {
  const name = filename.replace(/\t+/g, ' ').replace(unsafeInFilename, '').trim()
  return name === '.' || name === '..' ? '' : truncateFilename(name)
}

// Most file systems do not allow longer names; the extension is kept because it shows the type of the file
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
