import type { RecordedExchange } from '../world/exchange.js'

/** The fields of an exchange that the simulator does not respond to. */
export const unanswered = {
  operation: null,
  status: 0,
  durationMs: 0,
  responseHeaders: {},
  responseBody: null,
  reliances: [],
  fault: null,
}

/** A call of a tool that there is not, or with arguments that give no request. */
export interface RefusedCall {
  readonly tool: string
  readonly input: unknown
  /** The status of a request with the same mistake. */
  readonly status: number
  readonly message: string
  /** The key of the caller. */
  readonly key: string | undefined
}

/** Returns the exchange for a call of a tool that became no request, as a request for no operation. */
export function refusedCall(
  { tool, input, status, message, key }: RefusedCall,
  at: number,
): RecordedExchange {
  const bytes = new TextEncoder().encode(JSON.stringify({ error: { code: 'refused_call', message } }))
  return {
    ...unanswered,
    base: '',
    path: '/mcp',
    search: '',
    at,
    method: 'POST',
    status,
    requestHeaders: new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    requestBody: JSON.stringify({ tool, arguments: input }),
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: { bytes: () => bytes, size: bytes.length },
    nearMiss: message,
    via: 'mcp',
  }
}
