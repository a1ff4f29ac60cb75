import { describe, expect, it } from 'vitest'
import { createRandom } from '../../world/random.js'
import { storyKinds } from './index.js'
import type { Body, Person, Setting, Story, StoryKind } from './story.js'

const SEEDS = [1, 2, 3, 7, 41, 2026, 90_210, 123_456_789]
const INDEXES = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const FIXTURES = [
  'invoice.pdf',
  'receipt.pdf',
  'screenshot.png',
  'logo.png',
  'orders.csv',
  'error-log.txt',
  'meeting.ics',
]
const BROKEN = /undefined|null|NaN|\{\{|\}\}|\[object|\$\{|=>/
const REFERENCE = /\b[A-Z]{1,3}-(?:\d{4}-)?\d{4,}/g
const QUOTATION = /^(?:On (?<day>\w+, \d{1,2} \w+), )?(?<writer>.+) wrote:\n(?<lines>(?:>.*\n?)+)/m
const VOID_TAGS = new Set(['meta', 'br'])

// The names hold what HTML must escape, and an address for the person that no other address resembles.
const PEOPLE: readonly Person[] = [
  { firstName: 'Ann', lastName: 'Lee', address: 'ann.lee@mail.example' },
  { firstName: 'Siobhán', lastName: "O'Hara", address: 'siobhan@mail.example' },
  { firstName: 'Björn', lastName: 'Åkesson & Søn', address: 'bjorn@mail.example' },
]
const SETTING: Setting = {
  agentName: 'Desk <1>',
  agentAddress: 'support@agents.example',
  company: 'Smith & "Sons" <Ltd>',
  begins: 1_767_690_300_000,
  person: (random) => random.pick(PEOPLE),
}

function begin(kind: StoryKind, seed: number): Story {
  return kind.begin(createRandom(seed, `stories/${kind.name}`), SETTING)
}

function compose(story: Story, seed: number, index: number): Body {
  return story.compose(index, createRandom(seed, `messages/${index}`))
}

/** The words of a message, whichever form it has. */
function wordsOf(body: Body): string {
  return body.text ?? (body.html as string).replaceAll(/<[^>]*>/g, ' ')
}

/** Throws when the tags do not pair up, and returns the text between them. */
function textOfHtml(html: string): string {
  const open: string[] = []
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)(?: [^<>]*)?>/g)) {
    if (closing !== '') expect(open.pop(), `</${name}>`).toBe(name)
    else if (!VOID_TAGS.has(name)) open.push(name)
  }
  expect(open).toEqual([])
  return html.replace('<!doctype html>', '').replaceAll(/<\/?[a-z0-9]+(?: [^<>]*)?>/g, '')
}

