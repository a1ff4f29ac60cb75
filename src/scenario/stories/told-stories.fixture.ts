import { createRandom } from '../../world/random.js'
import { expected as arabic } from './ar/expected-letters.fixture.js'
import { stories as arabicStories } from './ar/index.js'
import { expected as german } from './de/expected-letters.fixture.js'
import { stories as germanStories } from './de/index.js'
import { expected as english } from './en/expected-letters.fixture.js'
import { stories as englishStories } from './en/index.js'
import type { ExpectedLetters } from './expected-letters.fixture.js'
import { expected as french } from './fr/expected-letters.fixture.js'
import { stories as frenchStories } from './fr/index.js'
import { expected as japanese } from './ja/expected-letters.fixture.js'
import { stories as japaneseStories } from './ja/index.js'
import type { Language, LanguageStories } from './language.js'
import { expected as portuguese } from './pt_br/expected-letters.fixture.js'
import { stories as portugueseStories } from './pt_br/index.js'
import type { Body, Gender, Person, Setting, Story, StoryKind } from './story.js'

/** Every language with what tests look for in it. */
export const languages: readonly (readonly [name: string, LanguageStories, ExpectedLetters])[] = [
  ['English', englishStories, english],
  ['German', germanStories, german],
  ['French', frenchStories, french],
  ['Japanese', japaneseStories, japanese],
  ['Arabic', arabicStories, arabic],
  ['Portuguese', portugueseStories, portuguese],
]

/** What threads and messages are drawn from. */
export const seeds = [1, 2, 3, 7, 41, 2026, 90_210, 123_456_789]
/** The messages of a thread that are looked at. */
export const indexes = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** When every thread begins. */
export const tuesday = 1_767_690_300_000

/** Who writes: the names hold what HTML must escape, and no other address resembles theirs. */
export const people: readonly (readonly [first: string, last: string, Gender, address: string])[] = [
  ['Ann', 'Lee', 'female', 'ann.lee@mail.example'],
  ['Siobhán', "O'Hara", 'unknown', 'siobhan@mail.example'],
  ['Björn', 'Åkesson & Søn', 'male', 'bjorn@mail.example'],
]

/** Where the stories take place. */
export function settingOf({ people: naming }: Language): Setting {
  return {
    agentName: 'Desk <1>',
    agentAddress: 'support@agents.example',
    company: 'Smith & "Sons" <Ltd>',
    begins: tuesday,
    person: (random): Person => {
      const [firstName, lastName, gender, address] = random.pick(people)
      return { firstName, lastName, fullName: naming.fullName(firstName, lastName), gender, address }
    },
  }
}

/** A message of a story, from its own stream. */
export function compose(story: Story, seed: number, index: number): Body {
  return story.compose(index, createRandom(seed, `messages/${index}`))
}

/** A story of a kind, from its own stream. */
export function begin(kind: StoryKind, language: Language, seed: number): Story {
  return kind.begin(createRandom(seed, `stories/${kind.name}`), settingOf(language))
}

/** The words of a message, whichever form it has. */
export function wordsOf(body: Body): string {
  return body.text ?? (body.html as string).replaceAll(/<[^>]*>/g, ' ')
}
