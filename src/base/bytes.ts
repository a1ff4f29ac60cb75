/** Joins pieces of bytes; a single piece is returned as it is. */
function joinBytes<Memory extends ArrayBufferLike>(
  pieces: readonly Uint8Array<Memory>[],
): Uint8Array<Memory | ArrayBuffer> {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** How bytes are read. */
interface ByteReading {
  /** The number of bytes behind which it stops; all are read by default. */
  readonly most?: number
  /** Called if the source fails before its end; what was read until then counts, unless it throws. By default, the failure is thrown. */
  readonly failed?: (error: unknown) => void
}

/** Reads bytes that arrive in pieces; returns more than `most` if there are more. */
export async function readPieces(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { most = Number.POSITIVE_INFINITY, failed }: ByteReading = {},
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of source) {
      pieces.push(piece)
      length += piece.length
      if (length > most) break
    }
  } catch (error) {
    if (!failed) throw error
    failed(error)
  }
  return joinBytes(pieces)
}

/** Yields the pieces of a stream, also where streams cannot be iterated; cancels it at the end, or when the signal says so. */
export async function* piecesOf(
  stream: ReadableStream<Uint8Array> | null | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader()
  // The rest is not needed; a failure to cancel it does not matter.
  const cancel = (): void => void reader?.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}
