import { createRandom } from '../../world/random.js'
import type { LanguageStories } from './language.js'
import { drawPerson, type FakerNames } from './people.js'
import type { Body, Person, Story, StoryKind } from './story.js'

/** One thread with all that tests of a language want to know about it. */
export interface WrittenThread {
  readonly kind: StoryKind
  readonly story: Story
  /** Whoever was drawn to write from outside; announcements may have drawn nobody. */
  readonly person: Person | undefined
  readonly messages: readonly WrittenMessage[]
}

/** One message, without what it quotes. */
export interface WrittenMessage extends Body {
  readonly inbound: boolean
  /** The text, or the words of the HTML where there is nothing else. */
  readonly words: string
}

const AGENT = 'Northwind Desk'
const COMPANY = 'Northwind'
const TUESDAY = 1_767_690_300_000
const MESSAGES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

/** Writes threads of every kind of a language, `count` of each, to the people it draws itself. */
export function writeThreads(stories: LanguageStories, faker: FakerNames, count: number): WrittenThread[] {
  const seeds = Array.from({ length: count }, (_, seed) => seed)
  return stories.kinds.flatMap((kind) => seeds.map((seed) => writeThread(stories, faker, kind, seed)))
}

function writeThread(
  { language }: LanguageStories,
  faker: FakerNames,
  kind: StoryKind,
  seed: number,
): WrittenThread {
  const names = language.people.names(faker)
  let person: Person | undefined
  const story = kind.begin(createRandom(seed, kind.name), {
    agentName: AGENT,
    agentAddress: 'desk@agents.example',
    company: COMPANY,
    begins: TUESDAY,
    person: (random) => {
      person = drawPerson(language.people, names, random)
      return person
    },
  })
  const messages = MESSAGES.map((index): WrittenMessage => {
    const body = story.compose(index, createRandom(seed, `${kind.name}/${index}`))
    const writer = index % 2 === 1 ? story.from.name : AGENT
    const quotation = language.quotes(writer, index === 1 ? TUESDAY : null)
    const [text = ''] = (body.text ?? textOf(body.html as string)).split(quotation)
    return { ...body, words: text.trimEnd(), inbound: kind.oneWay === true || index % 2 === 0 }
  })
  return { kind, story, person, messages }
}

/** What somebody wrote in words: without addresses, links, references and the names of the agent's side. */
export function proseOf(words: string): string {
  return words
    .replaceAll(/https?:\/\/\S+|[\w.+-]+@[\w.-]+/g, ' ')
    .replaceAll(/[A-Z]+-[\d-]+|\bPX\d+/g, ' ')
    .replaceAll(AGENT, ' ')
    .replaceAll(COMPANY, ' ')
}

/** How much of a text's letters belongs to a script, from 0 to 1. */
export function shareOf(script: RegExp, text: string): number {
  const letters = text.match(/\p{L}/gu) ?? []
  return letters.filter((letter) => script.test(letter)).length / letters.length
}

function textOf(html: string): string {
  return html.replaceAll(/<title>[^<]*<\/title>|<[^>]*>/g, ' ').trim()
}
