import type { LocaleDefinition } from '@faker-js/faker'
import type { Random } from '../../world/index.js'
import type { LanguageSource } from './schema.js'

/** The grammatical gender; `unknown` in languages where names do not tell. */
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

/** First and family names in the definitions of a Faker locale. */
type FakerNames = Pick<NonNullable<LocaleDefinition['person']>, 'first_name' | 'last_name'>

const accents = /\p{Mn}/gu
const notPlain = /[^a-z]/g

/** Creates a function that draws a person; names that the language's file does not list come from Faker. */
export function createPersonDraw(people: LanguageSource['people'], { first_name, last_name }: FakerNames) {
  const { gendered, full_name } = people
  const latin = createSpelling(people)
  const female = people.female ? Object.keys(people.female) : (first_name?.female ?? [])
  const male = people.male ? Object.keys(people.male) : (first_name?.male ?? [])
  const family = people.family ? Object.keys(people.family) : (last_name?.generic ?? [])
  const generic = first_name?.generic ?? []
  return (random: Random): Person => {
    const gender = !gendered ? 'unknown' : random.chance(0.5) ? 'female' : 'male'
    const firstName = random.pick({ female, male, unknown: generic }[gender])
    const lastName = random.pick(family)
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
export function createSpelling({ spelling = {}, female, male, family }: LanguageSource['people']) {
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
export function replaceLetters(text: string, table: Readonly<Record<string, string>>): string {
  return text.replace(/[^a-z]/g, (letter) => table[letter] ?? letter)
}
