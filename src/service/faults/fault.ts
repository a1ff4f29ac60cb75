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
import { parseDuration } from '../time/time.js'
import { type Answer, type FaultKind, kinds } from './kinds.js'

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
