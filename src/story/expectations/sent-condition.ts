import type { Path } from '../../base/mistake.js'
import { defineOptions, option } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { textOfHtml } from '../../mail/snippet.js'
import type { SentMessage, SentSelector } from '../../service/world/sent-mail.js'
import { mailText, slashed } from '../format/matchers.js'
import { handle, key } from '../format/values.js'
import {
  type ContentOf,
  compileFile,
  type FileCondition,
  type FileMatch,
  fileConditions,
  fileMatchOf,
  fileMismatches,
} from './files.js'
import type { NamedAgent, StoryNames } from './kind.js'
import { type AddressMatch, addressOf, fitsAddress, recipient } from './recipients.js'
import type { MatcherOf } from './tracker.js'
import { type ExpectedValue, type NamedId, ValueMatcher } from './value-matcher.js'
import {
  type AsymmetricMatcher,
  described,
  formatValue,
  type Match,
  type Mismatch,
  mismatches,
} from './values.js'

/** Selects mail that agents sent. Omitted fields match anything. */
export interface SentMatch {
  /** The handle of the agent that sent it. */
  readonly from?: string | undefined
  /** One or several recipients; or the only recipients, of any kind, that it may have. */
  readonly to?:
    | AddressMatch
    | readonly AddressMatch[]
    | { readonly only: readonly AddressMatch[] }
    | undefined
  readonly cc?: AddressMatch | readonly AddressMatch[] | undefined
  readonly bcc?: AddressMatch | readonly AddressMatch[] | undefined
  /** The id of its thread. */
  readonly thread?: string | AsymmetricMatcher | undefined
  /** The id of the message that it replies to. */
  readonly in_reply_to?: string | AsymmetricMatcher | undefined
  readonly subject?: Match | undefined
  /** Its text; that of its HTML if it has no other. */
  readonly text?: Match | undefined
  readonly html?: Match | undefined
  /** The files, all of which must be attached, by their names or more closely; `[]` for none. */
  readonly attachments?: readonly (Match | FileMatch)[] | undefined
}

/** What a condition is resolved with. */
interface ResolvingSent {
  readonly names: StoryNames
  /** The path of the field. */
  readonly path: Path
  /** The agent that sends the mail, if the condition says so. */
  readonly sender: NamedAgent | undefined
  /** The key of its thread, if the condition says so. */
  readonly thread: string | undefined
}

/** A field by which sent mail is selected: as it is written, as a story has it, and how mail is compared. */
interface SentField<Written extends z.ZodType, Compiled> {
  readonly schema: Written
  /** Its form in scenarios is the key of a part of the story; a program, which knows no keys, gives the id. */
  readonly byId?: string
  /** Returns its form in a story; undefined if what it names is not found. */
  readonly resolve: (
    written: NonNullable<z.output<Written>>,
    resolving: ResolvingSent,
  ) => Compiled | undefined
  /** Returns the matcher of its form in a story; by default the form itself. */
  readonly match?: (compiled: Compiled, matcherOf: MatcherOf) => unknown
  /** The form in which programs give it. */
  readonly option: () => z.ZodType
  /** Returns how mail differs from the form in which programs give it. */
  readonly compare: (expected: never, mail: SentMessage, contentOf: ContentOf) => readonly Mismatch[]
}

function field<Written extends z.ZodType, Compiled>(
  one: SentField<Written, Compiled>,
): SentField<Written, Compiled> {
  return one
}

/** Defines a field for a text of the mail. */
const textField = (name: string, describe: string, textOf: (mail: SentMessage) => string | null) => {
  return field({
    schema: mailText.optional().describe(describe),
    resolve: expectedText,
    match: (expected: ExpectedValue, matcherOf) => matcherOf(expected),
    option: option.any,
    compare: (expected: Match, mail) => mismatches(name, expected, textOf(mail)),
  })
}

const only = z
  .strictObject({ only: z.array(recipient).min(1).describe('The only recipients, of any kind.') })
  .meta({
    id: 'only',
    title: 'Only recipients',
    description:
      'The only recipients that mail may go to: nobody else gets it, not even a copy. An expectation without a number expects that ' +
      'of every message that matches otherwise.',
  })

/** Defines a field for the recipients of copies. */
const copiesField = (name: 'cc' | 'bcc', describe: string) => {
  return field({
    schema: z
      .union([recipient, z.array(recipient)])
      .optional()
      .describe(describe),
    resolve: addressesOf,
    option: option.any,
    compare: (expected: AddressMatch | readonly AddressMatch[], mail) =>
      addressMismatches(name, expected, mail[name]),
  })
}

