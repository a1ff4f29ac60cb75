const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A piece of an answer: JSON that is remembered as bytes, or text that is yet to be encoded. */
type Part = Uint8Array | string

/** The bytes of an answer, kept in the pieces they were made of: the journal holds on to pieces, not to pages. */
export class Content {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** Whether another content of the same making has the same bytes. */
  equals(other: Content): boolean {
    const others = other.#parts
    return (
      this.#parts.length === others.length &&
      this.#parts.every((part, index) => samePart(part, others[index] as Part))
    )
  }

  /** The whole, as one piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    let length = 0
    const pieces: Uint8Array[] = []
    for (const part of this.#parts) {
      const piece = typeof part === 'string' ? encoder.encode(part) : part
      pieces.push(piece)
      length += piece.length
    }
    const bytes = new Uint8Array(length)
    let offset = 0
    for (const piece of pieces) {
      bytes.set(piece, offset)
      offset += piece.length
    }
    return bytes
  }

  /** The whole, read as UTF-8. */
  text(): string {
    return decoder.decode(this.bytes())
  }
}

function samePart(a: Part, b: Part): boolean {
  if (a === b || typeof a === 'string' || typeof b === 'string') return a === b
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** `{"threads":[…],"total":50}` from rows that are JSON already. @see interface 4.3, 4.4, 4.5 */
export function listContent(name: string, rows: readonly Uint8Array[], total: number): Content {
  const parts: Part[] = [`{"${name}":[`]
  for (const row of rows) {
    if (parts.length > 1) parts.push(comma)
    parts.push(row)
  }
  parts.push(`],"total":${total}}`)
  return new Content(parts)
}

const comma = encoder.encode(',')
