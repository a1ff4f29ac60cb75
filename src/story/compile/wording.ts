import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { once } from '../../base/once.js'
import { createRandom, type Random } from '../../service/time/random.js'
import { formatInstant, shownInUtc } from '../../service/time/time.js'
import { compileKind, type MailKind, problemsOfKind } from '../letters/kinds.js'
import { compileLanguage, createPersonDraw, type Language } from '../letters/language.js'
import { mailCategories } from '../letters/schema.js'
import { locales, type ShippedLetters, shippedLetters } from '../letters/shipped.js'
import { reasonOf, type ScenarioFiles } from '../read/files.js'
import type { ProblemAt } from '../read/problem.js'
import type { Agent } from './parts.js'
import { fillTemplates, limitCounts, limitedDraws } from './templates.js'

/** Returns the shipped letters of a locale. */
function lettersOf(locale: string): ShippedLetters {
  const shipped = shippedLetters[locale]
  if (!shipped) throw new Error(`There is no generated mail in "${locale}", only in ${locales.join(', ')}.`)
  return shipped
}

/** Loads the language of a locale, and a function that draws an outside person. */
export async function loadLocale(locale: string) {
  const shipped = lettersOf(locale)
  const [source, names] = await Promise.all([shipped.language(), shipped.names()])
  return { language: compileLanguage(source), person: createPersonDraw(source.people, names) }
}

/** Loads the shipped kinds of mail in a language; each is compiled when it is first drawn. */
export async function loadKinds(locale: string, language: Language): Promise<readonly MailKind[]> {
  return Object.entries(await lettersOf(locale).kinds()).map(([name, source]) => {
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
    lettersOf(locale).faker(),
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
  const { checkKindFile } = await import('../letters/files.js')
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
