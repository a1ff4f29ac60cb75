import type { Call } from './call.js'
import { Refusal, reject } from './refusal.js'
import type { ServiceRequest } from './service-request.js'

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

async function readBytes({ body, settle }: Call): Promise<Uint8Array> {
  // A body that says itself that it is too large is refused before any of it is read.
  const bytes = body.declaredLength > most ? undefined : await body.bytes(most)
  const length = bytes?.length ?? body.declaredLength
  const fits = settle(
    'limits.body-size',
    { '1mb': () => length <= most, '100kb': () => length <= less },
    'shown',
  )
  if (!bytes || !fits) {
    throw new Refusal('content-too-large', 'The body is larger than this service accepts.')
  }
  return bytes
}

function mediaType(request: ServiceRequest): string {
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
