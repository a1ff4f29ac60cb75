import type { Random } from '../../world/random.js'
import type { Gender, Person } from './story.js'

type FakerList = readonly string[] | null | undefined

/** First and family names as Faker's definitions of a locale have them. */
export interface FakerNames {
  readonly first_name?: {
    readonly generic?: FakerList
    readonly female?: FakerList
    readonly male?: FakerList
  } | null
  readonly last_name?: { readonly generic?: FakerList } | null
}

/** Names to draw from; a language whose words need no gender has them all under `unknown`. */
export interface Names {
  readonly first: Readonly<Partial<Record<Gender, readonly string[]>>>
  readonly last: readonly string[]
}

/** How the people of a language are named and where they have their mailboxes. */
export interface People {
  /** Chooses among Faker's names. */
  names(faker: FakerNames): Names
  /** Both names in the order of the language, e.g. `佐藤 健`. */
  fullName(firstName: string, lastName: string): string
  /** Both names in plain letters a to z, for the local part of an address. */
  latin(firstName: string, lastName: string): readonly [first: string, last: string]
  /** Domains of mailbox providers, all under `.example`. */
  readonly providers: readonly string[]
  /** Second-level domains of firms, e.g. `oakline` for `oakline.example`. */
  readonly companies: readonly string[]
}

const ACCENTS = /\p{Mn}/gu
const NOT_PLAIN = /[^a-z]/g

/** Draws somebody of a language; the names have been chosen with `people.names`. */
export function drawPerson(people: People, { first, last }: Names, random: Random): Person {
  const gender = drawGender(first, random)
  const firstName = random.pick(first[gender] ?? [])
  const lastName = random.pick(last)
  return {
    firstName,
    lastName,
    fullName: people.fullName(firstName, lastName),
    gender,
    address: addressOf(people, people.latin(firstName, lastName), random),
  }
}

function drawGender(first: Names['first'], random: Random): Gender {
  if (first.unknown !== undefined) return 'unknown'
  return random.chance(0.5) ? 'female' : 'male'
}

function addressOf(people: People, [first, last]: readonly [string, string], random: Random): string {
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

/** A Latin name in plain letters, accents dropped, e.g. `francois` for `François`. */
export function plainLetters(name: string): string {
  return name.normalize('NFD').replace(ACCENTS, '').toLowerCase().replace(NOT_PLAIN, '')
}
