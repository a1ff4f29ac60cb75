import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { type Duration, parseDuration } from '../time/time.js'

/** A response that faults may disturb before the client gets it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** How it ends: complete, cut off within the body, or reset before the first byte. */
  readonly ending: 'whole' | 'cut' | 'reset'
  /** The time over which the body is sent, in milliseconds of the world's time; 0 for immediately. */
  readonly drip: number
}

/** One effect of faults: its setting, and how it changes a response. `kinds` lists all of them. */
export interface FaultKind<Schema extends z.ZodType = z.ZodType> {
  /** The meaning of the setting, for the documentation of the format. */
  readonly describe: string
  readonly schema: () => Schema
  /** Determines the body; such kinds exclude each other. */
  readonly decidesBody?: true
  /** Replaces the response of the operation, which then happens only if the rule says so. */
  readonly replacesAnswer?: true
  /** Does not change the response, only when it arrives. */
  readonly keepsAnswer?: true
  /** Changes a response; kinds without it act before there is one. */
  readonly apply?: (setting: z.output<Schema>, answer: Answer) => Answer
}

function defineFaultKind<Schema extends z.ZodType>(kind: FaultKind<Schema>): FaultKind<Schema> {
  return kind
}

/** Creates the schema of a duration: `250ms`, `30s`. */
const durationSchema = once(
  () =>
    z.string().refine((text) => (parseDuration(text) ?? -1) >= 0, {
      error: 'expected a duration such as 250ms or 30s',
    }) as unknown as z.ZodType<string, Duration>,
)

const status = defineFaultKind({
  describe: 'The status of the response.',
  schema: () => z.int().min(200).max(599),
  replacesAnswer: true,
  apply: (status, answer) => ({ ...answer, status }),
})

const retryAfter = defineFaultKind({
  describe: 'The `Retry-After` of the response: a duration, or seconds.',
  schema: () => z.union([durationSchema(), z.int().min(0)]),
  apply(wait, answer) {
    const seconds = typeof wait === 'string' ? Math.ceil((parseDuration(wait) as number) / 1000) : wait
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
  },
})

/** A late response; the service waits before the operation happens, or after it with `performed`. */
const delay = defineFaultKind({
  describe: 'The delay of the response: a duration, or the minimum and the maximum.',
  schema: () => z.union([durationSchema(), z.tuple([durationSchema(), durationSchema()])]),
  keepsAnswer: true,
})

const body = defineFaultKind({
  describe: 'The body of the response: text unchanged, anything else as JSON.',
  schema: () => z.json(),
  decidesBody: true,
  replacesAnswer: true,
  apply(body, answer) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { ...answer, bytes: new TextEncoder().encode(text) }
  },
})

const contentType = defineFaultKind({
  describe: 'The `Content-Type` of the response.',
  schema: () => z.string().min(1),
  apply: (type, answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': type } }),
})

/** An empty body, although the headers promise one. */
const empty = defineFaultKind({
  describe: 'The response has no body.',
  schema: () => z.literal(true),
  decidesBody: true,
  apply: (_, answer) => ({ ...answer, bytes: new Uint8Array() }),
})

/** JSON without its last character: complete for HTTP, but not valid JSON. */
const malformed = defineFaultKind({
  describe: 'The body is not valid JSON.',
  schema: () => z.literal(true),
  decidesBody: true,
  apply(_, answer) {
    const bytes = answer.bytes ?? new Uint8Array()
    return { ...answer, bytes: bytes.length > 1 ? bytes.slice(0, -1) : new TextEncoder().encode('{') }
  },
})

/** A connection that closes within the body, before the promised length. */
const truncate = defineFaultKind({
  describe: 'How many bytes of the body arrive.',
  schema: () => z.int().min(0),
  apply(bytes, answer) {
    if (answer.bytes === null || answer.bytes.length <= bytes) return answer
    const headers = { ...answer.headers, 'content-length': String(answer.bytes.length) }
    return { ...answer, headers, bytes: answer.bytes.slice(0, bytes), ending: 'cut' }
  },
})

const drip = defineFaultKind({
  describe: 'The duration over which the body arrives in pieces.',
  schema: () => durationSchema(),
  keepsAnswer: true,
  apply: (duration, answer) => ({ ...answer, drip: parseDuration(duration) as number }),
})

/** A connection that is reset before the first byte. */
const reset = defineFaultKind({
  describe: 'The connection is reset without a response.',
  schema: () => z.literal(true),
  apply: (_, answer) => ({ ...answer, ending: 'reset' }),
})

/** Every kind of fault by its key, in the order of application: `truncate` and `drip` act on the result of the others. */
export const kinds = {
  delay,
  status,
  retry_after: retryAfter,
  body,
  content_type: contentType,
  empty,
  malformed,
  truncate,
  drip,
  reset,
} as const
