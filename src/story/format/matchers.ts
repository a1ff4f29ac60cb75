import { z } from '../../base/schema.js'
import { handle, key, rule, template } from './values.js'

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])

const condition = {
  matches: z
    .string()
    .refine(isPattern, { error: 'expected a regular expression' })
    .optional()
    .describe('A regular expression that it matches.'),
  at_least: z.number().optional().describe('The minimum of a number.'),
  at_most: z.number().optional().describe('The maximum of a number.'),
}

const contains = 'A text that it contains.'

/** The expected value of a resource's field, or conditions on it. */
export const field = z.union([
  template,
  z.union([z.number(), z.boolean(), z.null()]),
  z.strictObject({ contains: template.optional().describe(contains), ...condition }).meta({
    id: 'field_matcher',
    title: 'Field matcher',
    description:
      'Conditions on a field of an agent, a thread or a message, instead of its value; all of them must hold.',
  }),
])

const inRequest = { contains: z.string().optional().describe(contains), ...condition }

/** Conditions on a value that an agent sent, without templates. */
const conditions = z.strictObject(inRequest).meta({
  id: 'matcher',
  title: 'Matcher',
  description:
    'Conditions on a part of a request or of a message, instead of its value; all of them must hold.',
})

/** The expected value of a part of a request, or conditions on it. */
export const matcher = z.union([plain, conditions])

/** The source and the flags of a regular expression between slashes, such as `/refund/i`. */
export const slashed = /^\/(.+)\/([ims]*)$/s

/**
 * The expected text of a part of a message: the text itself, a regular expression between slashes, or
 * conditions on it.
 */
export const mailText = z.union([
  z.string().refine((text) => isPattern(slashed.exec(text)?.[1] ?? ''), {
    error: 'expected a regular expression between the slashes',
  }),
  conditions,
])

/** The same for a parameter, which may also be the id of a thread. */
export const parameter = z.union([
  plain,
  z
    .strictObject({
      ...inRequest,
      thread: key.optional().describe('The id of the thread with that key.'),
      identity: handle
        .optional()
        .describe('The owner of the thread, if two mailboxes have a thread with that key.'),
    })
    .check(rule(problemWithThread))
    .meta({
      id: 'parameter',
      title: 'Parameter matcher',
      description:
        'Conditions on a parameter of the query, instead of its value: those of a matcher, or that it is the id of a ' +
        'thread, `thread_id: { thread: refund }`.',
      dependentRequired: { identity: ['thread'] },
      allOf: Object.keys(inRequest).map((name) => ({ not: { required: ['thread', name] } })),
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

/** Returns whether a text is a regular expression. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
