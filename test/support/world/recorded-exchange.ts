import type { RecordedBody, RecordedExchange } from '../../../src/world/exchange.js'

/** An exchange for tests, but for the fields given: a list of threads at 2026-01-05T09:00:00Z. */
export function recordedExchange(fields: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    at: Date.parse('2026-01-05T09:00:00Z'),
    operation: 'threads.list',
    method: 'GET',
    base: 'http://mailbox.test',
    path: '/api/v1/mail/threads',
    search: '',
    status: 200,
    durationMs: 1.23456,
    requestHeaders: new Headers(),
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
    reliances: [],
    fault: null,
    nearMiss: null,
    ...fields,
  }
}

/** A body as an answer holds it. */
export function bodyOf(content: string | Uint8Array): RecordedBody {
  return { bytes: () => (typeof content === 'string' ? new TextEncoder().encode(content) : content) }
}