/** The fields by which sent mail is selected, in the order in which differences are listed. */
const fields = {
  from: field({
    schema: handle.optional().describe('The agent that sent it.'),
    resolve: (_, { sender }) => sender?.handle,
    option: option.text,
    compare: (expected: string, mail) => mismatches('from', expected.replace(/^@/, ''), mail.agent_handle),
  }),
  to: field({
    schema: z
      .union([recipient, z.array(recipient).min(1), only])
      .optional()
      .describe('One or several recipients, or the only recipients that it may have.'),
    resolve(written, resolving): readonly string[] | { readonly only: readonly string[] } {
      if (!isOnly(written)) return addressesOf(written, resolving)
      const { path } = resolving
      return { only: addressesOf(written.only, { ...resolving, path: [...path, 'only'] }) }
    },
    option: option.any,
    compare(expected: NonNullable<SentMatch['to']>, mail) {
      return isOnly(expected) ? othersIn(expected.only, mail) : addressMismatches('to', expected, mail.to)
    },
  }),
  cc: copiesField('cc', 'One or several recipients of a copy; `[]` for none.'),
  bcc: copiesField('bcc', 'The same for copies that the other recipients do not see.'),
  thread: field({
    schema: key.optional().describe('The key of its thread.'),
    byId: 'The id of its thread.',
    resolve(written, { names, sender: owner, path }): NamedId | undefined {
      const thread = names.thread({ key: written, owner, ownerKey: 'from' }, path)
      return thread && { id: thread.id, name: `thread ${thread.key}` }
    },
    match: (expected: ExpectedValue, matcherOf) => matcherOf(expected),
    option: option.any,
    compare: (expected: Match, mail) => mismatches('thread', expected, mail.thread_id),
  }),
  in_reply_to: field({
    schema: key.optional().describe('The key of the message that it replies to.'),
    byId: 'The id of the message that it replies to.',
    resolve(written, { names, sender, thread, path }): NamedId | undefined {
      const message = names.message(written, { owner: sender, thread }, path)
      return message && { id: message.id, name: `message ${message.key}` }
    },
    match: (expected: ExpectedValue, matcherOf) => matcherOf(expected),
    option: option.any,
    compare: (expected: Match, mail) => mismatches('in_reply_to', expected, mail.in_reply_to),
  }),
  subject: textField('subject', 'The subject; `/…/` is a regular expression.', ({ subject }) => subject),
  text: textField('text', 'The text, or that of the HTML if there is no other.', ({ text, html }) => {
    return text ?? (html === null ? null : textOfHtml(html))
  }),
  html: textField('html', 'The HTML.', ({ html }) => html),
  attachments: field({
    schema: fileConditions,
    resolve: (written) => written.map((one) => compileFile(one, expectedText)),
    match: (expected: readonly FileCondition[], matcherOf) =>
      expected.map((one) => fileMatchOf(one, matcherOf)),
    option: option.list,
    compare: (expected: readonly (Match | FileMatch)[], mail, contentOf) =>
      fileMismatches(expected, mail.attachments, contentOf),
  }),
} satisfies { readonly [Name in keyof SentMatch]-?: object }

type Fields = typeof fields
type FieldName = keyof Fields
type AnyField = SentField<z.ZodType, unknown>

const allFields = Object.entries(fields) as unknown as readonly (readonly [FieldName, AnyField])[]

/** Returns something of each field, by its name. */
function ofEach<Shape>(of: (field: AnyField) => unknown): Shape {
  return Object.fromEntries(allFields.map(([name, one]) => [name, of(one)])) as Shape
}

/** Selects mail that agents sent, by any operation, as scenarios do. */
export const sentCondition = z
  .strictObject(ofEach<{ [Name in FieldName]: Fields[Name]['schema'] }>(({ schema }) => schema))
  .meta({ id: 'sent', title: 'sent', description: 'Selects mail that agents sent, by any operation.' })

/** A condition of sent mail in a scenario. */
export type WrittenSent = z.output<typeof sentCondition>

/** The same for programs, which know ids instead of keys. */
export const sentConditionById = z.strictObject(
  ofEach<{ [Name in FieldName]: Fields[Name]['schema'] }>(({ schema, byId }) => {
    return byId === undefined ? schema : z.string().optional().describe(byId)
  }),
)

/** The types of the fields by which programs select sent mail. */
export const sentMatchOptions = defineOptions<SentMatch>(() => ofEach(({ option: typeOf }) => typeOf()))

/** A condition of sent mail as a story has it, as plain data. In addresses, `*` matches any characters. */
export type SentCondition = {
  readonly [Name in FieldName]?: NonNullable<ReturnType<Fields[Name]['resolve']>>
}

/** Resolves what a condition of sent mail refers to; undefined if something is not found. */
export function resolveSent(names: StoryNames, written: WrittenSent, path: Path): SentCondition | undefined {
  const before = names.problems.length
  const agent = names.agent(written.from, [...path, 'from'])
  const sender = agent === 'unknown' ? undefined : agent
  const condition: Record<string, unknown> = {}
  for (const [name, { resolve }] of allFields) {
    const value = written[name]
    if (value === undefined) continue
    const place = { names, sender, thread: written.thread, path: [...path, name] }
    condition[name] = resolve(value, place)
  }
  return names.problems.length > before ? undefined : condition
}

