import { describe, expect, it } from 'vitest'
import type { Story } from './story.js'
import {
  begin,
  compose,
  indexes,
  languages,
  people,
  seeds,
  settingOf,
  tuesday,
} from './told-stories.fixture.js'

describe.each(languages)('conversations in %s', (_, { language, kinds }, expected) => {
  const conversations = kinds.filter((kind) => kind.oneWay !== true)

  describe.each(conversations)('$name', (kind) => {
    const introOf = (story: Story, index: number): string => {
      const writer = index % 2 === 1 ? story.from.name : settingOf(language).agentName
      return language.quotes(writer, index === 1 ? tuesday : null)
    }

    it.each(seeds)('greets and signs with the right names with seed %i', (seed) => {
      const story = begin(kind, language, seed)
      const nameOf = ([firstName, lastName]: (typeof people)[number]) =>
        language.people.fullName(firstName, lastName)
      const [first = '', last = ''] = people.find((person) => nameOf(person) === story.from.name) ?? []
      for (const index of indexes) {
        const { text } = compose(story, seed, index)
        const [letter = ''] = (text ?? '').split(introOf(story, index))
        if (index === 0 || index % 2 === 1) expect(letter.split('\n\n')[0]).toMatch(expected.greeting)
        expect(letter.includes(first) || letter.includes(last)).toBe(true)
        if (index === 0) expect(letter).toContain(story.from.name)
        if (index % 2 === 0) continue
        for (const name of ['Desk <1>', 'Smith & "Sons" <Ltd>']) {
          expect(letter.trimEnd().split('\n').slice(-4).join('\n')).toContain(name)
        }
      }
    })

    it('quotes what the other side wrote in the message before', () => {
      let quoted = 0
      for (const seed of seeds) {
        const story = begin(kind, language, seed)
        for (const index of indexes.slice(1)) {
          const { text } = compose(story, seed, index)
          const [, quotation] = (text ?? '').split(`${introOf(story, index)}\n`)
          if (quotation === undefined) continue
          quoted++
          const former = compose(story, seed, index - 1).text ?? ''
          for (const line of quotation.trimEnd().split('\n')) {
            expect(line).toMatch(/^>/)
            expect(former).toContain(line.slice(2).replace('…', ''))
          }
        }
      }
      expect(quoted).toBeGreaterThan(seeds.length * 2)
    })
  })
})
