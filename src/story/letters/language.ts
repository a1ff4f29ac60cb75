import type { LocaleDefinition } from '@faker-js/faker'
import type { Path } from '../../base/mistake.js'
import { capitalized, grouped } from '../../base/text.js'
import type { Random } from '../../service/time/random.js'
import { formatInstant, formatMailDate } from '../../service/time/time.js'
import type { ConversationSource, KindSource, LanguageSource } from './schema.js'
import {
  type Conversion,
  compileTemplate,
  type Facts,
  LetterError,
  type Template,
  type Vocabulary,
} from './template.js'

/** The language of letters. */
export interface Language {
  readonly source: LanguageSource
  readonly vocabulary: Vocabulary
}

/** Returns a language with what its templates may use. */
export function createLanguage(source: LanguageSource): Language {
  const { formats, parts } = source
  return { source, vocabulary: { conversions: createConversions(source), formats, parts } }
}

/** A fact of a kind of mail, with its place in the file. */
interface Fact {
  readonly name: string
  readonly path: Path
  readonly value: unknown
}

/** Fills in the texts of a kind of mail; each is compiled when it is first used, since most of them never are. */
export class Letters {
  readonly language: LanguageSource
  /** What a thread is about, in the order in which it is drawn. */
  readonly facts: readonly Fact[]
  readonly #vocabulary: Vocabulary
  readonly #templates = new Map<string, Template>()

  /** @throws LetterError for a group of facts that the language does not have */
  constructor({ source, vocabulary }: Language, kind: KindSource) {
    this.language = source
    this.facts = this.#factsOf(kind.facts)
    this.#vocabulary = { ...vocabulary, parts: { ...vocabulary.parts, ...kind.parts } }
  }

  /** Draws the facts of a thread. */
  draw(facts: Facts, random: Random): void {
    for (const { name, value } of this.facts) facts[name] = this.drawn(value, facts, random)
  }

  /** Draws a fact: a template, a list to draw from, or a map in such a list. */
  drawn(value: unknown, facts: Facts, random: Random): unknown {
    if (typeof value === 'string') return this.#template(value)(facts, random)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.drawn(random.pick(value), facts, random)
    // The same object, so that `any … but` finds it in its list.
    if (Object.values(value).every((field) => !String(field).includes('{'))) return value
    const fields = Object.entries(value).map(([key, field]) => [key, this.drawn(field, facts, random)])
    return Object.fromEntries(fields)
  }

  /** Fills in a text. @throws LetterError */
  fill(text: string, facts: Facts): string {
    return String(this.#template(text)(facts))
  }

  /** Returns the wordings of a letter; `{ also: … }` refers to a shared list. @throws LetterError */
  wordings(wordings: ConversationSource['opening']): readonly string[] {
    return wordings.flatMap((wording) => {
      if (typeof wording === 'string') return wording
      const phrases = this.language.phrases[wording.also]
      if (phrases) return phrases
      throw new LetterError('there are no phrases of that name')
    })
  }

  #template(text: string): Template {
    const template = this.#templates.get(text) ?? compileTemplate(text.trimEnd(), this.#vocabulary)
    this.#templates.set(text, template)
    return template
  }

  #factsOf(facts: Readonly<Facts>, shared?: Path): Fact[] {
    return Object.entries(facts).flatMap(([name, value]): Fact[] => {
      const path = shared ?? ['facts', name]
      if (name !== 'with') return [{ name, path, value }]
      return [value].flat().flatMap((group) => {
        const inGroup = this.language.facts[String(group)]
        if (inGroup) return this.#factsOf(inGroup, path)
        throw new LetterError(`there is no group of facts "${group}"`)
      })
    })
  }
}

const day = 86_400_000

/** Creates the built-in conversions, which templates use after a colon like the formats of the language. */
function createConversions(language: LanguageSource): Readonly<Record<string, Conversion>> {
  const { weekdays, months, weekend } = language.calendar
  const { thousands, decimal, decimals } = language.numbers
  const weekday = (at: number): string => weekdays[weekdayOf(at)] as string
  const workday =
    (step: number) =>
    (at: number): number =>
      weekend.includes(weekday(at)) ? workday(step)(at + step) : at
  const numeric: Record<string, (value: number) => unknown> = {
    amount: (value) => formatAmount(value, thousands, decimal, decimals),
    round: Math.round,
    floor: Math.floor,
    weekday,
    month: (at) => months[partOfDate(at, 5) - 1],
    year: (at) => formatInstant(at).slice(0, 4),
    month_number: (at) => partOfDate(at, 5),
    day_of_month: (at) => partOfDate(at, 8),
    hour: (at) => partOfDate(at, 11),
    hour12: (at) => ((partOfDate(at, 11) + 11) % 12) + 1,
    minute: (at) => partOfDate(at, 14),
    midnight: (at) => Math.floor(at / day) * day,
    workday_after: workday(day),
    workday_before: workday(-day),
    header_date: formatMailDate,
  }
  const textual: Record<string, (value: string) => unknown> = {
    capital: capitalized,
    lower: (text) => text.toLowerCase(),
    initial: (text) => text.charAt(0),
    initials: (text) => text.replace(/[^A-Z]/g, '').slice(0, 2) || 'OR',
    domain: (address) => address.slice(address.lastIndexOf('@') + 1),
    stem: (name) => name.replace(/\..*/, ''),
    latin: createSpelling(language.people),
    ...mapped(language.tables, (table) => (text) => replaceLetters(text, table)),
  }
  return {
    ...mapped(numeric, (convert) => (value) => {
      if (!Number.isNaN(Number(value))) return convert(Number(value))
      throw new LetterError(`expected a number or a time, found "${value}"`)
    }),
    ...mapped(textual, (convert) => (value) => convert(String(value))),
  }
}

