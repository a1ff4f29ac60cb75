import { eventTypes } from '../../contract/events.js'
import { gapIds } from '../../contract/gaps.js'
import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { duration, handle, key } from './values.js'

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** What a value must be: that very value, or something said of it. */
const matcher = z.union([
  plain,
  z.strictObject({
    contains: z.string().optional().describe('Text that it has in it.'),
    matches: z
      .string()
      .refine(isPattern, { error: 'expected a regular expression' })
      .optional()
      .describe('A regular expression that fits it.'),
    at_least: z.number().optional().describe('The least it may be.'),
    at_most: z.number().optional().describe('The most it may be.'),
  }),
])

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

const has = z
  .record(z.string(), matcher)
  .optional()
  .describe('Its fields at the end: values, or `{ contains }`, `{ matches }`, `{ at_least }`, `{ at_most }`.')

const where = z
  .strictObject({
    path: matcher.optional().describe('The path, e.g. /api/v1/identities/support.'),
    query: z
      .record(z.string(), matcher)
      .optional()
      .describe('Parameters of the query; null for one left out.'),
    body: z
      .record(z.string(), z.json())
      .optional()
      .describe('Fields of the JSON body; others may be beside them.'),
    status: z.int().min(100).max(599).optional().describe('The status of the answer.'),
  })
  .optional()
  .describe('Which of these requests count.')

const count = z.int().min(0)

/** What may be said beside each kind of expectation. */
export const keysBeside: Readonly<Record<string, readonly string[]>> = {
  message: ['thread', 'identity', 'has', 'within'],
  thread: ['identity', 'has', 'within'],
  identity: ['has', 'within'],
  request: ['where', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  delivery: ['status', 'url', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  reliances: [],
  errors: ['except'],
}

/** What an expectation is about; where it has several of these keys, the first of them. */
export const expectationKinds = Object.keys(keysBeside) as readonly ExpectationKind[]

/** What an expectation is about. */
export type ExpectationKind =
  | 'message'
  | 'thread'
  | 'identity'
  | 'request'
  | 'delivery'
  | 'reliances'
  | 'errors'

const anywhere = ['key', 'describe']

/** Something that must be true when the story is over. */
export const expectation = z
  .strictObject({
    key: key.optional().describe('Names the expectation for others and for reports.'),
    describe: z.string().optional().describe('What must be true, in a sentence, for reports.'),
    identity: handle.optional().describe('About this agent; or whose thread is meant.'),
    thread: key.optional().describe('About the thread of that key; or whose message is meant.'),
    message: key.optional().describe('About the message of that key.'),
    request: z.enum(operationNames).optional().describe('About requests of this operation.'),
    delivery: z.enum(eventTypes).optional().describe('About deliveries of this event type.'),
    reliances: z
      .array(z.enum(gapIds as [string, ...string[]]))
      .optional()
      .describe('Only these silent points may have been relied on.'),
    errors: z.literal('none').optional().describe('No request was answered with a 4xx status.'),
    except: z
      .array(z.int().min(400).max(499))
      .min(1)
      .optional()
      .describe('Statuses that `errors: none` lets pass.'),
    has,
    where,
    status: z
      .enum(['succeeded', 'failed', 'pending', 'blocked', 'interrupted'])
      .optional()
      .describe('How the deliveries ended.'),
    url: z.string().optional().describe('Where they went.'),
    times: count.optional().describe('Exactly so many.'),
    at_least: count.optional().describe('So many or more; one, where no number is given.'),
    at_most: count.optional().describe('So many or fewer.'),
    before: key.optional().describe('The first came before this: an operation, or the key of an entry.'),
    after: key.optional().describe('Only those after this: an operation, or the key of an entry.'),
    within: duration.optional().describe('True within this much story time, from `after` or from the start.'),
  })
  .check(({ value, issues }) => {
    const message = problemWith(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  })

function problemWith(value: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.keys(value).filter((name) => value[name] !== undefined && !anywhere.includes(name))
  const kind = expectationKinds.find((name) => given.includes(name))
  if (kind === undefined)
    return `what it is about: expected one of ${expectationKinds.toReversed().join(', ')}; found none of them`
  const known = keysBeside[kind] ?? []
  const stray = given.find((name) => name !== kind && !known.includes(name))
  if (stray !== undefined) {
    const fits = known.length === 0 ? 'takes nothing beside it' : `takes ${known.join(', ')}`
    return `"${stray}" does not go with "${kind}", which ${fits}`
  }
  return (
    problemWithNumbers(value) ??
    (lacksHas(kind, value) ? `"${kind}" says what it has: { ${kind}: …, has: { … } }` : undefined)
  )
}

function lacksHas(kind: ExpectationKind, { has: fields }: Readonly<Record<string, unknown>>): boolean {
  return fields === undefined && ['message', 'thread', 'identity'].includes(kind)
}

function problemWithNumbers(value: Readonly<Record<string, unknown>>): string | undefined {
  const { times, at_least: least, at_most: most } = value as Record<string, number | undefined>
  if (times !== undefined && (least ?? most) !== undefined)
    return '"times" goes without "at_least" and "at_most"'
  if (least !== undefined && most !== undefined && least > most) return '"at_least" is more than "at_most"'
  return undefined
}
