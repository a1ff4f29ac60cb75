import { z } from '../../base/schema.js'
import { headersByName } from '../../mail/new-message.js'
import { formatProblems, type ProblemAt } from '../read/problem.js'
import { readChecked, readYaml } from '../read/yaml.js'

/** The categories of generated mail, which `generate: { kinds: … }` names. */
export const mailCategories = [
  'support',
  'sales',
  'newsletters',
  'receipts',
  'calendar',
  'bounces',
  'spam',
] as const

const text = z.string()
const texts = z.array(text).min(1)
const table = z.record(z.string(), text)

/** The files of fixtures/attachments that generated mail carries. */
const attachmentFixtures = [
  'invoice.pdf',
  'receipt.pdf',
  'screenshot.png',
  'logo.png',
  'orders.csv',
  'error-log.txt',
  'meeting.ics',
] as const

const value = z.union([text, z.number(), z.boolean()])
const listItem: z.ZodType<unknown> = z.lazy(() =>
  z.union([value, z.array(listItem), z.record(z.string(), listItem)]),
)
const facts = z.record(z.string(), z.union([text, z.array(listItem).min(1)]))
const parts = z.record(z.string(), text)

const wordings = z.array(z.union([text, z.strictObject({ also: text })])).min(1)
const topic = z.strictObject({ question: wordings, answer: wordings })

const common = {
  category: z.enum(mailCategories).optional().describe('Its category in `kinds` of a scenario.'),
  weight: z.number().positive().default(1).describe('How often it occurs, relative to the others.'),
  facts: facts.default({}).describe('What a thread is about, drawn from top to bottom.'),
  parts: parts.default({}).describe('Texts that letters insert by name.'),
  attachments: z
    .array(
      z.strictObject({
        in: z.array(z.int().min(1)).min(1).optional().describe('The numbers of messages; by default all.'),
        file: z.enum(attachmentFixtures),
        name: text.describe('The name in the message.'),
      }),
    )
    .default([])
    .describe('Files that messages may carry.'),
  subject: texts.describe('The subject.'),
}

/** A conversation between a person and the agent, turn by turn. */
const conversationSchema = z
  .strictObject({
    ...common,
    titles: text.optional().describe("A line below the person's name in the first message."),
    opening: wordings.describe('The first message, from the person.'),
    answer: wordings.describe("The agent's reply."),
    reaction: wordings.optional().describe("The person's reaction."),
    solution: wordings.optional().describe("The agent's solution."),
    thanks: wordings.optional().describe("The person's thanks."),
    farewell: wordings.optional().describe("The agent's last message on the matter."),
    later: z.array(topic).default([]).describe('Follow-up questions of the person.'),
  })
  .refine(({ reaction, solution }) => (reaction === undefined) === (solution === undefined), {
    error: 'has only one of "reaction" and "solution"; a person and the agent write by turns',
  })
  .refine(({ thanks, farewell }) => (thanks === undefined) === (farewell === undefined), {
    error: 'has only one of "thanks" and "farewell"; a person and the agent write by turns',
  })

/** Mail to which nobody replies. */
const announcementSchema = z.strictObject({
  ...common,
  from: z.strictObject({ name: text, address: text }).describe('Who writes.'),
  headers: headersByName(text).default({}).describe('Further header fields by name.'),
  person: z.boolean().default(false).describe('Whether a person writes, drawn before the facts.'),
  html: z
    .strictObject({
      share: z.number().min(0).max(1).describe('The share of messages with an HTML body.'),
      alone: z.number().min(0).max(1).default(0).describe('The share of those that have no text.'),
      colour: z.string().default('#205072').describe('The colour of headlines and links.'),
    })
    .optional(),
  first: texts.describe('The first message.'),
  next: z.array(texts).default([]).describe('The messages after it, repeated as needed.'),
})

const shared = {
  formats: z.record(z.string(), text).default({}),
  lists: z.record(z.string(), z.array(listItem).min(1)).default({}),
  facts: z.record(z.string(), facts).default({}).describe('Groups of facts that kinds can use.'),
  parts: parts.default({}),
}

/** The definitions that all languages share. */
const commonSchema = z.strictObject(shared)

const names = z.record(z.string(), text).describe('Names, each with its spelling in plain letters.')

