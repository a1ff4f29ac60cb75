import type { LocaleDefinition } from '@faker-js/faker'
import type { Path } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { capitalized, grouped } from '../../base/text.js'
import { createRandom, type Random } from '../../service/time/random.js'
import { formatInstant, formatMailDate } from '../../service/time/time.js'
import type { ConversationSource, KindSource, LanguageSource } from './schema.js'
import {
  type Conversion,
  compileTemplate,
  type Facts,
  LetterError,
  renderText,
  type Template,
  type Vocabulary,
} from './template.js'

/** A file of fixtures/attachments under the name the sender gave it. */
export interface AttachmentChoice {
  readonly fixture: string
  readonly filename: string
}

/** The parts of a language that its letters are compiled with. */
interface LanguageBase {
  readonly source: LanguageSource
  readonly vocabulary: Vocabulary
}

/** The wordings of a question and of its answer. */
export type Topic = readonly [question: readonly Template[], answer: readonly Template[]]

/** What is wrong with a text of a language or of a kind of mail. */
export interface LetterProblem {
  readonly path: Path
  readonly message: string
}

/** Compiles the texts of a language or of a kind of mail, each when it is first used, since most of them never are. */
export class LetterCompiler {
  readonly #language: LanguageSource
  readonly #vocabulary: Vocabulary
  /** The texts with placeholders, and the facts in their order. */
  readonly #texts: { readonly path: Path; readonly template: Template }[] = []
  readonly #facts: { readonly name: string; readonly path: Path; readonly template: Template }[] = []

  constructor({ source, vocabulary }: LanguageBase, kind?: KindSource) {
    this.#language = source
    this.#vocabulary = { ...vocabulary, parts: { ...vocabulary.parts, ...kind?.parts } }
    this.#addFacts(kind?.facts ?? {}, (name) => ['facts', name])
  }

  /** Draws the facts of a thread in their order. */
  draw(facts: Facts, random: Random): void {
    for (const { name, template } of this.#facts) facts[name] = template(facts, random)
  }

  /** Returns the problems of all facts and texts, each filled in once. */
  problems(facts: Facts, random: Random): LetterProblem[] {
    const problems: LetterProblem[] = []
    const attempt = (path: Path, fill: () => unknown): unknown => {
      try {
        return fill()
      } catch (error) {
        if (!(error instanceof LetterError)) throw error
        problems.push({ path, message: error.message })
        return ''
      }
    }
    for (const { name, path, template } of this.#facts) {
      facts[name] = attempt(path, () => template(facts, random))
    }
    for (const { path, template } of this.#texts) attempt(path, () => template(facts))
    return problems
  }

  /** Compiles a text with placeholders. */
  template(text: string, path: Path): Template {
    const template = this.#compiled(text)
    this.#texts.push({ path, template })
    return template
  }

  /** Compiles alternative texts. */
  templates(texts: readonly string[], path: Path): readonly Template[] {
    return texts.map((text, index) => this.template(text, [...path, index]))
  }

  /** Compiles the wordings of a letter; `{ also: … }` refers to a shared list. */
  wordings(wordings: ConversationSource['opening'], path: Path): readonly Template[] {
    return wordings.flatMap((wording, index) => {
      const place = [...path, index]
      const texts = typeof wording === 'string' ? [wording] : this.#language.phrases[wording.also]
      if (texts) return texts.map((text) => this.template(text, place))
      const template = () => fail('there are no phrases of that name')
      this.#texts.push({ path: [...place, 'also'], template })
      return [template]
    })
  }

  /** Compiles questions with their answers. */
  topics(topics: ConversationSource['later'], path: Path): readonly Topic[] {
    return topics.map(({ question, answer }, index) => [
      this.wordings(question, [...path, index, 'question']),
      this.wordings(answer, [...path, index, 'answer']),
    ])
  }

  /** Creates a function that chooses a suitable file for a message. */
  attachments({ attachments }: Pick<ConversationSource, 'attachments'>) {
    const choices = attachments.map(({ in: messages, file, name }, index) => {
      return { messages, file, name: this.template(name, ['attachments', index, 'name']) }
    })
    return (facts: Facts, index: number, random: Random): AttachmentChoice | undefined => {
      const fitting = choices.filter(({ messages }) => messages === undefined || messages.includes(index + 1))
      const choice = fitting.length > 1 ? random.pick(fitting) : fitting[0]
      return choice && { fixture: choice.file, filename: renderText(choice.name, facts) }
    }
  }

  #compiled(text: string): Template {
    const compiled = once(() => compileTemplate(text.trimEnd(), this.#vocabulary))
    return (facts, random, value) => compiled()(facts, random, value)
  }

  #addFacts(facts: Readonly<Facts>, pathOf: (name: string) => Path): void {
    for (const [name, value] of Object.entries(facts)) {
      const path = pathOf(name)
      if (name !== 'with') {
        this.#facts.push({ name, path, template: this.#value(value) })
        continue
      }
      for (const group of [value].flat().map(String)) {
        const shared = this.#language.facts[group]
        if (shared) this.#addFacts(shared, () => path)
        else this.#facts.push({ name, path, template: () => fail(`there is no group of facts "${group}"`) })
      }
    }
  }

  /** Compiles a fact: a template, a list to draw from, or a map in such a list. */
  #value(value: unknown): Template {
    if (typeof value === 'string') return this.#compiled(value)
    if (typeof value !== 'object' || value === null) return () => value
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item))
      return (facts, random) => (random as Random).pick(items)(facts, random)
    }
    // The same object, so that `any … but` finds it in its list.
    if (Object.values(value).every((field) => !String(field).includes('{'))) return () => value
    const fields = Object.entries(value).map(([key, field]) => [key, this.#value(field)] as const)
    return (facts, random) => {
      return Object.fromEntries(fields.map(([key, template]) => [key, template(facts, random)]))
    }
  }
}