/** Returns the match of a condition of a story. */
export function sentMatchOf(condition: SentCondition, matcherOf: MatcherOf): SentMatch {
  const given = allFields.flatMap(([name, { match }]) => {
    const value = condition[name]
    return value === undefined ? [] : [[name, match ? match(value, matcherOf) : value] as const]
  })
  return Object.fromEntries(given)
}

/**
 * Returns the match of a condition in which programs give ids instead of keys, and a function that returns why it could not
 * be evaluated, if so.
 */
export function sentMatchById(written: z.output<typeof sentConditionById>) {
  const { subject, text, html, attachments, ...others } = written
  const matchers: ValueMatcher[] = []
  const matcherOf: MatcherOf = (expected) => {
    const matcher = new ValueMatcher(expected)
    matchers.push(matcher)
    return matcher
  }
  const texts = Object.entries({ subject, text, html }).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, matcherOf(expectedText(value))]]
  })
  const files = attachments?.map((one) => fileMatchOf(compileFile(one, expectedText), matcherOf))
  const match: SentMatch = { ...others, ...Object.fromEntries(texts), ...(files && { attachments: files }) }
  return { match, problem: () => problemOf(matchers) }
}

/** Returns why the first of some matchers that cannot match cannot; undefined if all can. */
function problemOf(matchers: readonly ValueMatcher[]): string | undefined {
  return matchers.find(({ problem }) => problem !== undefined)?.problem
}

/** How much fields count that say which message is meant, more than its words: who gets it, and what it answers. */
const weights: Partial<Record<FieldName, number>> = {
  from: 10,
  to: 10,
  cc: 5,
  bcc: 5,
  in_reply_to: 5,
  thread: 5,
}

/** Returns the values of sent mail that differ from the expected ones. */
export function compareSent(match: SentMatch, mail: SentMessage, contentOf: ContentOf): Mismatch[] {
  return allFields.flatMap(([name, { compare }]) => {
    const expected = match[name]
    const differing = expected === undefined ? [] : compare(expected as never, mail, contentOf)
    return differing.map((one) => ({ ...one, weight: weights[name] ?? 1 }))
  })
}

/** Returns the form of a text in a story: one between slashes is a regular expression. */
function expectedText(value: z.output<typeof mailText>): ExpectedValue {
  const [, matches, flags] = (typeof value === 'string' && slashed.exec(value)) || []
  return matches === undefined ? value : { matches, ...(flags && { flags }) }
}

function addressesOf(
  written: string | readonly string[],
  { names, path }: Pick<ResolvingSent, 'names' | 'path'>,
): readonly string[] {
  if (typeof written === 'string') return [addressOf(names, written, path)]
  return written.map((one, index) => addressOf(names, one, [...path, index]))
}

/** Returns whether recipients are the only ones that mail may have. */
export function isOnly(to: unknown): to is { readonly only: readonly AddressMatch[] } {
  return typeof to === 'object' && to !== null && 'only' in to
}

function addressMismatches(
  name: string,
  expected: AddressMatch | readonly AddressMatch[],
  found: readonly string[],
): Mismatch[] {
  return listMismatches(name, [expected].flat(), found, fitsAddress)
}

/**
 * Returns a mismatch for each expected value that is not in a list; if nothing is expected, the list must be
 * empty.
 */
function listMismatches(
  name: string,
  expected: readonly Match[],
  found: readonly string[],
  fits = (one: Match, value: string) => mismatches(name, one, value).length === 0,
): Mismatch[] {
  if (expected.length === 0) return found.length === 0 ? [] : [{ name, expected, found }]
  const missing = expected.filter((one) => !found.some((value) => fits(one, value)))
  return missing.map((one) => ({ name, expected: one, found: shownList(found) }))
}

/** Returns the only value of a list, or the list. */
export function shownList<Value>(found: readonly Value[]): Value | readonly Value[] {
  const [first] = found
  return found.length === 1 && first !== undefined ? first : found
}

/** Returns a mismatch if mail goes to recipients other than these. */
export function othersIn(allowed: readonly AddressMatch[], { to, cc, bcc }: SentMessage): Mismatch[] {
  const others = [...to, ...cc, ...bcc].filter((found) => !allowed.some((one) => fitsAddress(one, found)))
  const expected = described(`only ${eitherOf(allowed)}`)
  return others.length === 0 ? [] : [{ name: 'to', expected, found: shownList(others) }]
}

/** Lists values of which one is meant. */
export function eitherOf(values: readonly Match[]): string {
  return values.map(formatValue).join(' or ')
}

/** Returns what selects sent mail by a condition of a story; as JSON, it is the condition. */
export function sentSelector(condition: SentCondition): SentSelector {
  const matchers: ValueMatcher[] = []
  const match = sentMatchOf(condition, (value) => {
    const matcher = new ValueMatcher(value)
    matchers.push(matcher)
    return matcher
  })
  const selector: SentSelector = {
    fits: (mail, contentOf) => compareSent(match, mail, contentOf).length === 0,
    problem: () => problemOf(matchers),
  }
  return Object.assign(Object.create(selector), condition)
}
