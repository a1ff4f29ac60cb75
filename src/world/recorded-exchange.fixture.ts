import type { RecordedExchange } from './journal.js'

/** An exchange for tests, but for the fields given: a list of threads at 2026-01-05T09:00:00Z. */
export function recordedExchange(fields: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    at: Date.parse('2026-01-05T09:00:00Z'),
    operation: 'threads.list',
    method: 'GET',
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
