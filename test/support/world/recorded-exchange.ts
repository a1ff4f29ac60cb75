import type { RecordedBody, RecordedExchange } from '../../../src/service/world/exchange.js'

/** Returns an exchange with the given fields, by default a list of threads at 2026-01-05T09:00:00Z. */
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

/** Returns a body of an answer. */
export function bodyOf(content: string | Uint8Array): RecordedBody {
  return { bytes: () => (typeof content === 'string' ? new TextEncoder().encode(content) : content) }
}