/** The language of letters, independent of their subject. */
const languageSchema = z.strictObject({
  tag: text.optional().describe('The language that HTML declares; by default none.'),
  right_to_left: z.boolean().default(false),
  faker: text.optional().describe("The locale of Faker; by default the file's name."),
  people: z.strictObject({
    full_name: text,
    gendered: z.boolean().default(false).describe('Whether the form of address depends on the name.'),
    spelling: table.optional().describe('Letters, and their replacements in addresses.'),
    female: names.optional(),
    male: names.optional(),
    family: names.optional(),
    providers: texts,
    companies: texts,
  }),
  calendar: z.strictObject({
    weekdays: z.array(text).length(7),
    months: z.array(text).length(12),
    weekend: z.array(text),
  }),
  numbers: z.strictObject({ thousands: text, decimal: text, decimals: z.int().min(0).default(2) }),
  tables: z.record(z.string(), table).default({}),
  greetings: z.strictObject({ opening: texts, follow_up: texts, agent: texts }),
  closings: z.strictObject({ person: texts, calm: texts, agent: texts }),
  signatures: z.strictObject({
    first: text,
    titled: text,
    later: texts,
    agent: text,
    blank_line: z.boolean().default(false).describe('Whether the empty line above the name is omitted.'),
  }),
  devices: texts,
  postscripts: texts,
  quotes: z.strictObject({ with_day: text, without_day: text }),
  colon: text,
  slips: z.strictObject({ one_in: z.int().min(1), words: table }).optional(),
  ...shared,
  phrases: z.record(z.string(), texts).default({}),
  further_topics: z.array(topic).min(1),
})

/** The content of a language file. */
export type LanguageSource = z.infer<typeof languageSchema>
/** The section of a conversation. */
export type ConversationSource = z.infer<typeof conversationSchema>
/** The section of mail to which nobody replies. */
export type AnnouncementSource = z.infer<typeof announcementSchema>
/** The section of any kind of mail. */
export type KindSource = ConversationSource | AnnouncementSource

const kindsEnding = '.kinds.yaml'

/** Returns the locales of files of letters, given the names of the files. */
export function localesAmong(names: readonly string[]): string[] {
  const found = names.filter((name) => name.endsWith(kindsEnding))
  return found.map((name) => name.slice(0, -kindsEnding.length)).sort()
}

/** Reads the text of a file of fixtures/letters. */
export type ReadText = (name: string) => Promise<string>

/** Parses and checks the file of a kind of mail that a scenario names; returns no `source` if there are problems. */
export function checkKindFile(name: string, text: string) {
  const { value, locate, problem: ofSyntax } = readYaml(text)
  const file = { name, locate }
  if (ofSyntax) {
    const { message, ...place } = ofSyntax
    const problems: ProblemAt[] = [{ path: [], message, file: { name, locate: () => place } }]
    return { file, problems }
  }
  const schema = schemaOfKind(value)
  const { data: source } = schema.safeParse(value)
  const problems = source ? [] : formatProblems(schema, value).map((problem) => ({ ...problem, file }))
  return { file, source, problems }
}

/** Parses the language of a locale, merged with what all languages share. @throws ScenarioError */
export async function parseLanguage(locale: string, read: ReadText): Promise<LanguageSource> {
  const common = await parseFile('common.yaml', read, () => commonSchema)
  const own = await parseFile(`${locale}.yaml`, read, () => languageSchema)
  const shared = Object.entries(common).map(([name, part]) => [
    name,
    { ...part, ...own[name as keyof typeof common] },
  ])
  return { ...own, ...Object.fromEntries(shared) }
}

/** Parses the kinds of mail of a locale, by name. @throws ScenarioError */
export async function parseKinds(
  locale: string,
  read: ReadText,
): Promise<Readonly<Record<string, KindSource>>> {
  return parseFile(`${locale}${kindsEnding}`, read, (value) => {
    const schemas = Object.entries(value ?? {}).map(([kind, part]) => [kind, schemaOfKind(part)] as const)
    return z.strictObject(Object.fromEntries(schemas))
  })
}

/** Selects the schema of a kind: only mail without replies has `first` instead of `opening`. */
function schemaOfKind(value: unknown): z.ZodType<KindSource> {
  return typeof value === 'object' && value !== null && 'first' in value
    ? announcementSchema
    : conversationSchema
}

async function parseFile<Source>(
  name: string,
  read: ReadText,
  schemaOf: (value: unknown) => z.ZodObject & z.ZodType<Source>,
): Promise<Source> {
  return readChecked(name, await read(name), schemaOf).content
}
