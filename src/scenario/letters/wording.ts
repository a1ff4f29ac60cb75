import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { once } from '../../contract/once.js'
import { createRandom, formatInstant, type Random, shownInUtc } from '../../world/index.js'
import { fillTemplates, limitCounts, limitedDraws } from '../templates.js'
import { compileKind, type MailKind } from './kinds.js'
import { compileLanguage, type Language } from './language.js'
import { createPersonDraw, type Person } from './people.js'
import { locales, shippedLetters } from './shipped.js'

/** Templates, people and kinds of mail in one language. */
export interface Wording {
  /**
   * Fills in Faker templates such as `"{{person.fullName}} {{string.numeric(6)}}"`, from the stream of a path.
   * @throws TemplateError
   */
  fill(template: string, path: string): string
  /** Draws an outside person. */
  person(random: Random): Person
  /** Returns the shipped kinds of mail; reads them when mail is first generated. */
  kinds(): Promise<readonly MailKind[]>
}

/** Loads the language of a locale and its Faker. */
export async function loadLocale(locale: string): Promise<FakerWords> {
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

async function createWording(locale: string, seed: number, start: number): Promise<Wording> {
  const words = await loadLocale(locale)
  let stream: Random = createRandom(seed, 'templates')
  const faker = limitCounts(createFaker(words, start, { stream: () => stream }))
  return {
    fill(template, path) {
      if (!template.includes('{{')) return template
      const random = createRandom(seed, path)
      stream = { ...random, next: limitedDraws(random.next) }
      return fillTemplates(faker, template)
    },
    person: words.person,
    kinds: once(() => loadKinds(locale, words.language)),
  }
}

/** Throws for a problem in shipped letters, all of which a test compiles. */
function refuse(path: readonly PropertyKey[], message: string): never {
  throw new Error(`The letters that ship are broken at ${path.join('.')}: ${message}.`)
}

/** A compiled language, its shared Faker, and its people. */
export interface FakerWords {
  readonly faker: Faker
  readonly language: Language
  /** Draws an outside person. */
  readonly person: (random: Random) => Person
}

/** The random source of a Faker, which gets the stream for each draw, so that it can be replaced. */
export interface FakerSource {
  stream(): Random
  /** Implements `faker.seed(…)`. */
  seed?(seed: number | number[]): void
}

/** Creates a Faker in one language, whose dates are relative to the start of the story. */
export function createFaker(
  { faker: shared, language, person }: FakerWords,
  start: number,
  source: FakerSource,
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
