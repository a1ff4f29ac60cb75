import { Content } from './content.js'
import { reject } from './refusal.js'
import type { ServiceRequest } from './service-request.js'

/** The body of a request, read at most once however often it is asked for. */
export class RequestBody {
  readonly #request: ServiceRequest
  #bytes: Promise<Uint8Array> | undefined

  constructor(request: ServiceRequest) {
    this.#request = request
  }

  /** The bytes that `Content-Length` declares; 0 where it declares none. */
  get declaredLength(): number {
    return Number(this.#request.headers.get('content-length'))
  }

  /** The bytes, or the first of them where they are more than `limit`. @throws Refusal */
  bytes(limit: number): Promise<Uint8Array> {
    this.#bytes ??= readAtMost(this.#request, limit)
    return this.#bytes
  }
}

/** Reads a clone, so that listeners of MSW's events still find the request unread. */
async function readAtMost(request: ServiceRequest, limit: number): Promise<Uint8Array> {
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
  return new Content(chunks).bytes()
}
