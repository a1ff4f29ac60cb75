import type { Charsets } from './charsets.js'
import { isNamed, type StructuredValue, structuredValue } from './parameters.js'
import { MailLimitError, mailLimits } from './parsed-mail.js'
import { decodeTransfer } from './transfer-encoding.js'

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const hyphen = 0x2d
const colon = 0x3a
const mboxMark = 'From '
// RFC 2046 section 5.1.1 allows 70, and some programs write more
const maxBoundary = 200
const boundaryLine = /^--[\w'()+,./:=?-]+$/
/** How many nested multiparts may be divided by a boundary that they did not declare. */
const maxRepairs = 2
const maxCandidates = 1000

/** A header field: its name as written, and the position of its value in the source, including folds. */
interface RawField {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** An entity of a message: the message itself, or a part of a multipart. @see RFC 2045 section 2.4 */
export interface MimePart {
  /** The bytes that `fields` refer to. */
  readonly source: Uint8Array
  readonly fields: readonly RawField[]
  readonly type: StructuredValue
  readonly disposition: StructuredValue
  /** In lower case; '' if there is none. */
  readonly encoding: string
  /** Without angle brackets; '' if there is none. */
  readonly contentId: string
  /** The encoded bytes of the body, without the line break before the next boundary. */
  readonly body: Uint8Array
  /** The parts of a multipart; a multipart without parts is treated as text. */
  readonly parts: readonly MimePart[]
}

/**
 * Divides a message into its parts in one pass over its bytes. If a multipart declares no boundary, or one
 * that never occurs, it is divided by the first line that looks like a boundary. An encoded multipart is
 * decoded first.
 * @throws MailLimitError
 * @see RFC 2046 section 5.1
 */
export function divideMail(mail: Uint8Array, charsets: Charsets): MimePart {
  return new Divider(mail, charsets, { parts: 0, depth: 0, repairs: 0, charset: '' }).root()
}

/** Returns the unfolded value of a field; encoded words are not decoded. @see RFC 5322 section 2.2.3 */
export function fieldText(
  { source }: Pick<MimePart, 'source'>,
  { start, end }: RawField,
  bodyCharset: string,
  charsets: Charsets,
): string {
  return charsets
    .header(source.subarray(start, end), bodyCharset)
    .replace(/[\r\n]+/g, '')
    .trim()
}

/** How much of the limits has been used when a divider begins. */
interface Usage {
  parts: number
  readonly depth: number
  readonly repairs: number
  /** The first charset of a part other than ASCII and UTF-8; decodes non-ASCII bytes in file names. */
  charset: string
}

interface Entity extends MimePart {
  readonly bodyStart: number
  body: Uint8Array
  parts: Entity[]
}

interface FieldLines {
  readonly start: number
  readonly nameEnd: number
  end: number
}

interface OpenMultipart {
  readonly entity: Entity
  readonly boundary: string
  /** The enclosing multipart with the same boundary. */
  readonly hidden: OpenMultipart | undefined
}

interface Delimiter {
  readonly multipart: OpenMultipart
  readonly closes: boolean
  readonly start: number
  readonly next: number
}

class Divider {
  readonly #bytes: Uint8Array
  readonly #charsets: Charsets
  readonly #usage: Usage
  readonly #lineEnd: number
  readonly #open: OpenMultipart[] = []
  readonly #byBoundary = new Map<string, OpenMultipart>()

  constructor(bytes: Uint8Array, charsets: Charsets, usage: Usage) {
    this.#bytes = bytes
    this.#charsets = charsets
    this.#usage = usage
    // Old Macs ended lines with only a CR
    this.#lineEnd = bytes.includes(lineFeed) || !bytes.includes(carriageReturn) ? lineFeed : carriageReturn
  }

  root(): Entity {
    const root = this.#begin(0, 'text/plain')
    this.#divide(root)
    return root
  }

  /** Divides a body by a boundary; returns its parts. */
  partsOf(multipart: Entity, boundary: string): Entity[] {
    const body: Entity = { ...multipart, source: this.#bytes, encoding: '', bodyStart: 0, parts: [] }
    this.#push(body, boundary)
    this.#divide(body)
    return body.parts
  }

  #divide(first: Entity): void {
    let leaf = this.#isOpen(first) ? undefined : first
    for (let at = first.bodyStart; ; ) {
      const found = this.#nextDelimiter(at)
      const end = found ? this.#beforeBreak(found.start) : this.#bytes.length
      if (leaf) this.#end(leaf, end)
      leaf = undefined
      if (!found) break
      while (this.#open.at(-1) !== found.multipart) this.#closeTop(end)
      at = found.next
      if (found.closes) this.#closeTop(end)
      else {
        const { entity } = found.multipart
        const part = this.#begin(
          at,
          entity.type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
        )
        entity.parts.push(part)
        if (!this.#isOpen(part)) leaf = part
        at = part.bodyStart
      }
    }
    while (this.#open.length > 0) this.#closeTop(this.#bytes.length)
  }

  #begin(start: number, defaultType: string): Entity {
    this.#usage.parts += 1
    if (this.#usage.parts > mailLimits.parts) throw new MailLimitError('parts')
    const source = this.#bytes
    const { fields, bodyStart } = this.#readHead(start)
    const read = (name: string) => {
      const field = fields.find((candidate) => isNamed(candidate.name, name))
      return field ? fieldText({ source }, field, this.#usage.charset, this.#charsets) : ''
    }
    const type = mediaType(structuredValue(read('content-type'), this.#charsets), defaultType)
    this.#noteCharset(type)
    const disposition = structuredValue(read('content-disposition'), this.#charsets)
    const encoding = structuredValue(read('content-transfer-encoding'), this.#charsets).value
    const contentId = read('content-id').replace(/[<>]/g, '').trim()
    const entity: Entity = {
      ...{ source, fields, bodyStart, type, disposition, encoding, contentId },
      body: noBytes,
      parts: [],
    }
    if (type.value.startsWith('multipart/')) this.#push(entity, type.parameters.get('boundary') ?? '')
    return entity
  }

  #noteCharset({ parameters }: StructuredValue): void {
    const charset = this.#charsets.named(parameters.get('charset'))
    if (this.#usage.charset === '' && charset !== 'us-ascii' && charset !== 'utf-8')
      this.#usage.charset = charset
  }

  #push(entity: Entity, boundary: string): void {
    const trimmed = boundary.trimEnd().slice(0, maxBoundary)
    const multipart = { entity, boundary: trimmed, hidden: this.#byBoundary.get(trimmed) }
    if (this.#open.push(multipart) + this.#usage.depth > mailLimits.depth) throw new MailLimitError('depth')
    if (trimmed !== '') this.#byBoundary.set(trimmed, multipart)
  }

  #isOpen(entity: Entity): boolean {
    return this.#open.at(-1)?.entity === entity
  }

  #closeTop(end: number): void {
    const { entity, boundary, hidden } = this.#open.pop() as OpenMultipart
    if (hidden) this.#byBoundary.set(boundary, hidden)
    else this.#byBoundary.delete(boundary)
    this.#end(entity, end)
    if (entity.parts.length === 0) entity.parts = this.#repairParts(entity)
  }

  #end(entity: Entity, end: number): void {
    entity.body = this.#bytes.subarray(entity.bodyStart, Math.max(entity.bodyStart, end))
  }

  /** Returns the parts of a multipart in which the declared boundary does not occur. */
  #repairParts(entity: Entity): Entity[] {
    const { depth, repairs } = this.#usage
    if (repairs === maxRepairs) return []
    const usage = { ...this.#usage, depth: depth + this.#open.length, repairs: repairs + 1 }
    const divide = (body: Uint8Array, boundary: string): Entity[] => {
      const parts = new Divider(body, this.#charsets, usage).partsOf(entity, boundary)
      this.#usage.parts = usage.parts
      return parts
    }
    const boundary = firstBoundary(entity.body, this.#charsets)
    if (boundary !== undefined) return divide(entity.body, boundary)
    // RFC 2045 section 6.4 forbids encoding a multipart, but some gateways do it
    const decoded = decodeTransfer(entity.body, entity.encoding)
    const declared = entity.type.parameters.get('boundary') ?? ''
    return decoded === entity.body || declared === '' ? [] : divide(decoded, declared)
  }

  #nextDelimiter(from: number): Delimiter | undefined {
    if (this.#byBoundary.size === 0) return undefined
    const bytes = this.#bytes
    for (let at = from; at < bytes.length - 2; at += 1) {
      if (bytes[at] !== hyphen || bytes[at + 1] !== hyphen) continue
      const startsLine = at === 0 || bytes[at - 1] === this.#lineEnd
      const found = startsLine ? this.#delimiterAt(at) : undefined
      if (found) return found
      // Skips a run of hyphens instead of checking each of them
      while (bytes[at + 1] === hyphen) at += 1
    }
    return undefined
  }

  #delimiterAt(start: number): Delimiter | undefined {
    if (this.#bytes[start] !== hyphen || this.#bytes[start + 1] !== hyphen) return undefined
    const next = this.#nextLine(start)
    let end = next
    while (end > start && isPadding(this.#bytes[end - 1])) end -= 1
    if (end - start > maxBoundary + 4) return undefined
    // Not with a decoder: it is slow to start, and a body may consist of such lines
    let line = ''
    for (let at = start + 2; at < end; at += 1) line += String.fromCharCode(this.#bytes[at] as number)
    const open = this.#byBoundary.get(line)
    if (open) return { multipart: open, closes: false, start, next }
    const closed = line.endsWith('--') ? this.#byBoundary.get(line.slice(0, -2).trimEnd()) : undefined
    return closed && { multipart: closed, closes: true, start, next }
  }

  #readHead(from: number): { fields: RawField[]; bodyStart: number } {
    const lines: FieldLines[] = []
    let stray: number | undefined
    let start = from
    for (let next: number; start < this.#bytes.length; start = next) {
      next = this.#nextLine(start)
      let end = next
      while (end > start && isLineBreak(this.#bytes[end - 1])) end -= 1
      if (end === start) return this.#headOf(next, lines, stray)
      if (this.#byBoundary.size > 0 && this.#delimiterAt(start)) break
      const last = lines.at(-1)
      // Before the first field there is nothing that spaces could continue
      const name = last ? start : this.#afterBlanks(start)
      const nameEnd = this.#nameEnd(name, end)
      if (nameEnd > name) {
        stray = undefined
        if (lines.push({ start: name, nameEnd, end }) > mailLimits.fields) throw new MailLimitError('fields')
      } else if (last && stray === undefined && isBlank(this.#bytes[start])) last.end = end
      else if (!(start === from && this.#startsLikeMbox(start))) stray ??= start
    }
    return this.#headOf(start, lines, stray)
  }

  #headOf(next: number, lines: readonly FieldLines[], stray: number | undefined) {
    const fields = lines.map(({ start, nameEnd, end }): RawField => {
      const name = this.#charsets.latin1(this.#bytes.subarray(start, nameEnd))
      return { name, start: this.#bytes.indexOf(colon, nameEnd) + 1, end }
    })
    return { fields, bodyStart: this.#bodyAfter(fields, stray, next) }
  }

  /** Returns the start of the body: text that follows the headers without a blank line belongs to it. */
  #bodyAfter(fields: readonly RawField[], stray: number | undefined, next: number): number {
    if (stray === undefined) return next
    return fields.length === 0 || this.#readsAsText(stray) ? stray : next
  }

  // A header that was folded without indentation (`charset=utf-8`) is not text
  #readsAsText(start: number): boolean {
    return /^[^\s=:]+\s/.test(
      this.#charsets.latin1(this.#bytes.subarray(start, Math.min(start + 1000, this.#nextLine(start)))),
    )
  }

  #startsLikeMbox(start: number): boolean {
    return this.#charsets.latin1(this.#bytes.subarray(start, start + mboxMark.length)) === mboxMark
  }

  /** Returns the end of the field name on a line; `start` if there is no field. @see RFC 5322 section 2.2 */
  #nameEnd(start: number, end: number): number {
    let at = start
    while (at < end && isNameByte(this.#bytes[at] as number)) at += 1
    const nameEnd = at
    at = this.#afterBlanks(at)
    // A fold before the colon is part of the field, too, once it is unfolded
    const next = at === end && nameEnd > start ? this.#nextLine(end) : at
    if (next > at && isBlank(this.#bytes[next])) at = this.#afterBlanks(next)
    return this.#bytes[at] === colon ? nameEnd : start
  }

  #afterBlanks(start: number): number {
    let at = start
    while (isBlank(this.#bytes[at])) at += 1
    return at
  }

  #nextLine(start: number): number {
    const found = this.#bytes.indexOf(this.#lineEnd, start)
    return found < 0 ? this.#bytes.length : found + 1
  }

  /** Returns the position before the line break that precedes a delimiter and belongs to it. */
  #beforeBreak(start: number): number {
    const end = start > 0 && this.#bytes[start - 1] === this.#lineEnd ? start - 1 : start
    return end < start && this.#lineEnd === lineFeed && this.#bytes[end - 1] === carriageReturn
      ? end - 1
      : end
  }
}

const noBytes = new Uint8Array()

/** Normalizes a media type; a malformed type becomes plain text, or that of any file if it has a name. @see RFC 2045 section 5.2 */
function mediaType(type: StructuredValue, otherwise: string): StructuredValue {
  if (type.value === '') return { ...type, value: otherwise }
  // A multipart of any kind is mixed, also one whose kind was left open: `multipart/*`
  if (/^multipart(\/\*?)?$/.test(type.value)) return { ...type, value: 'multipart/mixed' }
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type.value)) return type
  const isFile = !type.value.startsWith('text') && (type.parameters.get('name') ?? '').trim() !== ''
  return { ...type, value: isFile ? 'application/octet-stream' : 'text/plain' }
}

/** Returns the boundary in the first line that looks like a delimiter and precedes a header field or a blank line. */
function firstBoundary(body: Uint8Array, charsets: Charsets): string | undefined {
  let start = body[0] === hyphen && body[1] === hyphen ? 0 : nextMark(body, 0)
  for (let tried = 0; start >= 0 && tried < maxCandidates; start = nextMark(body, start), tried += 1) {
    const found = body.indexOf(lineFeed, start)
    if (found < 0) return undefined
    const line = found - start > maxBoundary ? '' : charsets.latin1(body.subarray(start, found)).trimEnd()
    if (!boundaryLine.test(line)) continue
    const next = charsets.latin1(body.subarray(found + 1, found + 100))
    if (/^(?:\r?\n|[\x21-\x39\x3b-\x7e]+[ \t]*:)/.test(next)) return line.slice(2)
  }
  return undefined
}

/** Returns the start of the next line that begins with two hyphens; -1 if there is none. */
function nextMark(body: Uint8Array, from: number): number {
  for (let at = from + 1; at < body.length - 2; at += 1) {
    if (body[at] === hyphen && body[at + 1] === hyphen && body[at - 1] === lineFeed) return at
  }
  return -1
}

function isNameByte(byte: number): boolean {
  return byte > space && byte < 0x7f && byte !== colon
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn
}

function isPadding(byte: number | undefined): boolean {
  return isBlank(byte) || isLineBreak(byte)
}
