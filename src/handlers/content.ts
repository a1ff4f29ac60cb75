const encoder = new TextEncoder()

/** A piece of an answer: JSON that is remembered as bytes, text that is yet to be encoded, or a stored file. */
type Part = Uint8Array | string | { readonly base64: string }

/** What stands around the parts of a list, which have commas between them. */
interface Around {
  readonly before: Uint8Array
  /** ASCII. */
  readonly after: string
}

/** The bytes of an answer, kept in the pieces they were made of: the journal holds on to pieces, not to pages. */
export class Content {
  readonly #parts: readonly Part[]
  readonly #around: Around | undefined

  /** With `around`, the parts are a list in JSON; without, they are put together as they are. */
  constructor(parts: readonly Part[], around?: Around) {
    this.#parts = parts
    this.#around = around
  }

  /** Whether another content of the same making has the same bytes. */
  equals(other: Content): boolean {
    const others = other.#parts
    return (
      this.#around?.before === other.#around?.before &&
      this.#around?.after === other.#around?.after &&
      this.#parts.length === others.length &&
      this.#parts.every((part, index) => samePart(part, others[index] as Part))
    )
  }

  /** The whole, as one piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    const pieces = this.#parts.map(bytesOf)
    return this.#around ? joinList(pieces, this.#around) : join(pieces)
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(lengthOf(pieces))
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}

// Written out, because this is most of what a list costs: no piece is made for a comma.
function joinList(pieces: readonly Uint8Array[], { before, after }: Around): Uint8Array<ArrayBuffer> {
  const commas = Math.max(0, pieces.length - 1)
  const bytes = new Uint8Array(before.length + lengthOf(pieces) + commas + after.length)
  bytes.set(before)
  let offset = before.length
  for (const piece of pieces) {
    if (offset > before.length) bytes[offset++] = comma
    bytes.set(piece, offset)
    offset += piece.length
  }
  for (let at = 0; at < after.length; at++) bytes[offset++] = after.charCodeAt(at)
  return bytes
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}

function bytesOf(part: Part): Uint8Array {
  if (typeof part === 'string') return encoder.encode(part)
  if (!('base64' in part)) return part
  return Uint8Array.from(atob(part.base64), (character) => character.charCodeAt(0))
}

function samePart(a: Part, b: Part): boolean {
  if (a === b || typeof a === 'string' || typeof b === 'string') return a === b
  // Not by `instanceof`: in jsdom, what an encoder gives is no Uint8Array of the test's own.
  if ('base64' in a) return 'base64' in b && a.base64 === b.base64
  return !('base64' in b) && a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** What a list is of. */
export type ListName = 'threads' | 'messages' | 'webhooks'

/** `{"threads":[…],"total":50}` from rows that are JSON already. @see interface 4.3, 4.4, 4.5 */
export function listContent(name: ListName, rows: readonly Uint8Array[], total: number): Content {
  return new Content(rows, { before: openings[name], after: `],"total":${total}}` })
}

const openings: Readonly<Record<ListName, Uint8Array>> = {
  threads: encoder.encode('{"threads":['),
  messages: encoder.encode('{"messages":['),
  webhooks: encoder.encode('{"webhooks":['),
}

const comma = 0x2c
