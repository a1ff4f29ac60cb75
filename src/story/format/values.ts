import { z } from '../../base/schema.js'
import { type Gap, namesOfAssumptions } from '../../contract/gaps/gap.js'
import { gapIds, gaps } from '../../contract/gaps.js'
import type { NamedAssumptions } from '../../contract/named-assumptions.js'
import { isAddress } from '../../mail/address.js'
import { handleSchema } from '../../service/model/rows.js'
import { type Duration, parseDuration, parseInstant } from '../../service/time/time.js'
import { locales } from '../letters/shipped.js'

// `meta` is for editors and docs/scenario-format.md; its patterns accept all valid values and few others.
const span = '(\\d+(\\.\\d+)?(ms|s|m|h|d|w))+'
const day =
  '[1-8]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:?\\d\\d))?'
const addresses = '^[^\\s<>@]+@[^\\s<>@]+$'

/** The longest span of time that a story has, so that all its instants have four digits for the year. */
export const maxSpan = 100 * 365 * 86_400_000

/** Returns a span of time; undefined for a text that is none, or a longer one than stories have. */
function spanOf(text: string): number | undefined {
  const span = parseDuration(text)
  return span === undefined || Math.abs(span) > maxSpan ? undefined : span
}

const [first, last] = ['1000-01-01', '9000-01-01'].map(parseInstant) as [number, number]

function isInstant(text: string): boolean {
  const instant = parseInstant(text)
  return instant !== undefined && instant >= first && instant < last
}

export const moment = z
  .string()
  .refine((text) => spanOf(text) !== undefined || isInstant(text), {
    error: 'expected a time such as -2d, -3h30m or 2026-01-05T09:00:00Z',
  })
  .meta({
    title: 'time',
    description: 'A span of time before or after the start, up to 100 years, or an instant.',
    pattern: `^(-?${span}|${day})$`,
    examples: ['-2d', '-3h30m', '2026-01-05T09:00:00Z'],
  })

/** Resolves `-2d` or an ISO 8601 text to an instant. */
export function instantOf(moment: string, start: number): number | undefined {
  const duration = parseDuration(moment)
  return duration === undefined ? parseInstant(moment) : start + duration
}

export const isoInstant = z
  .string()
  .refine(isInstant, {
    error: 'expected an ISO 8601 instant such as 2026-01-05T09:00:00Z',
  })
  .meta({
    title: 'instant',
    description: 'ISO 8601 with a time zone, or a day, which begins at midnight UTC.',
    pattern: `^${day}$`,
    examples: ['2026-01-05T09:00:00Z', '2026-01-05'],
  })

export const duration = z
  .string()
  .refine((text) => (spanOf(text) ?? -1) > 0, { error: 'expected a duration such as 90d, 12h or 30s' })
  .meta({
    title: 'duration',
    description: 'Numbers with units: `w`, `d`, `h`, `m`, `s`, `ms`; up to 100 years.',
    pattern: `^(?=.*[1-9])${span}$`,
    examples: ['90d', '1h30m', '30s'],
  }) as unknown as z.ZodType<string, Duration>

export const delay = z
  .string()
  .refine((text) => (spanOf(text) ?? -1) >= 0, {
    error: 'expected a duration such as 30s, 5m or 1h30m',
  })
  .meta({
    title: 'delay',
    description: 'A duration, which may be 0.',
    pattern: `^${span}$`,
    examples: ['30s', '5m', '0s'],
  }) as unknown as z.ZodType<string, Duration>

export const template = z.string().meta({
  title: 'template',
  description: 'Text in which Faker fills in the names in double braces: `{{person.fullName}}`.',
})

export const key = z
  .string()
  .regex(/^\S(.*\S)?$/, 'expected a name without spaces around it')
  .meta({
    title: 'name',
    description: 'A name by which other parts of the file refer to it.',
    examples: ['refund'],
  })

export const handle = handleSchema('expected 1 to 64 letters, digits, "_", "." or "-"').meta({
  title: 'handle',
  description: "An agent's handle: 1 to 64 letters, digits, `_`, `.` or `-`.",
  examples: ['support'],
})

export const address = z
  .string()
  .refine(isAddress, { error: 'expected an email address' })
  .meta({
    title: 'address',
    description: 'A bare email address.',
    pattern: addresses,
    examples: ['support@agents.example'],
  })

