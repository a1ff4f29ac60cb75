import { describe, expect, it } from 'vitest'
import { createRandom } from '../../world/random.js'
import { storyCategories } from './categories.js'
import type { StoryKind } from './story.js'
import { begin, compose, indexes, languages, seeds, tuesday, wordsOf } from './told-stories.fixture.js'

const FIXTURES = [
  'invoice.pdf',
  'receipt.pdf',
  'screenshot.png',
  'logo.png',
  'orders.csv',
  'error-log.txt',
  'meeting.ics',
]
const BROKEN = /undefined|\bnull\b|NaN|\{\{|\}\}|\[object|\$\{|=>/
const REFERENCE = /\b[A-Z]{1,3}-(?:\d{4}-)?\d{4,}/g
const VOID_TAGS = new Set(['meta', 'br'])

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

describe.each(languages)('the story kinds in %s', (_, { language, kinds }, expected) => {
  const conversations = kinds.filter((kind) => kind.oneWay !== true)

  it('have kebab-case names of their own and weights above zero', () => {
    const names = kinds.map((kind) => kind.name)
    expect(new Set(names).size).toBe(names.length)
    for (const kind of kinds) {
      expect(kind.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(kind.weight).toBeGreaterThan(0)
    }
  })

  it('are of every category, at least three of them of support, and mostly conversations', () => {
    expect(new Set(kinds.map(({ category }) => category))).toEqual(new Set(storyCategories))
    expect(kinds.length).toBeGreaterThanOrEqual(9)
    expect(kinds.filter(({ category }) => category === 'support').length).toBeGreaterThanOrEqual(3)
    const sum = (some: readonly StoryKind[]) => some.reduce((total, kind) => total + kind.weight, 0)
    expect(sum(conversations)).toBeGreaterThan(sum(kinds) / 2)
  })

  it('quote with a day where it is known', () => {
    const name = language.people.fullName('Ann', 'Lee')
    expect([language.quotes(name, tuesday), language.quotes(name, null)]).toEqual(expected.quotes)
  })

  it.each(conversations)('$name mostly writes text alone', (kind) => {
    const bodies = seeds.flatMap((seed) =>
      indexes.map((index) => compose(begin(kind, language, seed), seed, index)),
    )
    const withHtml = bodies.filter((body) => body.html !== null).length
    expect(withHtml).toBeGreaterThan(0)
    expect(withHtml).toBeLessThan(bodies.length / 2)
  })

  it('name amounts of money the way the language writes them', () => {
    const words = kinds.flatMap((kind) =>
      indexes.map((index) => wordsOf(compose(begin(kind, language, 7), 7, index))),
    )
    expect(words.filter((text) => expected.money.test(text)).length).toBeGreaterThan(3)
  })

  describe.each(kinds)('$name', (kind) => {
    it.each(seeds)('writes whole sentences of the language with seed %i', (seed) => {
      const story = begin(kind, language, seed)
      expect(story.subject).not.toBe('')
      expect(story.subject.length).toBeLessThanOrEqual(120)
      expect(story.subject).not.toMatch(BROKEN)
      expect(story.from.address).toMatch(/^[\w.+-]+@[\w.-]+\.example$/)
      for (const index of [...indexes, 9, 14, 20]) {
        const body = compose(story, seed, index)
        expect(wordsOf(body).length).toBeGreaterThan(20)
        expect(`${body.text ?? ''}${body.html ?? ''}`).not.toMatch(BROKEN)
        if (wordsOf(body).length > 200) expect(wordsOf(body)).toMatch(expected.own)
        if (kind.category !== 'bounces') expect(wordsOf(body)).not.toMatch(expected.foreign)
      }
    })

    it.each(seeds)('keeps to its numbers with seed %i', (seed) => {
      const story = begin(kind, language, seed)
      const opening = wordsOf(compose(story, seed, 0))
      for (const [reference] of story.subject.matchAll(REFERENCE)) expect(opening).toContain(reference)
    })

    it.each(seeds)('writes the same words in any order with seed %i', (seed) => {
      const forwards = begin(kind, language, seed)
      const backwards = begin(kind, language, seed)
      const first = indexes.map((index) => compose(forwards, seed, index))
      const second = indexes.toReversed().map((index) => compose(backwards, seed, index))
      expect(second.toReversed()).toEqual(first)
      expect(backwards.subject).toBe(forwards.subject)
    })

    it('tells different stories with different seeds', () => {
      const openings = new Set(seeds.map((seed) => wordsOf(compose(begin(kind, language, seed), seed, 0))))
      expect(openings.size).toBe(seeds.length)
    })

    it.each(seeds)('writes well-formed HTML with the words of the text with seed %i', (seed) => {
      const story = begin(kind, language, seed)
      for (const index of indexes) {
        const { text, html } = compose(story, seed, index)
        if (html === null) continue
        expect(/<html lang="([\w-]+)"/.exec(html)?.[1]).toBe(language.tag)
        expect(html.includes(' dir="rtl"')).toBe(language.rightToLeft === true)
        const inner = textOfHtml(html)
        expect(inner).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/)
        const firstLine = text?.split('\n')[0]
        if (firstLine !== undefined) expect(plainText(inner)).toContain(firstLine)
      }
    })

    it.each(seeds)('offers only files that exist, under plain names, with seed %i', (seed) => {
      const story = begin(kind, language, seed)
      for (const index of indexes) {
        const attachment = story.attachment?.(index, createRandom(seed, `files/${index}`))
        if (attachment === undefined) continue
        expect(FIXTURES).toContain(attachment.fixture)
        expect(attachment.filename).toMatch(/^[\p{L}\p{M}\p{N}_-]+\.\w+$/u)
        expect(attachment.filename.split('.')[1]).toBe(attachment.fixture.split('.')[1])
      }
    })
  })
})
