import { explainValue } from '../../base/explain.js'
import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { expectedOneOf } from '../../base/text.js'
import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { operationName } from '../../contract/operations.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { handlePattern } from '../model/rows.js'
import type { Random } from '../time/random.js'
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
interface FaultKind<Schema extends z.ZodType = z.ZodType> {
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
  schema: () =>
    z.union([durationSchema(), z.tuple([durationSchema(), durationSchema()])], {
      error: 'expected a duration such as 250ms, or a list of the minimum and the maximum',
    }),
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

type Kinds = typeof kinds
type KindName = keyof Kinds
const kindNames = Object.keys(kinds) as readonly KindName[]

const selection = () => ({
  operation: operationName().optional().describe('Only requests of this operation.'),
  method: z
    .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    .optional()
    .describe('Only requests with this method.'),
  path: z
    .string()
    .regex(/^[/*]/, 'expected a path such as /api/v1/mail/*')
    .optional()
    .describe('Only requests for this path; `*` matches any characters.'),
  handle: z
    .string()
    .regex(handlePattern, 'expected the handle of an agent')
    .optional()
    .describe('Only requests about this agent.'),
  where: z
    .strictObject({ to: z.string().min(1).describe('An address, in which `*` matches any characters.') })
    .optional()
    .describe('Only requests that send mail to this recipient.'),
  after: z.int().min(0).optional().describe('The number of matching requests that are not disturbed first.'),
  times: z.int().min(1).optional().describe('The number of requests it disturbs; by default all that match.'),
  probability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The probability that it disturbs a matching request, 0 to 1.'),
})

const deed = () => ({
  performed: z
    .literal(true)
    .optional()
    .describe('The operation happens, whatever the response: immediately, with the `delay` after it.'),
})

type Settings = { [Name in KindName]: z.ZodOptional<ReturnType<Kinds[Name]['schema']>> }

function settings(): Settings {
  const schemas = kindNames.map((name) => {
    const { schema, describe } = kinds[name]
    return [name, schema().optional().describe(describe)]
  })
  return Object.fromEntries(schemas) as Settings
}

/** Creates the schema of a fault rule: which requests it matches, and what it does to their responses. */
export const faultSchema = once(() =>
  z.strictObject({ ...selection(), ...deed(), ...settings() }).check(({ value, issues }) => {
    const problem = problemWith(effectsOf(value))
    if (problem !== undefined) issues.push({ code: 'custom', input: value, message: problem })
  }),
)

/** A fault rule as users write it. */
export type Fault = z.output<ReturnType<typeof faultSchema>>

/** A fault rule as programs write it, with the names that TypeScript knows. */
export type FaultInput = z.input<ReturnType<typeof faultSchema>>

/** Returns the names of a rule's effects. */
export function effectsOf(fault: Partial<Record<KindName, unknown>>): readonly KindName[] {
  return kindNames.filter((name) => fault[name] !== undefined)
}

function problemWith(named: readonly KindName[]): string | undefined {
  if (named.length === 0) return `expected at least one effect: ${kindNames.join(', ')}`
  const beside = named.find((name) => name !== 'reset' && name !== 'delay')
  if (named.includes('reset') && beside !== undefined) {
    return `a connection that is reset has no ${beside}; leave one of them out`
  }
  const bodies = named.filter((name) => (kinds[name] as FaultKind).decidesBody)
  return bodies.length > 1 ? `${bodies.join(' and ')} exclude each other` : undefined
}

/** Applies a fault to a response. */
export function disturb(fault: Fault, answer: Answer): Answer {
  return effectsOf(fault).reduce((disturbed, name) => {
    const { apply } = kinds[name] as FaultKind
    return apply ? apply(fault[name], disturbed) : disturbed
  }, answer)
}

/**
 * Returns whether a fault replaces the response of the operation, which then happens only if it is
 * `performed`.
 */
export function replacesAnswer(fault: Fault): boolean {
  return effectsOf(fault).some((name) => (kinds[name] as FaultKind).replacesAnswer)
}

/** Returns whether the client receives the unchanged response, possibly late. */
export function keepsAnswer(fault: Fault): boolean {
  return effectsOf(fault).every((name) => (kinds[name] as FaultKind).keepsAnswer)
}

/** Returns the delay of a response, in milliseconds of the world's time. */
export function delayOf({ delay }: Fault, random: Random): number {
  if (delay === undefined) return 0
  const [low, high] = [delay].flat().map((text) => parseDuration(text) as number) as [number, number?]
  return high === undefined ? low : random.integer(Math.min(low, high), Math.max(low, high))
}

/** Checks a fault rule, and the names in it. @throws WorldError `invalid`, `impossible` */
export function checkFault(input: unknown, store: MailboxStore, extensions: Extensions): Fault {
  const parsed = faultSchema().safeParse(input)
  if (!parsed.success) throw new WorldError('invalid', explainValue(faultSchema(), input))
  const unknown = unknownOperation(parsed.data.operation, extensions)
  if (unknown !== undefined) throw new WorldError('invalid', unknown)
  const { handle } = parsed.data
  const isKnown =
    handle === undefined || [...store.all('identity')].some((one) => one.agent_handle === handle)
  if (isKnown) return parsed.data
  throw new WorldError('impossible', `This fault can never apply: no agent has the handle "${handle}".`)
}

/** Explains that there is no such operation, documented or of an extension; undefined if there is. */
export function unknownOperation(name: string | undefined, extensions: Extensions): string | undefined {
  const names = everyOperationName(extensions)
  if (name === undefined || names.includes(name)) return undefined
  return `there is no operation "${name}"${expectedOneOf(name, names)}`
}
