import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { once } from '../../contract/once.js'
import { createRandom, formatInstant, type Random, shownInUtc } from '../../world/index.js'
import type { ProblemAt } from '../problems/problem.js'
import type { Agent } from '../resolve/parts.js'
import { reasonOf, type ScenarioFiles } from '../source/files.js'
import { fillTemplates, limitCounts, limitedDraws } from '../templates.js'
import { compileKind, type MailKind } from './kinds.js'
import { compileLanguage, createPersonDraw, type Language } from './language.js'
import { mailCategories } from './schema.js'
import { locales, shippedLetters } from './shipped.js'

/** A compiled language, its shared Faker, and a function that draws an outside person. */
export type FakerWords = Awaited<ReturnType<typeof loadLocale>>

/** Loads the language of a locale and its Faker. */
export async function loadLocale(locale: string) {
  const shipped = shippedLetters[locale]
  if (!shipped) throw new Error(`There is no generated mail in "${locale}", only in ${locales.join(', ')}.`)
  const [source, { faker }] = await Promise.all([shipped.language(), shipped.faker()])
  const person = createPersonDraw(source.people, faker.rawDefinitions.person ?? {})
  return { language: compileLanguage(source, refuse), faker, person }
}

/** Loads the shipped kinds of mail in a language; each is compiled when it is first drawn. */
export async function loadKinds(locale: string, language: Language): Promise<readonly MailKind[]> {
  const kinds = (await shippedLetters[locale]?.kinds()) ?? {}
  return Object.entries(kinds).map(([name, source]) => {
    const compiled = once(() => compileKind(language, source, refuse))
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
  const words = await loadLocale(locale)
  let stream: Random = createRandom(seed, 'templates')
  const faker = limitCounts(createFaker(words, start, { stream: () => stream }))
  return {
    /**
     * Fills in Faker templates such as `"{{person.fullName}} {{string.numeric(6)}}"`, from the stream of a path.
     * @throws TemplateError
     */
    fill(template: string, path: string): string {
      if (!template.includes('{{')) return template
      const random = createRandom(seed, path)
      stream = { ...random, next: limitedDraws(random.next) }
      return fillTemplates(faker, template)
    },
    /** Draws an outside person. */
    person: words.person,
    /** Returns the shipped kinds of mail; reads them when mail is first generated. */
    kinds: once(() => loadKinds(locale, words.language)),
  }
}

/** Throws for a problem in shipped letters, all of which a test compiles. */
function refuse(path: readonly PropertyKey[], message: string): never {
  throw new Error(`The letters that ship are broken at ${path.join('.')}: ${message}.`)
}

/**
 * Creates a Faker in one language, whose dates are relative to the start of the story. It draws each value from the
 * present stream of its source; `seed` implements `faker.seed(…)`.
 */
export function createFaker(
  { faker: shared, language, person }: FakerWords,
  start: number,
  source: { stream(): Random; seed?(seed: number | number[]): void },
): Faker {
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

const remedy = `a kind of mail of your own is a YAML file beside the scenario, the others are ${mailCategories.join(', ')}`

/** Reads the kinds of mail that a scenario takes from files, once for each language that uses them. */
export async function readOwnKinds(
  agents: readonly Agent[],
  files: ScenarioFiles,
): Promise<{ readonly kinds: OwnKinds; readonly problems: readonly ProblemAt[] }> {
  const kinds = new Map<string, MailKind[]>()
  const problems: ProblemAt[] = []
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
  return { kinds, problems }
}

/** Compiles the kind in a file; adds its problems to `problems`. */
async function compileFile(
  name: string,
  text: string,
  locale: string,
  problems: ProblemAt[],
): Promise<MailKind[]> {
  const { checkKindFile } = await import('./files.js')
  const { file, source, problems: found } = checkKindFile(name, text)
  problems.push(...found)
  if (!source) return []
  const { language } = await loadLocale(locale)
  const begin = compileKind(language, source, (path, message) => problems.push({ path, message, file }))
  return [{ name, category: name, weight: 1, oneWay: 'first' in source, isOwn: true, begin }]
}
