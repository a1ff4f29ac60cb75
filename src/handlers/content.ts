const encoder = new TextEncoder()

/** A piece of an answer: JSON that is remembered as bytes, text that is yet to be encoded, or a stored file. */
type Part = Uint8Array | string | { readonly base64: string }

/** What stands around the parts of a list, which have commas between them. */
interface Around {
  readonly before: string
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
    const pieces = this.#pieces()
    let length = 0
    for (const piece of pieces) length += piece.length
    const bytes = new Uint8Array(length)
    let offset = 0
    for (const piece of pieces) {
      bytes.set(piece, offset)
      offset += piece.length
    }
    return bytes
  }

  #pieces(): Uint8Array[] {
    if (!this.#around) return this.#parts.map(bytesOf)
    const pieces: Uint8Array[] = [encoder.encode(this.#around.before)]
    for (const part of this.#parts) {
      if (pieces.length > 1) pieces.push(comma)
      pieces.push(bytesOf(part))
    }
    pieces.push(encoder.encode(this.#around.after))
    return pieces
  }
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

/** `{"threads":[…],"total":50}` from rows that are JSON already. @see interface 4.3, 4.4, 4.5 */
export function listContent(name: string, rows: readonly Uint8Array[], total: number): Content {
  return new Content(rows, { before: `{"${name}":[`, after: `],"total":${total}}` })
}

const comma = encoder.encode(',')
