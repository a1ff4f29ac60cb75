import type { Wording } from './locales.js'

/** Thrown where a scenario that was built without Faker's words turns out to want some. */
export class WordsWanted extends Error {
  override readonly name = 'WordsWanted'

  constructor() {
    super('A scenario wants words of a language that is not loaded.')
  }
}

/** The wording of scenarios that generate no mail: all that is asked of it, most of them have written. @throws WordsWanted */
export const withoutWords: Wording = {
  kinds: [],
  templates: {
    fill(template) {
      if (template.includes('{{')) throw new WordsWanted()
      return template
    },
    person() {
      throw new WordsWanted()
    },
  },
}
