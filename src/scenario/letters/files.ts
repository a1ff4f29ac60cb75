import { z } from '../../contract/schema.js'
import { checkFormat, formatProblems } from '../problems/explain.js'
import { type Locate, type ProblemAt, ScenarioError } from '../problems/problem.js'
import { readYaml } from '../problems/yaml.js'
import {
  announcementSchema,
  commonSchema,
  conversationSchema,
  type KindSource,
  type LanguageSource,
  languageSchema,
} from './schema.js'

const kindsEnding = '.kinds.yaml'
/** Errors and docs list these locales first; others follow by name. */
const firstLocales = ['en', 'de', 'fr', 'ja', 'ar', 'pt_BR']

/** Returns the locales of files of letters, given the names of the files. */
export function localesAmong(names: readonly string[]): string[] {
  const found = names
    .filter((name) => name.endsWith(kindsEnding))
    .map((name) => name.slice(0, -kindsEnding.length))
  const first = firstLocales.filter((locale) => found.includes(locale))
  return [...first, ...found.filter((locale) => !first.includes(locale)).sort()]
}

/** Reads the text of a file of fixtures/letters. */
export type ReadText = (name: string) => Promise<string>

/** The content of a file with one kind of mail; without `source` if there are problems. */
interface CheckedKind {
  readonly source?: KindSource
  readonly locate: Locate
  readonly problems: readonly ProblemAt[]
}

/** Parses and checks the file of a kind of mail that a scenario names. */
export function checkKindFile(name: string, text: string): CheckedKind {
  const { value, locate, problems: ofSyntax } = readYaml(text)
  const syntax = ofSyntax.map(({ key, message, ...place }): ProblemAt => {
    return { path: key === '' ? [] : [key], message, file: { name, locate: () => place } }
  })
  if (syntax.length > 0) return { locate, problems: syntax }
  const schema = schemaOfKind(value)
  const { data } = schema.safeParse(value)
  if (data) return { source: data, locate, problems: [] }
  const file = { name, locate }
  return { locate, problems: formatProblems(schema, value).map((problem) => ({ ...problem, file })) }
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

/** Selects the schema of a kind: only mail that nobody answers has `first` instead of `opening`. */
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
  const { value, locate, problems } = readYaml(await read(name))
  if (problems.length > 0) throw new ScenarioError('syntax', name, problems)
  return checkFormat(schemaOf(value), value, { source: name, locate })
}
