import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { createRandom, formatInstant, type Random } from '../world/index.js'
import type { Person } from './stories/story.js'

/** Fills Faker templates; each value comes from the stream of its own path. */
export interface Templates {
  /** `"{{person.fullName}} {{string.numeric(6)}}"` with its values. @throws Error for an unknown template */
  fill(template: string, path: string): string
  /** Somebody who writes from outside, drawn from a stream. */
  person(random: Random): Person
}

const companies = ['brightfield', 'oakline', 'harbourworks', 'lumenpost', 'fernhill', 'quillworks'] as const
const providers = ['mailbox.example', 'letterbox.example', 'inbox.example', 'postfach.example'] as const

/** Makes the templates of a scenario; Faker's own dates are relative to the story's start. */
export function createTemplates(seed: number, start: number): Templates {
  let stream: Random = createRandom(seed, 'templates')
  // Every Faker has its own randomizer, so the shared English instance only gives its class and its words.
  const randomizer = { next: () => stream.next(), seed: () => undefined }
  const faker: Faker = new (english.constructor as typeof Faker)({
    locale: english.rawDefinitions,
    randomizer,
  })
  faker.setDefaultRefDate(formatInstant(start))
  const { first_name: first, last_name: last } = english.rawDefinitions.person ?? {}
  const firstNames = first?.generic ?? []
  const lastNames = last?.generic ?? []
  return {
    fill(template, path) {
      if (!template.includes('{{')) return template
      stream = createRandom(seed, path)
      return faker.helpers.fake(template)
    },
    person(random) {
      const firstName = random.pick(firstNames)
      const lastName = random.pick(lastNames)
      return { firstName, lastName, address: addressOf(firstName, lastName, random) }
    },
  }
}

function addressOf(firstName: string, lastName: string, random: Random): string {
  const names = [firstName, lastName].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const [first, last] = names as [string, string]
  const local = random.pick([
    `${first}.${last}`,
    `${first}${last}`,
    `${first[0]}.${last}`,
    `${first}_${last}`,
  ])
  return random.chance(0.6)
    ? `${local}${random.integer(1, 99)}@${random.pick(providers)}`
    : `${local}@${random.pick(companies)}.example`
}