function plainText(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

describe('the story kinds', () => {
  it('have kebab-case names of their own and weights above zero', () => {
    const names = storyKinds.map((kind) => kind.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(16)
    for (const kind of storyKinds) {
      expect(kind.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(kind.weight).toBeGreaterThan(0)
    }
  })

  it('are mostly conversations', () => {
    const sum = (kinds: readonly StoryKind[]) => kinds.reduce((total, kind) => total + kind.weight, 0)
    expect(sum(storyKinds.filter((kind) => kind.oneWay !== true))).toBeGreaterThan(sum(storyKinds) / 2)
  })

  it.each(storyKinds.filter((kind) => kind.oneWay !== true))('$name mostly writes text alone', (kind) => {
    const bodies = SEEDS.flatMap((seed) => INDEXES.map((index) => compose(begin(kind, seed), seed, index)))
    const withHtml = bodies.filter((body) => body.html !== null).length
    expect(withHtml).toBeGreaterThan(0)
    expect(withHtml).toBeLessThan(bodies.length / 2)
  })
})

describe.each(storyKinds)('$name', (kind) => {
  it.each(SEEDS)('writes whole sentences with seed %i', (seed) => {
    const story = begin(kind, seed)
    expect(story.subject).not.toBe('')
    expect(story.subject.length).toBeLessThanOrEqual(120)
    expect(story.subject).not.toMatch(BROKEN)
    expect(story.from.address).toMatch(/^[^@\s]+@[^@\s]+\.example$/)
    for (const index of [...INDEXES, 9, 14, 20]) {
      const body = compose(story, seed, index)
      expect(wordsOf(body).length).toBeGreaterThan(20)
      expect(`${body.text ?? ''}${body.html ?? ''}`).not.toMatch(BROKEN)
    }
  })

  it.each(SEEDS)('keeps to its numbers with seed %i', (seed) => {
    const story = begin(kind, seed)
    const opening = wordsOf(compose(story, seed, 0))
    for (const [reference] of story.subject.matchAll(REFERENCE)) expect(opening).toContain(reference)
  })

  it.each(SEEDS)('writes the same words in any order with seed %i', (seed) => {
    const forwards = begin(kind, seed)
    const backwards = begin(kind, seed)
    const first = INDEXES.map((index) => compose(forwards, seed, index))
    const second = INDEXES.toReversed().map((index) => compose(backwards, seed, index))
    expect(second.toReversed()).toEqual(first)
    expect(backwards.subject).toBe(forwards.subject)
  })

  it('tells different stories with different seeds', () => {
    const openings = new Set(SEEDS.map((seed) => wordsOf(compose(begin(kind, seed), seed, 0))))
    expect(openings.size).toBe(SEEDS.length)
  })

  it.each(SEEDS)('writes well-formed HTML with the words of the text with seed %i', (seed) => {
    const story = begin(kind, seed)
    for (const index of INDEXES) {
      const { text, html } = compose(story, seed, index)
      if (html === null) continue
      const inner = textOfHtml(html)
      expect(inner).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/)
      const firstLine = text?.split('\n')[0]
      if (firstLine !== undefined) expect(plainText(inner)).toContain(firstLine)
    }
  })

  it.each(SEEDS)('offers only files that exist, under plain names, with seed %i', (seed) => {
    const story = begin(kind, seed)
    for (const index of INDEXES) {
      const attachment = story.attachment?.(index, createRandom(seed, `files/${index}`))
      if (attachment === undefined) continue
      expect(FIXTURES).toContain(attachment.fixture)
      expect(attachment.filename).toMatch(/^[\w-]+\.\w+$/)
      expect(attachment.filename.split('.')[1]).toBe(attachment.fixture.split('.')[1])
    }
  })
})

describe.each(storyKinds.filter((kind) => kind.oneWay !== true))('$name as a conversation', (kind) => {
  it.each(SEEDS)('greets and signs with the right names with seed %i', (seed) => {
    const story = begin(kind, seed)
    const [firstName = ''] = story.from.name.split(' ')
    for (const index of INDEXES) {
      const text = (compose(story, seed, index).text ?? '').split(/^.* wrote:$/m)[0] as string
      if (index === 0 || index % 2 === 1) expect(text).toMatch(/^[A-Z].*,\n\n/)
      expect(text).toContain(firstName)
      if (index === 0) expect(text).toContain(story.from.name)
      if (index % 2 === 1)
        expect(text.trimEnd().endsWith(`${SETTING.agentName}\n${SETTING.company}`)).toBe(true)
    }
  })

  it('quotes what the other side wrote in the message before', () => {
    let quoted = 0
    for (const seed of SEEDS) {
      const story = begin(kind, seed)
      for (const index of INDEXES) {
        const match = QUOTATION.exec(compose(story, seed, index).text ?? '')?.groups
        if (match === undefined) continue
        quoted++
        expect(match['writer']).toBe(index % 2 === 1 ? story.from.name : SETTING.agentName)
        expect(match['day']).toBe(index === 1 ? 'Tuesday, 6 January' : undefined)
        const former = compose(story, seed, index - 1).text ?? ''
        for (const line of (match['lines'] as string).trimEnd().split('\n')) {
          expect(former).toContain(line.slice(2).replace('…', ''))
        }
      }
    }
    expect(quoted).toBeGreaterThan(SEEDS.length * 2)
  })
})