export const addressPattern = z
  .string()
  .refine(isAddress, {
    error: 'expected an address, or a pattern of addresses such as *@invalid.example',
  })
  .meta({
    title: 'address pattern',
    description: 'A bare email address, or a pattern in which `*` matches any characters.',
    pattern: addresses,
    examples: ['*@invalid.example', 'ann@example.com'],
  })

/**
 * The mark of texts that may name a file or folder beside the scenario: a pattern of the texts that do. Such
 * files are resolved, watched, confined to the project and copied with findings.
 */
export const fileMark = 'x-file'

export const path = z
  .string()
  .min(1)
  .meta({
    // A text of several lines is the content itself.
    [fileMark]: '^.+$',
    title: 'path',
    description: 'The path of a file or folder, relative to the scenario.',
    examples: ['./mail/question.eml'],
  })

export const profile = z.string().meta({
  [fileMark]: '\\.(ya?ml|json)$',
  title: 'profile or file',
  description: 'A profile of assumptions, or the path of a file of them.',
  examples: ['default', 'worst-case', 'seed:7', './assumptions.yaml'],
})

/** The language of names and of generated mail. */
export const locale = z.enum(locales)

/** Returns the schema of an item or a list of at least one. */
export const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1)])

/** Creates a check of a map from a function that returns its problem, if it has one. */
export const rule = (problemWith: (value: Readonly<Record<string, unknown>>) => string | undefined) => {
  return ({ value, issues }: { readonly value: object; readonly issues: z.core.$ZodRawIssue[] }): void => {
    const message = problemWith(value as Readonly<Record<string, unknown>>)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }
}

/** Requires a key in JSON Schema. */
export const having = (key: string) => ({ required: [key] })

/** The name of an assumption in a file, where YAML parses `403` as a number and `null` as null. */
const assumptionName = z
  .union([z.string(), z.number(), z.null()], { error: 'expected the name of an assumption' })
  .transform(String)

/** Assumptions by gap as files may have them: `403` and `null` need no quotes. */
export interface WrittenAssumptions extends Written<NamedAssumptions> {}

type Written<Named> = { readonly [Gap in keyof Named]?: Named[Gap] | Unquoted<Named[Gap] & string> }

type Unquoted<Name extends string> = Name extends `${infer Value extends number | null}` ? Value : never

/** Assumptions by gap, in files and scenarios. */
export const assumptionChoicesSchema = z
  .record(z.string(), assumptionName, {
    error: 'expected assumptions by gap, such as { threads.total: page-size }',
  })
  .meta({
    id: 'assumptions',
    title: 'Assumptions',
    description: 'What is assumed where the interface is silent: an assumption for each gap.',
    properties: Object.fromEntries(gapIds.map((id) => [id, offered(gaps[id])])),
    additionalProperties: false,
  }) as unknown as z.ZodType<Record<string, string>, WrittenAssumptions>

/** The assumptions of a scenario: a profile, a file, or assumptions by gap. */
export const scenarioAssumptionsSchema = z.union([profile, assumptionChoicesSchema], {
  error: 'expected a profile, a file, or assumptions by gap such as { threads.total: page-size }',
})

/** Returns the JSON Schema of a gap's assumptions, including those that YAML does not parse as text: 403, null. */
function offered(gap: Gap) {
  const names = namesOfAssumptions(gap)
  const unquoted = names.flatMap((name) => (/^(\d+|null)$/.test(name) ? [JSON.parse(name)] : []))
  return { description: gap.question, enum: [...names, ...unquoted], default: names[0] }
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])

const condition = {
  contains: z.string().optional().describe('A text that it contains.'),
  matches: z
    .string()
    .refine(isPattern, { error: 'expected a regular expression' })
    .optional()
    .describe('A regular expression that it matches.'),
  at_least: z.number().optional().describe('The minimum of a number.'),
  at_most: z.number().optional().describe('The maximum of a number.'),
}

/** Conditions on a value. */
const conditions = z.strictObject(condition).meta({
  id: 'matcher',
  title: 'Matcher',
  description: 'Conditions on a value, instead of the value itself; all of them must hold.',
})

/** An expected value, or conditions on it. */
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
      ...condition,
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
      allOf: Object.keys(condition).map((name) => ({ not: { required: ['thread', name] } })),
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
