// A multiple of three, so that no chunk but the last is padded
const bytesPerChunk = 24_576

/** Encodes bytes as base64 with padding and without line breaks. @see RFC 4648 section 4 */
export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = []
  for (let at = 0; at < bytes.length; at += bytesPerChunk) {
    chunks.push(btoa(String.fromCharCode(...bytes.subarray(at, at + bytesPerChunk))))
  }
  return chunks.join('')
}

/** How many bytes a base64 text stands for. */
export function sizeOfBase64(content: string): number {
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  return (content.length / 4) * 3 - padding
}
