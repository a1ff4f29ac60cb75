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

/** How the people of a language are named and where they have their mailboxes. */
export type People = LanguageSource['people'] & {
  /** Writes a name in plain letters a to z, for the local part of an address. */
  readonly latin: (name: string) => string
}

/** Draws somebody of a language; names that its file does not list are Faker's. */
export function createPersonDraw(people: People, { first_name, last_name }: FakerNames) {
  const { gendered, full_name } = people
  const female = people.female ? Object.keys(people.female) : (first_name?.female ?? [])
  const male = people.male ? Object.keys(people.male) : (first_name?.male ?? [])
  const family = people.family ? Object.keys(people.family) : (last_name?.generic ?? [])
  const generic = first_name?.generic ?? []
  return (random: Random): Person => {
    const gender = !gendered ? 'unknown' : random.chance(0.5) ? 'female' : 'male'
    const firstName = random.pick({ female, male, unknown: generic }[gender])
    const lastName = random.pick(family)
    const fullName = full_name.replace('{first_name}', firstName).replace('{last_name}', lastName)
    return { firstName, lastName, fullName, gender, address: addressOf(people, firstName, lastName, random) }
  }
}

function addressOf(people: People, firstName: string, lastName: string, random: Random): string {
  const [first, last] = [people.latin(firstName), people.latin(lastName)]
  const local = random.pick([
    `${first}.${last}`,
    `${first}${last}`,
    `${first[0]}.${last}`,
    `${first}_${last}`,
  ])
  return random.chance(0.6)
    ? `${local}${random.integer(1, 99)}@${random.pick(people.providers)}`
    : `${local}@${random.pick(people.companies)}.example`
}
