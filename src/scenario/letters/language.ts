import { formatInstant, formatMailDate } from '../../world/index.js'
import type { Path } from '../problems/problem.js'
import { KindCompiler, type LanguageBase, type Report } from './compiler.js'
import type { People } from './people.js'
import type { LanguageSource } from './schema.js'
import type { Conversion, Template, Vocabulary } from './template.js'

const day = 86_400_000
const accents = /\p{Mn}/gu
const notPlain = /[^a-z]/g

/** Creates what every template of a language may write after a colon, beside the language's own formats. */
function createConversions(language: LanguageSource): Readonly<Record<string, Conversion>> {
  const { weekdays, months, weekend } = language.calendar
  const { thousands, decimal, decimals } = language.numbers
  const weekday = (at: number): string => weekdays[weekdayOf(at)] as string
  const workday =
    (step: number) =>
    (at: number): number =>
      weekend.includes(weekday(at)) ? workday(step)(at + step) : at
  const { spelling = {}, female, male, family } = language.people
  const spelt: Readonly<Record<string, string>> = { ...family, ...female, ...male }
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
    capital: (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    lower: (text) => text.toLowerCase(),
    initial: (text) => text.charAt(0),
    initials: (text) => text.replace(/[^A-Z]/g, '').slice(0, 2) || 'OR',
    domain: (address) => address.slice(address.lastIndexOf('@') + 1),
    stem: (name) => name.replace(/\..*/, ''),
    latin: (name) => spelt[name] ?? plainLetters(replaceLetters(name.toLowerCase(), spelling)),
  }
  for (const [name, table] of Object.entries(language.tables)) {
    textual[name] = (text) => replaceLetters(text, table)
  }
  return {
    ...mapped(numeric, (convert) => (value) => convert(Number(value))),
    ...mapped(textual, (convert) => (value) => convert(String(value))),
  }
}

function mapped<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** The number of two digits at a place of an ISO date. */
function partOfDate(at: number, place: number): number {
  return Number(formatInstant(at).slice(place, place + 2))
}

/** The day of the week; 0 is Sunday. The epoch began on a Thursday. */
function weekdayOf(at: number): number {
  return (((Math.floor(at / day) + 4) % 7) + 7) % 7
}

/** Writes a number of smallest units, e.g. `1.249,50` for 124950 with two decimals. */
function formatAmount(value: number, thousands: string, decimal: string, decimals: number): string {
  const digits = String(Math.round(value)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, thousands)
  return decimals === 0 ? whole : `${whole}${decimal}${digits.slice(-decimals)}`
}

function replaceLetters(text: string, table: Readonly<Record<string, string>>): string {
  return text.replace(/[^a-z]/g, (letter) => table[letter] ?? letter)
}

/** A name in plain letters, accents dropped, e.g. `francois` for `François`. */
function plainLetters(name: string): string {
  return name.normalize('NFD').replace(accents, '').toLowerCase().replace(notPlain, '')
}

/** A language: its file, and what all kinds of mail in it are compiled with. */
export interface Language extends LanguageBase {
  readonly style: Style
  readonly people: People
  /** What people still write about once everything is settled: questions and answers. */
  readonly furtherTopics: readonly (readonly [question: Wordings, answer: Wordings])[]
}

/** Letters of which one is chosen, each of paragraphs. */
export type Wordings = readonly (readonly Template[])[]
type Compiled<Source> = Source extends string
  ? Template
  : { readonly [Key in keyof Source]: Compiled<Source[Key]> }
type Style = Compiled<Pick<LanguageSource, 'greetings' | 'closings' | 'quotes'>> & {
  readonly signatures: Compiled<Omit<LanguageSource['signatures'], 'blank_line'>>
}

/** Compiles a language; with a problem reported, it is not to be used. */
export function compileLanguage(source: LanguageSource, report: Report): Language {
  const agent = { agent_name: '', agent_address: '', company: '', begins: 0 }
  const conversions = createConversions(source)
  const people: People = { ...source.people, latin: (name) => String(conversions['latin']?.(name)) }
  const vocabulary: Vocabulary = {
    samples: { ...source.lists, ...agent, writer: '', titles: '' },
    conversions,
    formats: source.formats,
    parts: source.parts,
    draws: false,
  }
  const language = { source, vocabulary, people } as Language
  const compiler = new KindCompiler(language, { opening: [], facts: {}, parts: {} } as never, report)
  const all = <Texts extends object>(texts: Texts, path: Path): Compiled<Texts> =>
    Object.fromEntries(
      Object.entries(texts).map(([key, value]) => {
        const place = [...path, key]
        return [
          key,
          Array.isArray(value) ? compiler.templates(value, place) : compiler.template(value, place),
        ]
      }),
    ) as Compiled<Texts>
  const { blank_line: _, ...signatures } = source.signatures
  return Object.assign(language, {
    style: {
      greetings: all(source.greetings, ['greetings']),
      closings: all(source.closings, ['closings']),
      quotes: all(source.quotes, ['quotes']),
      signatures: all(signatures, ['signatures']),
    },
    furtherTopics: source.further_topics.map(
      ({ question, answer }, index) =>
        [
          compiler.wordings(question, ['further_topics', index, 'question']),
          compiler.wordings(answer, ['further_topics', index, 'answer']),
        ] as const,
    ),
  })
}
