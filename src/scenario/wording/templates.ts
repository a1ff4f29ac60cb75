import { createRandom, type Random } from '../../world/index.js'
import { drawPerson } from '../stories/people.js'
import type { Person } from '../stories/story.js'
import { createFaker, type FakerWords } from './faker.js'

/** Fills Faker templates; each value comes from the stream of its own path. */
export interface Templates {
  /** `"{{person.fullName}} {{string.numeric(6)}}"` with its values. @throws Error for an unknown template */
  fill(template: string, path: string): string
  /** Somebody who writes from outside, drawn from a stream. */
  person(random: Random): Person
}

/** Makes the templates of a scenario in one language; Faker's own dates are relative to the story's start. */
export function createTemplates(seed: number, start: number, words: FakerWords): Templates {
  let stream: Random = createRandom(seed, 'templates')
  const faker = createFaker(words, start, { stream: () => stream })
  const { people } = words.language
  const names = people.names(words.faker.rawDefinitions.person ?? {})
  return {
    fill(template, path) {
      if (!template.includes('{{')) return template
      stream = createRandom(seed, path)
      return faker.helpers.fake(template)
    },
    person: (random) => drawPerson(people, names, random),
  }
}
