/** The place of a request in a trace. @see W3C Trace Context */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits: the span of who sent the request. */
  readonly spanId: string
}

/** A `traceparent`; later versions may add fields. */
const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-[!-~]*)?$/

/** Reads the value of a `traceparent`; undefined if there is none, or if it is malformed. */
export function readTraceparent(value: unknown): TraceContext | undefined {
  const [, traceId, spanId] = (typeof value === 'string' && form.exec(value)) || []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

/** Returns the `traceparent` of a request as it is forwarded; undefined if there is none, or if it is malformed. */
export function forwardedTrace(headers: { get(name: string): string | null }): string | undefined {
  const traceparent = headers.get('traceparent')
  return traceparent !== null && readTraceparent(traceparent) ? traceparent : undefined
}
