import { once } from '../../contract/once.js'
import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { handlePattern } from '../commands/create-identity.js'
import { parseDuration } from '../time.js'

const milliseconds = once(() =>
  z.string().refine((text) => (parseDuration(text) ?? -1) >= 0, {
    error: 'expected a duration such as 250ms or 30s',
  }),
)

const which = () => ({
  operation: z.enum(operationNames).optional().describe('Only requests of this operation.'),
  method: z
    .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    .optional()
    .describe('Only requests with this method.'),
  path: z
    .string()
    .regex(/^[/*]/, 'expected a path such as /api/v1/mail/*')
    .optional()
    .describe('Only requests for this path; `*` stands for any characters.'),
  handle: z
    .string()
    .regex(handlePattern, 'expected the handle of an agent')
    .optional()
    .describe('Only requests about this agent.'),
  after: z.int().min(0).optional().describe('How many requests that fit are let by first.'),
  times: z.int().min(1).optional().describe('How many requests it disturbs; all that fit otherwise.'),
  probability: z.number().min(0).max(1).optional().describe('How likely it disturbs one that fits, 0 to 1.'),
})

const effects = () => ({
  delay: z
    .union([milliseconds(), z.tuple([milliseconds(), milliseconds()])])
    .optional()
    .describe('How long the answer waits: a duration, or the least and the most.'),
  status: z.int().min(200).max(599).optional().describe('The status of the answer.'),
  retry_after: z
    .union([milliseconds(), z.int().min(0)])
    .optional()
    .describe('The `Retry-After` of the answer: a duration, or seconds.'),
  body: z.json().optional().describe('The body of the answer: text as it is, anything else as JSON.'),
  content_type: z.string().min(1).optional().describe('The `Content-Type` of the answer.'),
  empty: z.literal(true).optional().describe('The answer has no body.'),
  truncate: z.int().min(0).optional().describe('How many bytes of the body arrive.'),
  malformed: z.literal(true).optional().describe('The body is no valid JSON.'),
  drip: milliseconds().optional().describe('The body arrives in pieces, over this long.'),
  reset: z.literal(true).optional().describe('The connection breaks off without an answer.'),
})

/** A rule that disturbs answers: which requests it concerns, and what it does to them. */
export const faultSchema = once(() =>
  z.strictObject({ ...which(), ...effects() }).check(({ value, issues }) => {
    const problem = problemWith(effectsOf(value))
    if (problem !== undefined) issues.push({ code: 'custom', input: value, message: problem })
  }),
)

const effectNames = once(() => Object.keys(effects()) as (keyof ReturnType<typeof effects>)[])

function problemWith(named: readonly string[]): string | undefined {
  if (named.length === 0) return `expected something that it does: ${effectNames().join(', ')}`
  const beside = named.find((effect) => effect !== 'reset' && effect !== 'delay')
  if (named.includes('reset') && beside !== undefined) {
    return `a connection that is reset has no ${beside}; leave one of them out`
  }
  const bodies = named.filter((effect) => ['body', 'empty', 'malformed'].includes(effect))
  return bodies.length > 1 ? `${bodies.join(' and ')} exclude each other` : undefined
}

/** A rule that disturbs answers. */
export type Fault = z.output<ReturnType<typeof faultSchema>>

/** What a rule does to answers, by name. */
export function effectsOf(fault: Fault): readonly string[] {
  return effectNames().filter((effect) => fault[effect] !== undefined)
}
