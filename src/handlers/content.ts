const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The bytes of an answer, kept in the pieces they were made of: the journal holds on to pieces, not to pages. */
export class Content {
  readonly #parts: readonly Uint8Array[]

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts
  }

  /** The whole, as one piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    let length = 0
    for (const part of this.#parts) length += part.length
    const bytes = new Uint8Array(length)
    let offset = 0
    for (const part of this.#parts) {
      bytes.set(part, offset)
      offset += part.length
    }
    return bytes
  }

  /** The whole, read as UTF-8. */
  text(): string {
    return decoder.decode(this.bytes())
  }
}

/** Text as content, in UTF-8. */
export function contentOf(text: string): Content {
  return new Content([encoder.encode(text)])
}

/** `{"threads":[…],"total":50}` from rows that are JSON already. @see interface 4.3, 4.4, 4.5 */
export function listContent(name: string, rows: readonly Uint8Array[], total: number): Content {
  const parts: Uint8Array[] = [encoder.encode(`{"${name}":[`)]
  for (const row of rows) {
    if (parts.length > 1) parts.push(comma)
    parts.push(row)
  }
  parts.push(encoder.encode(`],"total":${total}}`))
  return new Content(parts)
}

const comma = encoder.encode(',')
