import { isText } from '../exchange.js'
import type { ReceiverAnswer } from './outlet.js'

/** Bytes of an answer's body that are kept. */
const mostKept = 4096

/** A receiver's answer as it comes in. */
export interface IncomingAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whoever stops reading it before its end lets go of the rest. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Reads what is kept of a receiver's answer, and lets go of the rest; of all of it once the signal says so. */
export function answerOf({ status, headers, body }: Response, signal?: AbortSignal): Promise<ReceiverAnswer> {
  return readAnswer({ status, headers: Object.fromEntries(headers), body: chunksOf(body, signal) })
}

/** Reads what is kept of an answer as it comes in, and lets go of the rest. It does not fail. */
export async function readAnswer({ status, headers, body }: IncomingAnswer): Promise<ReceiverAnswer> {
  const { bytes, incomplete } = await readStart(body)
  const readable = bytes.length > 0 && isText(headers['content-type'])
  // As of a text that goes on: a character that was cut apart is left out.
  const text = readable ? new TextDecoder().decode(bytes, { stream: true }) : null
  return { status, headers, body: text, ...(incomplete !== undefined && { incomplete }) }
}

async function readStart(
  body: AsyncIterable<Uint8Array>,
): Promise<{ bytes: Uint8Array; incomplete?: string }> {
  const kept = new Uint8Array(mostKept)
  let length = 0
  try {
    for await (const chunk of body) {
      const start = chunk.subarray(0, mostKept - length)
      kept.set(start, length)
      length += start.length
      if (length === mostKept) break
    }
  } catch (error) {
    return { bytes: kept.slice(0, length), incomplete: reasonOf(error) }
  }
  return { bytes: kept.slice(0, length) }
}

async function* chunksOf(body: Response['body'], signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  // Whatever is left of it, however much, is of no use; letting go of it may fail, which is of no use either.
  const letGo = (): void => void reader?.cancel().catch(() => undefined)
  signal?.addEventListener('abort', letGo)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value
  } finally {
    signal?.removeEventListener('abort', letGo)
    letGo()
  }
}

/** The innermost message of an error, since the others say little; whatever else was thrown, as text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
