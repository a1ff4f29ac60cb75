import { joinBytes } from './bytes.js'

const [quote, backslash, list, listEnd, object, objectEnd, comma] = Array.from('"\\[]{},', (character) =>
  character.charCodeAt(0),
)

/** The bounds of a JSON text: parsing and checking one takes time and memory, and both are recursive. */
interface JsonBounds {
  /** How deep lists and objects may be nested. */
  readonly depth: number
  /** The maximum number of values in all of its lists and objects. */
  readonly values: number
  /** The maximum number of members of one object. */
  readonly members: number
}

/** Why a text was refused: it exceeds a bound, or is not JSON. */
export class JsonReadingError extends Error {
  readonly code: 'too-deep' | 'too-many' | 'too-long' | 'malformed'

  constructor(code: JsonReadingError['code'], problem: string) {
    super(problem)
    this.code = code
  }
}

/** Measures JSON of which the bytes come in pieces. The result is meaningless for any other text. */
export class JsonMeasure {
  readonly #bounds: JsonBounds
  #values = 1
  #inString = false
  /** Whether the string so far ends in an unpaired backslash. */
  #escaping = false
  /** For each open list or object, outermost first: the number of its commas so far; NaN for a list. */
  readonly #open: number[] = []

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  /**
   * Measures the next bytes; calls `visit` with each byte that opens, separates or closes, its position, and the depth
   * around it. @throws JsonReadingError when a bound is exceeded
   */
  add(bytes: Uint8Array, visit?: (byte: number, at: number, depth: number) => void): void {
    const open = this.#open
    for (let at = 0; at < bytes.length; at++) {
      if (this.#inString) {
        at = this.#endOfString(bytes, at)
        continue
      }
      const byte = bytes[at] as number
      if (byte === quote) this.#inString = true
      else if (byte === comma) {
        this.#count()
        visit?.(byte, at, open.length)
      } else if (byte === list || byte === object) {
        visit?.(byte, at, open.length)
        open.push(byte === object ? 0 : Number.NaN)
        if (open.length <= this.#bounds.depth) continue
        throw new JsonReadingError(
          'too-deep',
          `it nests lists and objects more than ${this.#bounds.depth} deep`,
        )
      } else if (byte === listEnd || byte === objectEnd) {
        open.pop()
        visit?.(byte, at, open.length)
      }
    }
  }

  #count(): void {
    const open = this.#open
    const place = Math.max(0, open.length - 1)
    const commas = (open[place] ?? 0) + 1
    open[place] = commas
    const { values, members } = this.#bounds
    if (++this.#values <= values && !(commas >= members)) return
    throw new JsonReadingError(
      'too-many',
      `it may have ${values} values at most, and ${members} in one object`,
    )
  }

  /** Returns the position of the quote that ends a string, or the end of the bytes. */
  #endOfString(bytes: Uint8Array, start: number): number {
    let from = start
    if (this.#escaping) from++
    this.#escaping = false
    for (;;) {
      const end = bytes.indexOf(quote as number, from)
      let backslashes = 0
      for (let at = (end < 0 ? bytes.length : end) - 1; at >= from && bytes[at] === backslash; at--) {
        backslashes++
      }
      const escaping = backslashes % 2 === 1
      if (end < 0) {
        this.#escaping = escaping
        return bytes.length
      }
      if (!escaping) {
        this.#inString = false
        return end
      }
      from = end + 1
    }
  }
}

/** The bytes of list items that are parsed at a time, approximately. */
const pieceBytes = 1_048_576

/** The most bytes of one item, or of everything outside of lists: the longest mail is shorter. */
const maxPiece = 67_108_864

/**
 * Parses JSON in UTF-8 of any length while its bytes arrive: the items of its outermost lists are parsed a few at a time, so
 * that neither the text nor the time for one step grows with it.
 */
export class JsonReader {
  readonly #measure: JsonMeasure
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  /** The parsed items of the outermost lists, in the order in which they began. */
  readonly #lists: unknown[][] = []
  /** The text outside of these lists; each is replaced by its place in `#lists`. */
  #outside = ''
  /** The depth of the list that is being read; undefined outside of lists. */
  #depth: number | undefined
  #bytes: Uint8Array[] = []
  #length = 0

  constructor(bounds: JsonBounds) {
    this.#measure = new JsonMeasure(bounds)
  }

  /** Reads the next bytes. @throws JsonReadingError */
  add(bytes: Uint8Array): void {
    let start = 0
    this.#measure.add(bytes, (byte, at, depth) => {
      if (this.#depth === undefined) {
        if (byte !== list) return
        this.#keep(bytes.subarray(start, at + 1))
        this.#outside += `${this.#taken()}${this.#lists.length}`
        this.#lists.push([])
        this.#depth = depth
      } else if (byte === listEnd && depth === this.#depth) {
        this.#keep(bytes.subarray(start, at))
        this.#parseItems()
        this.#depth = undefined
        start = at
        return
      } else {
        if (byte !== comma || depth !== this.#depth + 1 || this.#length + at - start < pieceBytes) return
        this.#keep(bytes.subarray(start, at))
        this.#parseItems()
      }
      start = at + 1
    })
    this.#keep(bytes.subarray(start))
  }

  /** Returns the value of the whole text. @throws JsonReadingError */
  end(): unknown {
    if (this.#depth !== undefined) throw new JsonReadingError('malformed', 'it is cut off within a list')
    return this.#withLists(parsed(this.#outside + this.#taken()))
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length
    if (this.#length > maxPiece) throw new JsonReadingError('too-long', `one of its values is too long`)
    if (bytes.length > 0) this.#bytes.push(bytes)
  }

  #taken(): string {
    const bytes = joinBytes(this.#bytes)
    this.#bytes = []
    this.#length = 0
    try {
      return this.#decoder.decode(bytes)
    } catch (error) {
      throw new JsonReadingError('malformed', (error as Error).message)
    }
  }

  #parseItems(): void {
    const items = this.#lists.at(-1) as unknown[]
    const found = parsed(`[${this.#taken()}]`) as unknown[]
    if (items.length > 0 && found.length === 0) {
      throw new JsonReadingError('malformed', 'a list ends with a comma')
    }
    for (const item of found) items.push(item)
  }

  /** Replaces every list, which stands for another one by its place. */
  #withLists(value: unknown): unknown {
    if (Array.isArray(value)) return this.#lists[value[0] as number]
    if (typeof value !== 'object' || value === null) return value
    const members = value as Record<string, unknown>
    for (const [name, part] of Object.entries(members)) {
      const whole = this.#withLists(part)
      // Any other assignment to this name would set the prototype.
      if (name === '__proto__') Object.defineProperty(members, name, { value: whole })
      else members[name] = whole
    }
    return members
  }
}

/** @throws JsonReadingError */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new JsonReadingError('malformed', (error as Error).message)
  }
}
