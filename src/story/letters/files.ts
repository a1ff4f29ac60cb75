import { z } from '../../base/schema.js'
import { checkFormat, formatProblems, type ProblemAt, ScenarioError } from '../read/problem.js'
import { readYaml } from '../read/yaml.js'
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
  const { value, locate, problem } = readYaml(await read(name))
  if (problem) throw new ScenarioError('syntax', name, [problem])
  return checkFormat(schemaOf(value), value, { source: name, locate })
}
