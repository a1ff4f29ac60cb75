import type { Faker } from '@faker-js/faker'
import { createRandom, formatInstant } from '../../world/index.js'
import type { ScenarioContext } from '../define-scenario.js'
import { createFaker, type FakerWords } from '../wording/faker.js'
import type { Locale } from '../wording/locale-names.js'
import { loadLocale } from '../wording/locales.js'

/** What everything that the function of a scenario draws hangs on. */
export interface Roots {
  readonly seed: number
  /** The instant the story begins. */
  readonly start: number
  readonly locale: Locale
}

/** What the function of a scenario draws from. */
export async function createScenarioContext(roots: Roots): Promise<ScenarioContext> {
  const { seed, start } = roots
  const words = await loadLocale(roots.locale)
  return {
    faker: fakerOf(roots, words, 'faker'),
    fakerFor: (name) => fakerOf(roots, words, `faker/${name}`),
    seed,
    start: formatInstant(start),
  }
}

/** A Faker that draws from the stream of a path, or from another one of it once it is seeded. */
function fakerOf({ seed, start }: Roots, words: FakerWords, path: string): Faker {
  let stream = createRandom(seed, path)
  return createFaker(words, start, {
    stream: () => stream,
    seed(own) {
      stream = createRandom(seed, `${path}/seeds/${String(own)}`)
    },
  })
}