function fail(message: string): never {
  throw new LetterError(message)
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

/** A compiled language. */
export interface Language extends LanguageBase {
  readonly style: Compiled<Pick<LanguageSource, 'greetings' | 'closings' | 'quotes' | 'signatures'>>
  /** Topics that people write about after the kind's own topics: questions and answers. */
  readonly furtherTopics: readonly Topic[]
  /** Returns the problems of these texts, filled in with the facts of a thread. */
  problems(facts: Facts): LetterProblem[]
}

type Compiled<Source> = Source extends string
  ? Template
  : Source extends boolean
    ? Source
    : { readonly [Key in keyof Source]: Compiled<Source[Key]> }

/** Compiles a language; its texts are compiled when they are first used. */
export function compileLanguage(source: LanguageSource): Language {
  const { formats, parts } = source
  const vocabulary: Vocabulary = { conversions: createConversions(source), formats, parts }
  const compiler = new LetterCompiler({ source, vocabulary })
  const all = <Texts>(texts: Texts, path: Path): Compiled<Texts> => {
    if (typeof texts === 'string') return compiler.template(texts, path) as Compiled<Texts>
    if (typeof texts !== 'object' || texts === null) return texts as Compiled<Texts>
    if (Array.isArray(texts))
      return texts.map((text, index) => all(text, [...path, index])) as Compiled<Texts>
    const entries = Object.entries(texts).map(([key, value]) => [key, all(value, [...path, key])])
    return Object.fromEntries(entries)
  }
  const { greetings, closings, quotes, signatures } = source
  const style = all({ greetings, closings, quotes, signatures }, [])
  const furtherTopics = compiler.topics(source.further_topics, ['further_topics'])
  const problems = (facts: Facts) => compiler.problems(facts, createRandom(1, 'letters'))
  return { source, vocabulary, style, furtherTopics, problems }
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