function mapped<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** Returns the two-digit number at a position of an ISO date. */
function partOfDate(at: number, place: number): number {
  return Number(formatInstant(at).slice(place, place + 2))
}

/** Returns the day of the week; 0 is Sunday. The epoch began on a Thursday. */
function weekdayOf(at: number): number {
  return (((Math.floor(at / day) + 4) % 7) + 7) % 7
}

/** Formats a number of the smallest units, e.g. 124950 as `1.249,50` with two decimals. */
function formatAmount(value: number, thousands: string, decimal: string, decimals: number): string {
  const digits = String(Math.round(value)).padStart(decimals + 1, '0')
  const whole = grouped(digits.slice(0, digits.length - decimals), thousands)
  return decimals === 0 ? whole : `${whole}${decimal}${digits.slice(-decimals)}`
}

/** The grammatical gender; `unknown` in languages where names do not show it. */
type Gender = 'female' | 'male' | 'unknown'

/** A person who writes to the agent. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  /** Both names in the order of the language, e.g. `Ann Lee` or `佐藤 健`. */
  readonly fullName: string
  readonly gender: Gender
  readonly address: string
}

/** The names that people of a language get. */
export interface PersonNames {
  readonly first: Readonly<Record<Gender, readonly string[]>>
  readonly last: readonly string[]
}

/** Selects the names that people get: those that the language's file lists, and otherwise Faker's. */
export function personNames(
  { gendered, female, male, family }: LanguageSource['people'],
  { first_name, last_name }: NonNullable<LocaleDefinition['person']>,
): PersonNames {
  const first = {
    female: gendered ? Object.keys(female ?? {}) : [],
    male: gendered ? Object.keys(male ?? {}) : [],
    unknown: gendered ? [] : (first_name?.generic ?? []),
  }
  if (gendered && !female) first.female = [...(first_name?.female ?? [])]
  if (gendered && !male) first.male = [...(first_name?.male ?? [])]
  return { first, last: family ? Object.keys(family) : (last_name?.generic ?? []) }
}

const accents = /\p{Mn}/gu
const notPlain = /[^a-z]/g

/** Creates a function that draws a person. */
export function createPersonDraw(
  people: LanguageSource['people'],
  { first: firstNames, last: lastNames }: PersonNames,
) {
  const { gendered, full_name } = people
  const latin = createSpelling(people)
  return (random: Random): Person => {
    const gender = !gendered ? 'unknown' : random.chance(0.5) ? 'female' : 'male'
    const firstName = random.pick(firstNames[gender])
    const lastName = random.pick(lastNames)
    const fullName = full_name.replace('{first_name}', firstName).replace('{last_name}', lastName)
    const [first, last] = [latin(firstName), latin(lastName)]
    const local = random.pick([
      `${first}.${last}`,
      `${first}${last}`,
      `${first[0]}.${last}`,
      `${first}_${last}`,
    ])
    const address = random.chance(0.6)
      ? `${local}${random.integer(1, 99)}@${random.pick(people.providers)}`
      : `${local}@${random.pick(people.companies)}.example`
    return { firstName, lastName, fullName, gender, address }
  }
}

/** Creates a function that writes a name in letters a to z, as the file spells it or without accents: `francois`. */
function createSpelling({ spelling = {}, female, male, family }: LanguageSource['people']) {
  const spelt: Readonly<Record<string, string>> = { ...family, ...female, ...male }
  return (name: string): string =>
    spelt[name] ??
    replaceLetters(name.toLowerCase(), spelling)
      .normalize('NFD')
      .replace(accents, '')
      .toLowerCase()
      .replace(notPlain, '')
}

/** Replaces characters other than a to z according to a table. */
function replaceLetters(text: string, table: Readonly<Record<string, string>>): string {
  return text.replace(/[^a-z]/g, (letter) => table[letter] ?? letter)
}
