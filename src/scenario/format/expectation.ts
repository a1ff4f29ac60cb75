import { eventTypes } from '../../contract/events.js'
import { gapIds } from '../../contract/gaps.js'
import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { deliveryStatuses, type ExpectationKind, expectationKinds } from '../../world/index.js'
import { duration, handle, key, template } from './values.js'

export { type ExpectationKind, expectationKinds }

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])

const condition = {
  matches: z
    .string()
    .refine(isPattern, { error: 'expected a regular expression' })
    .optional()
    .describe('A regular expression that fits it.'),
  at_least: z.number().optional().describe('The least it may be, where it is a number.'),
  at_most: z.number().optional().describe('The most it may be, where it is a number.'),
}

const contains = 'Text that it has in it.'

/** What a field of a resource must be: that very value, or something said of it. */
const field = z.union([
  template,
  z.union([z.number(), z.boolean(), z.null()]),
  z.strictObject({ contains: template.optional().describe(contains), ...condition }),
])

const inRequest = { contains: z.string().optional().describe(contains), ...condition }

/** The same for something that an agent wrote, in which there are no templates. */
const matcher = z.union([plain, z.strictObject(inRequest)])

/** The same for a parameter, which may be the id of a thread besides. */
const parameter = z.union([
  plain,
  z
    .strictObject({
      ...inRequest,
      thread: key.optional().describe('The id of the thread of that key.'),
      identity: handle.optional().describe('Whose thread it is, where two mailboxes have one of that key.'),
    })
    .check(({ value, issues }) => {
      const message = problemWithThread(value)
      if (message !== undefined) issues.push({ code: 'custom', input: value, message })
    }),
])

function problemWithThread(value: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.keys(value).filter((name) => value[name] !== undefined)
  if (value['thread'] === undefined) {
    return given.includes('identity') ? '"identity" says whose thread it is; "thread" is missing' : undefined
  }
  const stray = given.find((name) => name !== 'thread' && name !== 'identity')
  return stray && `"${stray}" does not go with "thread", which takes identity`
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

const has = z
  .record(z.string(), field)
  .optional()
  .describe('Its fields, as the service shows them, at the end or, with `after` or `within`, at some moment.')

const where = z
  .strictObject({
    path: matcher.optional().describe('The path, e.g. /api/v1/identities/support.'),
    query: z
      .record(z.string(), parameter)
      .optional()
      .describe('Parameters of the query; null for one left out.'),
    body: z
      .record(z.string(), matcher)
      .optional()
      .describe('Fields of the JSON body; others may be beside them.'),
    status: z.int().min(100).max(599).optional().describe('The status of the answer.'),
  })
  .optional()
  .describe('Which of these requests count.')

const count = z.int().min(0)

/** What may be said beside each kind of expectation. */
export const keysBeside: Readonly<Record<ExpectationKind, readonly string[]>> = {
  message: ['thread', 'identity', 'has', 'after', 'within'],
  thread: ['identity', 'has', 'after', 'within'],
  identity: ['has', 'after', 'within'],
  request: ['where', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  delivery: ['status', 'url', 'at_least', 'at_most', 'times', 'before', 'after', 'within'],
  reliances: [],
  errors: ['except'],
}

const anywhere = ['key', 'describe']

/** Something that must be true when the story is over. */
export const expectation = z
  .strictObject({
    key: key.optional().describe('Names the expectation for others and for reports.'),
    describe: z.string().optional().describe('What must be true, in a sentence, for reports.'),
    identity: handle.optional().describe('About this agent; or whose thread is meant.'),
    thread: key.optional().describe('About the thread of that key; or in which the message is.'),
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
    status: z.enum(deliveryStatuses).optional().describe('What became of the deliveries.'),
    url: z.string().optional().describe('Where they went.'),
    times: count.optional().describe('Exactly so many.'),
    at_least: count.optional().describe('So many or more; one, where no number is given.'),
    at_most: count.optional().describe('So many or fewer.'),
    before: key
      .optional()
      .describe('Only those before this: an operation, or the key of an entry or expectation.'),
    after: key
      .optional()
      .describe('Only those after this: an operation, or the key of an entry or expectation.'),
    within: duration
      .optional()
      .describe('Only those within this much story time, from `after` or from the start.'),
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
  const known = keysBeside[kind]
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
