import { expect } from 'vitest'
import type { z } from '../../src/base/schema.js'
import { jsonOf, type Mailbox, textOf } from './mailbox.js'
import type { Answer } from './transport.js'

/** ISO 8601 UTC to the millisecond, the form timestamps have by default. */
export const isoMilliseconds = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/** Asserts that a value fits its schema and has no other keys. */
export function expectToFit(schema: z.ZodObject, value: unknown): void {
  expect(schema.strict().safeParse(value).error?.issues ?? []).toEqual([])
}

/** Asserts that an object has these keys and no others. */
export function expectKeys(value: object, keys: readonly string[]): void {
  expect(Object.keys(value).toSorted()).toEqual(keys.toSorted())
}

/** The default `code` of each status. */
const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_request',
  429: 'rate_limited',
  501: 'not_implemented',
}

/** Asserts that an answer is an error of this status and code in the default shape. */
export function expectError(answer: Answer, status: number, code = codes[status]): void {
  expect(answer.status, textOf(answer)).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const body = jsonOf<{ error: { code: string; message: string } }>(answer)
  expectKeys(body, ['error'])
  expectKeys(body.error, ['code', 'message'])
  expect(body.error.code).toBe(code)
  expect(body.error.message).toMatch(/\S.*[.…?]$/)
  expect(body.error.message.length).toBeLessThanOrEqual(300)
}

/** Asserts that requests are refused with this status and change nothing. */
export async function expectRefusals(
  mailbox: Mailbox,
  status: number,
  requests: readonly (() => Promise<Answer>)[],
): Promise<void> {
  const before = await mailbox.dump()
  for (const request of requests) expectError(await request(), status)
  expect(await mailbox.dump()).toBe(before)
}

/** Asserts that two answers are the same, byte by byte. */
export function expectSameAnswer(one: Answer, other: Answer): void {
  expect(textOf(one)).toBe(textOf(other))
  expect(one.status).toBe(other.status)
  expect(one.headers.get('content-type')).toBe(other.headers.get('content-type'))
}
