import type { Call } from './call.js'
import { Refusal, reject } from './refusal.js'

/** Bytes of the larger reading of `limits.body-size`: nothing above it is ever read. */
const most = 1_048_576
const less = 102_400

/** The JSON object of a request's body; undefined when there is no body. @throws Refusal */
export async function readJsonBody(call: Call): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await readBytes(call)
  if (bytes.length === 0) return undefined
  if (mediaType(call.request) !== 'application/json') settleContentType(call)
  const text = decodeText(bytes)
  call.noteBody(text)
  return parseObject(text)
}

async function readBytes(call: Call): Promise<Uint8Array> {
  const declared = Number(call.request.headers.get('content-length'))
  // A body that says itself that it is too large is refused before any of it is read.
  const bytes = declared > most ? undefined : await readAtMost(call.request, most)
  const length = bytes?.length ?? declared
  const fits = call.settle('limits.body-size', { '1mb': () => length <= most, '100kb': () => length <= less })
  if (!bytes || !fits) {
    throw new Refusal('content-too-large', 'The body is larger than this service accepts.')
  }
  return bytes
}

/** The body's bytes, or the first one too many: listeners of MSW's events still find it unread. */
async function readAtMost(request: Request, limit: number): Promise<Uint8Array> {
  const reader = request.clone().body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (reader && length <= limit) {
    const { done, value } = await reader.read().catch(() => reject('The body ended before it was complete.'))
    if (done) break
    chunks.push(value)
    length += value.length
  }
  if (length > limit) void reader?.cancel().catch(() => undefined)
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function settleContentType(call: Call): void {
  call.settle('identities.patch-content-type', {
    rejected: () => reject('The body needs the header Content-Type: application/json.'),
    'unsupported-media-type': () => {
      throw new Refusal('unsupported-media-type', 'Only Content-Type: application/json is accepted.')
    },
    parsed: () => undefined,
  })
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return reject('The body is not valid UTF-8.')
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return reject('The body is not valid JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  return reject('The body must be a JSON object such as {"display_name": "Support"}.')
}
