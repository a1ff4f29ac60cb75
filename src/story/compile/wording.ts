import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { parseJson } from '../../base/json.js'
import { textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { didYouMean, expectedOneOf, grouped, shorten } from '../../base/text.js'
import { createRandom, type Random } from '../../service/time/random.js'
import { formatInstant, shownInUtc } from '../../service/time/time.js'
import { sentFields } from '../../service/world/correspondence.js'
import { compileKind, type MailKind, problemsOfKind } from '../letters/kinds.js'
import { createLanguage, createPersonDraw, type Language } from '../letters/language.js'
import { mailCategories } from '../letters/schema.js'
import { type ShippedLetters, shippedLetters } from '../letters/shipped.js'
import { reasonOf, type ScenarioFiles } from '../read/files.js'
import type { ProblemAt } from '../read/problem.js'
import type { Agent } from './parts.js'

/** Loads the language of a locale, and a function that draws an outside person. */
export async function loadLocale(locale: string) {
  const shipped = shippedLetters[locale] as ShippedLetters
  const [source, names] = await Promise.all([shipped.language(), shipped.names()])
  return { language: createLanguage(source), person: createPersonDraw(source.people, names) }
}

/** Loads the shipped kinds of mail in a language; each is compiled when it is first drawn. */
export async function loadKinds(locale: string, language: Language): Promise<readonly MailKind[]> {
  return Object.entries(await (shippedLetters[locale] as ShippedLetters).kinds()).map(([name, source]) => {
    const compiled = once(() => compileKind(language, source))
    return {
      name,
      category: source.category ?? name,
      weight: source.weight,
      oneWay: 'first' in source,
      isOwn: false,
      begin: (random, setting) => compiled()(random, setting),
    }
  })
}

/** Creates the wordings of a scenario, each loaded when first needed; Faker's dates are relative to its start. */
export function createWordings(seed: number, start: number): (locale: string) => Promise<Wording> {
  const wordings = new Map<string, Promise<Wording>>()
  return (locale) => {
    const wording = wordings.get(locale) ?? createWording(locale, seed, start)
    wordings.set(locale, wording)
    return wording
  }
}

/** Templates, people and kinds of mail in one language. */
export type Wording = Awaited<ReturnType<typeof createWording>>

async function createWording(locale: string, seed: number, start: number) {
  const { language, person } = await loadLocale(locale)
  let stream: Random = createRandom(seed, 'templates')
  const faker = once(async () => {
    const createFaker = await loadFaker(locale)
    return limitCounts(createFaker(start, { stream: () => stream }))
  })
  return {
    /**
     * Fills in Faker templates such as `"{{person.fullName}} {{string.numeric(6)}}"`, from the stream of a path.
     * @throws TemplateError
     */
    async fill(template: string, path: string): Promise<string> {
      if (!template.includes('{{')) return template
      const loaded = await faker()
      const random = createRandom(seed, path)
      stream = { ...random, next: limitedDraws(random.next) }
      return fillTemplates(loaded, template)
    },
    /** Draws an outside person. */
    person,
    /** Returns the shipped kinds of mail; reads them when mail is first generated. */
    kinds: once(() => loadKinds(locale, language)),
  }
}

/** Creates a Faker that draws each value from the present stream of its source; `seed` implements `faker.seed(…)`. */
type CreateFaker = (
  start: number,
  source: { stream(): Random; seed?(seed: number | number[]): void },
) => Faker

/**
 * Loads Faker for a locale. Each instance has dates relative to the start of a story, and this project's
 * people.
 */
export async function loadFaker(locale: string): Promise<CreateFaker> {
  const [{ faker: shared }, { language, person }] = await Promise.all([
    (shippedLetters[locale] as ShippedLetters).faker(),
    loadLocale(locale),
  ])
  return (start, source) => {
    // Every Faker has its own randomizer, so only the class and the definitions are taken from the shared instance.
    const faker: Faker = new (shared.constructor as typeof Faker)({
      locale: definitionsOf(shared, language),
      randomizer: { next: () => source.stream().next(), seed: (seed) => source.seed?.(seed) },
    })
    faker.setDefaultRefDate(formatInstant(start))
    showDatesAlike(faker)
    if (language.source.tag !== undefined) {
      // Faker itself writes names in other scripts as code points.
      faker.internet.username = () => person(source.stream()).address.replace(/@.*/, '')
    }
    return faker
  }
}

/** Makes the dates of a Faker format themselves as ISO 8601 UTC instead of in the local time zone. */
function showDatesAlike({ date }: Faker): void {
  for (const [name, method] of Object.entries(date)) {
    if (typeof method !== 'function') continue
    const shown = (...given: unknown[]) => shownInUtc(method(...given))
    Object.assign(date, { [name]: shown })
  }
}

/** Returns the definitions of a Faker, with `internet.email` limited to domains that cannot exist. */
function definitionsOf({ rawDefinitions }: Faker, { source }: Language): LocaleDefinition {
  return {
    ...rawDefinitions,
    internet: { ...rawDefinitions.internet, free_email: [...source.people.providers] },
  }
}

/** The kinds of mail that a scenario takes from files beside it, by locale. */
export type OwnKinds = ReadonlyMap<string, readonly MailKind[]>

const remedy = `your own kind of mail is a YAML file beside the scenario; the others are ${mailCategories.join(', ')}`

/** Reads the kinds of mail that a scenario takes from files, once for each language that uses them. */
export async function readOwnKinds(
  agents: readonly Agent[],
  files: ScenarioFiles,
  problems: ProblemAt[],
): Promise<OwnKinds> {
  const kinds = new Map<string, MailKind[]>()
  for (const { identity, locale, path } of agents) {
    const own = kinds.get(locale) ?? []
    kinds.set(locale, own)
    const named = identity.generate?.kinds ?? []
    const entries = Array.isArray(named)
      ? named.entries()
      : Object.keys(named).map((name) => [name, name] as const)
    for (const [key, name] of entries) {
      const isCategory = mailCategories.some((category) => category === name)
      if (isCategory || own.some((kind) => kind.name === name)) continue
      try {
        const text = new TextDecoder().decode(await files.read(name))
        own.push(...(await compileFile(name, text, locale, problems)))
      } catch (error) {
        const message = `${reasonOf(error)}; ${remedy}`
        problems.push({ path: [...path, 'generate', 'kinds', key], part: 'key', message })
      }
    }
  }
  return kinds
}

/** Compiles the kind in a file; adds its problems to `problems`. */
async function compileFile(
  name: string,
  text: string,
  locale: string,
  problems: ProblemAt[],
): Promise<MailKind[]> {
  const { checkKindFile } = await import('../letters/schema.js')
  const { file, source, problems: found } = checkKindFile(name, text)
  problems.push(...found)
  if (!source) return []
  const { language } = await loadLocale(locale)
  const wrong = problemsOfKind(language, source)
  problems.push(...wrong.map((problem) => ({ ...problem, file })))
  if (wrong.length > 0) return []
  const begin = compileKind(language, source)
  return [{ name, category: name, weight: 1, oneWay: 'first' in source, isOwn: true, begin }]
}

/** The largest count or length that a template may ask for. */
const maxCount = 10_000
/** The most random values drawn for one text: about 50 ms. */
const maxDraws = 100_000
/** The longest text that filling in templates may produce, in characters. */
const maxTextLength = 1_000_000

type Problem = ProblemAt['message']

/** Thrown for a text whose templates cannot be filled in; explains the problems to its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(textOf(problems[0] ?? ''))
    this.problems = problems
  }
}

/** A source of random numbers that limits how many one text may draw. */
function limitedDraws(next: () => number): () => number {
  let draws = 0
  return () => {
    if (++draws > maxDraws)
      throw new TemplateError(`a text may take up to ${grouped(maxDraws)} random values`)
    return next()
  }
}

/** Makes a Faker refuse counts and lengths above the limit wherever its methods resolve them. Returns the same Faker. */
function limitCounts(faker: Faker): Faker {
  const { helpers } = faker
  const { rangeToNumber } = helpers
  helpers.rangeToNumber = (range) => {
    const count = rangeToNumber(range)
    if (!(count > maxCount)) return count
    throw new TemplateError(`asks for ${grouped(count)}; a count or length may be up to ${grouped(maxCount)}`)
  }
  return faker
}

/** Returns the templates of a text with their braces, of which the closing ones may be missing, from left to right. */
function templatesIn(text: string) {
  const found = []
  const pattern = /\{\{\s*[a-z]/gi
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = text.indexOf('}}', match.index)
    const isClosed = end >= 0
    const whole = text.slice(match.index, isClosed ? end + 2 : undefined)
    found.push({ start: match.index, whole, isClosed })
    if (!isClosed) break
    pattern.lastIndex = end + 2
  }
  return found
}

/** Returns a text with its templates filled in by a Faker. @throws TemplateError with all problems found */
function fillTemplates(faker: Faker, text: string): string {
  const templates = templatesIn(text)
  const problems = new Map<string, Problem>()
  let filled = ''
  let end = 0
  for (const { start, whole, isClosed } of templates) {
    filled += text.slice(end, start)
    end = start + whole.length
    const content = whole.slice(2, -2)
    const problem = isClosed ? problemWithCall(faker, content) : '"{{" without "}}" after it'
    if (problem !== undefined) problems.set(whole, () => `${shorten(whole)}: ${textOf(problem)}`)
    if (problems.size > 0) continue
    try {
      // Faker only fills in templates with a lowercase letter right after the braces; others stay as they are.
      filled += /^[a-z]/.test(content) ? evaluate(faker, content) : whole
      if (filled.length > maxTextLength) throw tooLong()
    } catch (error) {
      const [reason = ''] = (error as Error).message.split('\n')
      const why =
        error instanceof TemplateError ? reason : `cannot be filled in: ${reason.replace(/\.$/, '')}`
      problems.set(whole, `${shorten(whole)}: ${why}`)
    }
  }
  if (problems.size > 0) throw new TemplateError(...problems.values())
  return filled + text.slice(end)
}

/** Returns the problem of a template's name or brackets, or undefined if there is none. */
function problemWithCall(faker: Faker, content: string): Problem | undefined {
  const { name, argumentText } = callIn(content.trim())
  const isKnown = methodOf(faker, name.trim()) !== undefined
  if (!/^[a-z]/.test(content)) {
    return isKnown ? `leave out the spaces within the braces: {{${shorten(content)}}}` : undefined
  }
  if (name !== content.trim() && !content.endsWith(')')) return 'a closing ")" is missing before the "}}"'
  if (!isKnown) return () => unknownName(name, templateNames(faker))
  return problemWithArguments(name, argumentText)
}

function unknownName(name: string, names: readonly string[]): string {
  const shown = shorten(name)
  if (`{{${name}}}`.search(sentFields) === 0)
    return `there is no ${shown} in an entry without "when: { sent: … }"`
  const [area] = name.split('.', 1)
  const inArea = names.filter((known) => known.startsWith(`${area}.`))
  const hint = inArea.length > 0 ? expectedOneOf(name, inArea) : didYouMean(name, names)
  return `there is no ${shown}${hint || '; a template is of the form {{person.fullName}}'}`
}

/** Returns the problem of arguments that are not JSON: Faker passes them as text, which some methods ignore. */
function problemWithArguments(name: string, argumentText: string): string | undefined {
  if (argumentText === '' || parseJson(`[${argumentText}]`) !== undefined) return undefined
  const wantsJson = argumentText.startsWith('{') || /^(string|number|lorem)\./.test(name)
  return wantsJson ? `expected JSON in the brackets, such as {"length": 6}` : undefined
}

/** Evaluates a call such as `person.fullName` or `string.numeric(6)`. @throws TemplateError */
function evaluate(faker: Faker, content: string): string {
  const { name, argumentText } = callIn(content)
  const values =
    argumentText === '' ? [] : ((parseJson(`[${argumentText}]`) as unknown[] | undefined) ?? [argumentText])
  // Nested templates are filled in, and explained, like others.
  const value =
    name === 'helpers.fake' ? fillTemplates(faker, String(values[0])) : methodOf(faker, name)?.(...values)
  const text = String(value)
  if (text.length > maxTextLength) throw tooLong()
  if (/^(NaN|undefined|null|Invalid Date|\[object \w+\])$/.test(text)) {
    throw new TemplateError('gives no text with these arguments')
  }
  return text
}

function tooLong(): TemplateError {
  return new TemplateError(`a text may have up to ${grouped(maxTextLength)} characters`)
}

/** Splits a template into the name of a method and the text in its brackets. */
function callIn(content: string): { readonly name: string; readonly argumentText: string } {
  const [name = ''] = content.split('(', 1)
  return { name, argumentText: name === content ? '' : content.slice(name.length + 1, -1) }
}

type Method = (...args: unknown[]) => unknown

function methodOf(faker: Faker, name: string): Method | undefined {
  const [area = '', method = '', ...others] = name.split('.')
  if (others.length > 0 || !isArea(faker, area)) return undefined
  const module = faker[area as keyof Faker] as unknown as Record<string, unknown>
  return Object.hasOwn(module, method) && typeof module[method] === 'function'
    ? (module[method] as Method)
    : undefined
}

function isArea(faker: Faker, name: string): boolean {
  if (name === 'fakerCore' || !Object.hasOwn(faker, name)) return false
  const module: unknown = faker[name as keyof Faker]
  return typeof module === 'object' && module !== null
}

/** The names that templates may use, e.g. `person.fullName`. */
function templateNames(faker: Faker): string[] {
  const areas = Object.keys(faker).filter((name) => isArea(faker, name))
  return areas.flatMap((area) => {
    const methods = Object.entries(faker[area as keyof Faker] as object)
    return methods.flatMap(([name, method]) => (typeof method === 'function' ? [`${area}.${name}`] : []))
  })
}
