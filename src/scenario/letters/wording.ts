import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { once } from '../../contract/once.js'
import { createRandom, formatInstant, type Random, shownInUtc } from '../../world/index.js'
import { fillTemplates, limitCounts, limitedDraws } from '../templates.js'
import { compileKind, type MailKind } from './kinds.js'
import { compileLanguage, type Language } from './language.js'
import { createPersonDraw, type Person } from './people.js'
import { locales, shippedLetters } from './shipped.js'

/** What is written in one language. */
export interface Wording {
  /**
   * Fills in Faker templates: `"{{person.fullName}} {{string.numeric(6)}}"`; values come from the stream of a path.
   * @throws TemplateError
   */
  fill(template: string, path: string): string
  /** Draws somebody who writes from outside. */
  person(random: Random): Person
  /** The kinds of mail that ship; read when mail is generated. */
  kinds(): Promise<readonly MailKind[]>
}

/** Loads the language of a locale and Faker's words of it, and of no other. */
export async function loadLocale(locale: string): Promise<FakerWords> {
  const shipped = shippedLetters[locale]
  if (!shipped) throw new Error(`There are no letters in "${locale}", only in ${locales.join(', ')}.`)
  const [source, { faker }] = await Promise.all([shipped.language(), shipped.faker()])
  const person = createPersonDraw(source.people, faker.rawDefinitions.person ?? {})
  return { language: compileLanguage(source, refuse), faker, person }
}

/** Loads the kinds of mail that ship in a language; each is compiled when it is first drawn. */
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

/** Creates the wordings of a scenario, each loaded when it is first asked for; Faker's own dates are relative to its start. */
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

/** What ships is in order: a test compiles all of it. */
function refuse(path: readonly PropertyKey[], message: string): never {
  throw new Error(`The letters that ship are broken at ${path.join('.')}: ${message}.`)
}

/** A language's Faker, shared by everybody, and how its people are named. */
export interface FakerWords {
  readonly faker: Faker
  readonly language: Language
  /** Draws somebody who writes from outside. */
  readonly person: (random: Random) => Person
}

/** Where a Faker draws from; it asks for the stream each time, so another may take its place. */
export interface FakerSource {
  stream(): Random
  /** What `faker.seed(…)` does. */
  seed?(seed: number | number[]): void
}

/** A Faker of its own in one language; its dates are relative to the story's start. */
export function createFaker(
  { faker: shared, language, person }: FakerWords,
  start: number,
  source: FakerSource,
): Faker {
  // Every Faker has its own randomizer, so the shared instance only gives its class and its words.
  const faker: Faker = new (shared.constructor as typeof Faker)({
    locale: definitionsOf(shared, language),
    randomizer: { next: () => source.stream().next(), seed: (seed) => source.seed?.(seed) },
  })
  faker.setDefaultRefDate(formatInstant(start))
  showDatesAlike(faker)
  if (language.source.tag !== undefined) {
    // Faker itself would write names without Latin letters as their code points.
    faker.internet.username = () => person(source.stream()).address.replace(/@.*/, '')
  }
  return faker
}

/** Has dates show themselves as ISO 8601 UTC: as text they would be in the zone of whatever machine it is. */
function showDatesAlike({ date }: Faker): void {
  for (const [name, method] of Object.entries(date)) {
    if (typeof method !== 'function') continue
    const shown = (...given: unknown[]) => shownInUtc(method(...given))
    Object.assign(date, { [name]: shown })
  }
}

/** Faker's words, with `internet.email` kept to mailboxes that cannot exist. */
function definitionsOf({ rawDefinitions }: Faker, { source }: Language): LocaleDefinition {
  return {
    ...rawDefinitions,
    internet: { ...rawDefinitions.internet, free_email: [...source.people.providers] },
  }
}
