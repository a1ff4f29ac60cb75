import type { LocaleDefinition } from '@faker-js/faker'
import type { Random } from '../../world/index.js'
import type { LanguageSource } from './schema.js'

/** What a language inflects its words by; names that tell nothing are `unknown`. */
type Gender = 'female' | 'male' | 'unknown'

/** Somebody who writes to the agent. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  /** Both names in the order of the language, e.g. `Ann Lee` or `佐藤 健`. */
  readonly fullName: string
  readonly gender: Gender
  readonly address: string
}

/** First and family names as Faker's definitions of a locale have them. */
type FakerNames = Pick<NonNullable<LocaleDefinition['person']>, 'first_name' | 'last_name'>

const accents = /\p{Mn}/gu
const notPlain = /[^a-z]/g

/** Creates what draws somebody of a language; names that its file does not list are Faker's. */
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

/** Creates what writes a name in letters a to z, as its file spells it or without accents: `francois` for `François`. */
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

/** Replaces what is no letter from a to z by what a table has for it. */
export function replaceLetters(text: string, table: Readonly<Record<string, string>>): string {
  return text.replace(/[^a-z]/g, (letter) => table[letter] ?? letter)
}
