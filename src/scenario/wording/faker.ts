import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { formatInstant, type Random, shownInUtc } from '../../world/index.js'
import type { Language } from '../letters/language.js'
import { createPersonDraw } from './people.js'

/** A language's Faker, shared by everybody, and how its people are named. */
export interface FakerWords {
  readonly faker: Faker
  readonly language: Language
}

/** Where a Faker draws from; it asks for the stream each time, so another may take its place. */
export interface FakerSource {
  stream(): Random
  /** What `faker.seed(…)` does. */
  seed?(seed: number | number[]): void
}

/** A Faker of its own in one language; its dates are relative to the story's start. */
export function createFaker(
  { faker: shared, language }: FakerWords,
  start: number,
  source: FakerSource,
): Faker {
  const person = createPersonDraw(language.people, shared.rawDefinitions.person ?? {})
  // Every Faker has its own randomizer, so the shared instance only gives its class and its words.
  const faker: Faker = new (shared.constructor as typeof Faker)({
    locale: definitionsOf(shared, language),
    randomizer: { next: () => source.stream().next(), seed: (seed) => source.seed?.(seed) },
  })
  faker.setDefaultRefDate(formatInstant(start))
  showDatesAlike(faker)
  if (language.source.tag !== undefined) {
    // Faker itself would write names without Latin letters as their code points.
    faker.internet.username = () => person(source.stream()).address.replace(/@.*/, '')
  }
  return faker
}

/** Has dates show themselves as ISO 8601 UTC: as text they would be in the zone of whatever machine it is. */
function showDatesAlike({ date }: Faker): void {
  for (const [name, method] of Object.entries(date)) {
    if (typeof method !== 'function') continue
    const shown = (...given: unknown[]) => shownInUtc(method(...given))
    Object.assign(date, { [name]: shown })
  }
}

/** Faker's words, with `internet.email` kept to mailboxes that cannot exist. */
function definitionsOf({ rawDefinitions }: Faker, { people }: Language): LocaleDefinition {
  return { ...rawDefinitions, internet: { ...rawDefinitions.internet, free_email: [...people.providers] } }
}
