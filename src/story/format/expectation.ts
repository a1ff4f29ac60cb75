import { z } from '../../base/schema.js'
import { gapIds } from '../../contract/gaps.js'
import { operationName } from '../../contract/operations.js'
import { eventTypes } from '../../contract/resources.js'
import {
  deliveryStatuses,
  type ExpectationKind,
  expectationKinds,
  type InvariantName,
  invariantNames,
} from '../../service/world/index.js'
import { field, matcher, parameter } from './matchers.js'
import { recipient, sentCondition } from './sent.js'
import { duration, handle, having, key, rule } from './values.js'

const has = z
  .record(z.string(), field)
  .optional()
  .describe(
    'Its fields, as the service returns them, at the end or, with `after` or `within`, at some moment.',
  )

const where = z
  .strictObject({
    path: matcher.optional().describe('The path, e.g. /api/v1/identities/support.'),
    query: z
      .record(z.string(), parameter)
      .optional()
      .describe('Parameters of the query; null for an absent one.'),
    body: z.record(z.string(), matcher).optional().describe('Fields of the JSON body; it may have others.'),
    status: z.int().min(100).max(599).optional().describe('The status of the response.'),
  })
  .meta({ id: 'where', title: 'where', description: 'Selects requests.' })
  .optional()
  .describe('Selects the requests that count.')

const count = z.int().min(0)

