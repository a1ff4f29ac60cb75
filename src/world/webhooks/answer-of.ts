import { isText } from '../exchange.js'
import type { ReceiverAnswer } from './outlet.js'

/** Bytes of an answer's body that are kept. */
const mostKept = 4096

/** Reads what is kept of a receiver's answer, and lets go of the rest. */
export async function answerOf(response: Response): Promise<ReceiverAnswer> {
  const { status } = response
  const headers = Object.fromEntries(response.headers)
  const { bytes, incomplete } = await readStart(response)
  const readable = bytes.length > 0 && isText(headers['content-type'])
  const body = readable ? new TextDecoder().decode(bytes) : null
  return { status, headers, body, ...(incomplete !== undefined && { incomplete }) }
}

async function readStart({ body }: Response): Promise<{ bytes: Uint8Array; incomplete?: string }> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  try {
    while (reader && length < mostKept) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      length += value.length
    }
  } catch (error) {
    return { bytes: joined(chunks), incomplete: reasonOf(error) }
  }
  // Whatever is left of it, however much, is of no use; letting go of it may fail, which is of no use either.
  void reader?.cancel().catch(() => undefined)
  return { bytes: joined(chunks) }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(
    Math.min(
      mostKept,
      chunks.reduce((sum, { length }) => sum + length, 0),
    ),
  )
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at)
    at += Math.min(chunk.length, bytes.length - at)
  }
  return bytes
}

/** The innermost message of an error: the others say little. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? reasonOf(cause) : message
}
