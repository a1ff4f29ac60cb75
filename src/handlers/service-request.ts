import type { HeaderFields } from '../world/index.js'

/** What the service looks at of a request; a `Request` has it all. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  readonly signal: AbortSignal
  /** For its body, which the original keeps. */
  clone(): { readonly body: ReadableStream<Uint8Array> | null }
}

/** A request as whoever is told of it knows it. */
export function asRequest(request: ServiceRequest): Request {
  if (request instanceof Request) return request
  const { url, method, headers } = request
  return new Request(url, { method, headers: [...headers] as [string, string][] })
}