/** The keys that each kind of expectation allows besides its own. */
export const keysBeside: Readonly<Record<ExpectationKind, readonly string[]>> = {
  message: ['thread', 'identity', 'has', 'after', 'within'],
  thread: ['identity', 'has', 'after', 'within'],
  identity: ['has', 'after', 'within'],
  request: ['where', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  sent: ['at_least', 'at_most', 'times', 'before', 'after', 'within'],
  delivery: ['status', 'url', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  reliances: [],
  errors: ['except'],
  leak: ['allowed_to'],
  invariant: ['at_most', 'writes', 'within'],
}

/** The invariants that have a limit or a list; with any other, the key would have no effect. */
const invariantsWith: Readonly<Record<'at_most' | 'writes', readonly InvariantName[]>> = {
  at_most: ['ends', 'gives-up'],
  writes: ['writes-nothing-else'],
}

const anywhere = ['key', 'describe', 'weight']

/** Expresses the rules of `problemWith` in JSON Schema: the first kind present determines the other allowed keys. */
function rules() {
  const byKind = expectationKinds.toReversed().reduce<object>((otherwise, kind) => {
    const keys = [kind, ...keysBeside[kind], ...anywhere]
    const allowed = { propertyNames: { enum: keys }, ...(keys.includes('has') && having('has')) }
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    return { if: having(kind), then: allowed, else: otherwise }
  }, {})
  const counts = ['at_least', 'at_most'].map((bound) => ({ not: { required: ['times', bound] } }))
  const limits = Object.entries(invariantsWith).map(([name, invariants]) => ({
    if: { required: ['invariant', name] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { patternProperties: { '^invariant$': { enum: invariants } } },
  }))
  return { anyOf: expectationKinds.map(having), allOf: [byKind, ...counts, ...limits] }
}

/** A condition that must hold at the end of the story. */
export const expectation = z
  .strictObject({
    key: key.optional().describe('Names the expectation for other expectations and for reports.'),
    describe: z.string().optional().describe('A sentence for reports that says what must be true.'),
    weight: z
      .number()
      .min(0)
      .optional()
      .describe('How much it counts in the score of a replay; by default one.'),
    identity: handle.optional().describe('About this agent, or the owner of the thread.'),
    thread: key.optional().describe('About the thread with that key, or the thread of the message.'),
    message: key.optional().describe('About the message with that key.'),
    request: operationName().optional().describe('About requests of this operation.'),
    sent: z
      .union([sentCondition, z.literal('none')])
      .optional()
      .describe(
        'About mail that agents sent by any operation, without mail of the timeline; `none`: there is no such mail.',
      ),
    delivery: z.enum(eventTypes).optional().describe('About deliveries of this event type.'),
    reliances: z
      .array(z.string().meta({ anyOf: [{ enum: gapIds }, { type: 'string', pattern: '[.]' }] }))
      .max(1_000)
      .optional()
      .describe('The only gaps that may have been relied on.'),
    leak: z
      .union([z.literal('none'), z.array(z.string()).min(1)])
      .optional()
      .describe('No secret of the scenario, or none of these, is in what agents send, in any spelling.'),
    allowed_to: z
      .array(recipient)
      .min(1)
      .optional()
      .describe('The recipients to whom mail with these secrets may go.'),
    errors: z.literal('none').optional().describe('No request got a 4xx status.'),
    invariant: z
      .enum(invariantNames)
      .optional()
      .describe('A rule that any good client follows in any story; docs/fuzz.md lists these rules.'),
    writes: z
      .array(z.string())
      .optional()
      .describe('The writes that `writes-nothing-else` allows, in the form in which it reports them.'),
    except: z
      .array(z.int().min(400).max(499))
      .min(1)
      .optional()
      .describe('Statuses that `errors: none` allows.'),
    has,
    where,
    status: z.enum(deliveryStatuses).optional().describe('The status of the deliveries.'),
    url: z.string().optional().describe('The URL of the deliveries.'),
    times: count.optional().describe('The exact number.'),
    at_least: count.optional().describe('The minimum number; by default one.'),
    at_most: count.optional().describe('The maximum number; for an invariant, of requests.'),
    before: key
      .optional()
      .describe(
        'Only those before this: an operation, the key of an entry or expectation, or a time from the start.',
      ),
    after: key
      .optional()
      .describe(
        'Only those after this: an operation, the key of an entry or expectation, or a time from the start.',
      ),
    within: duration
      .optional()
      .describe('Only those within this much story time, from `after` or from the start.'),
  })
  .check(rule(problemWith))
  .meta({
    id: 'expectation',
    title: 'Expectation',
    description:
      'Something that must be true at the end of the story: about a message, a thread, an identity, requests, sent mail, ' +
      'deliveries, reliances, errors, leaks, or an invariant of clients.',
    ...rules(),
  })

/** Returns the kind of an expectation: the first that it has a key of. */
export function kindOfExpectation(value: object): ExpectationKind | undefined {
  return expectationKinds.find((kind) => (value as Record<string, unknown>)[kind] !== undefined)
}

function problemWith(value: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.keys(value).filter((name) => value[name] !== undefined && !anywhere.includes(name))
  const kind = kindOfExpectation(value)
  if (kind === undefined)
    return `the subject is missing: expected one of ${expectationKinds.toReversed().join(', ')}; found none of them`
  const known = keysBeside[kind]
  const stray = given.find((name) => name !== kind && !known.includes(name))
  if (stray !== undefined) {
    const fits = known.length === 0 ? 'takes no other keys' : `takes ${known.join(', ')}`
    return `"${stray}" does not go with "${kind}", which ${fits}`
  }
  const lacksHas = known.includes('has') && value['has'] === undefined
  return (
    problemWithNumbers(value) ??
    problemWithInvariant(value) ??
    (lacksHas ? `"${kind}" says what it has: { ${kind}: …, has: { … } }` : undefined)
  )
}

function problemWithInvariant(value: Readonly<Record<string, unknown>>): string | undefined {
  const { invariant } = value as { readonly invariant?: InvariantName }
  if (invariant === undefined) return undefined
  for (const name of ['at_most', 'writes'] as const) {
    const fitting = invariantsWith[name]
    if (value[name] !== undefined && !fitting.includes(invariant)) {
      return `"${name}" goes with ${fitting.join(' and ')}, not with ${invariant}; leave it out`
    }
  }
  return undefined
}

function problemWithNumbers(value: Readonly<Record<string, unknown>>): string | undefined {
  const { times, at_least: least, at_most: most } = value as Record<string, number | undefined>
  if (value['sent'] === 'none' && (times ?? least ?? most) !== undefined)
    return '"sent: none" already states a number; leave out times, at_least and at_most'
  if (times !== undefined && (least ?? most) !== undefined) return '"times" excludes "at_least" and "at_most"'
  if (least !== undefined && most !== undefined && least > most) return '"at_least" is more than "at_most"'
  return undefined
}
