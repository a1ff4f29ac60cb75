import { formatInstant, formatMailDate } from '../../world/index.js'
import type { Path } from '../problems/problem.js'
import { type LanguageBase, LetterCompiler, type Report, type Topic } from './compiler.js'
import { createSpelling, replaceLetters } from './people.js'
import type { LanguageSource } from './schema.js'
import type { Conversion, Template, Vocabulary } from './template.js'

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
    capital: (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    lower: (text) => text.toLowerCase(),
    initial: (text) => text.charAt(0),
    initials: (text) => text.replace(/[^A-Z]/g, '').slice(0, 2) || 'OR',
    domain: (address) => address.slice(address.lastIndexOf('@') + 1),
    stem: (name) => name.replace(/\..*/, ''),
    latin: createSpelling(language.people),
    ...mapped(language.tables, (table) => (text) => replaceLetters(text, table)),
  }
  return {
    ...mapped(numeric, (convert) => (value) => convert(Number(value))),
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
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, thousands)
  return decimals === 0 ? whole : `${whole}${decimal}${digits.slice(-decimals)}`
}

/** A compiled language. */
export interface Language extends LanguageBase {
  readonly style: Compiled<Pick<LanguageSource, 'greetings' | 'closings' | 'quotes' | 'signatures'>>
  /** Topics that people write about after the kind's own topics: questions and answers. */
  readonly furtherTopics: readonly Topic[]
}

type Compiled<Source> = Source extends string
  ? Template
  : Source extends boolean
    ? Source
    : { readonly [Key in keyof Source]: Compiled<Source[Key]> }

/** Compiles a language; the result must not be used if a problem was reported. */
export function compileLanguage(source: LanguageSource, report: Report): Language {
  const agent = { agent_name: '', agent_address: '', company: '', begins: 0 }
  const vocabulary: Vocabulary = {
    samples: { ...source.lists, ...agent, writer: '', titles: '' },
    conversions: createConversions(source),
    formats: source.formats,
    parts: source.parts,
    draws: false,
  }
  const compiler = new LetterCompiler({ source, vocabulary }, report)
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
  return { source, vocabulary, style, furtherTopics }
}
