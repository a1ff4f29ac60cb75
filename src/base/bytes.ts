/** Joins pieces of bytes; a single piece is returned as it is. */
export function joinBytes<Memory extends ArrayBufferLike>(
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
