import { describe, expect, it } from 'vitest'
import { createRandom } from '../../service/time/random.js'
import { loadLocale } from '../compile/wording.js'
import { compileTemplate, type Facts } from './template.js'

const { vocabulary } = (await loadLocale('de')).language
const facts: Facts = {
  order: 'NO-1',
  cents: 124_950,
  count: 3,
  gender: 'female',
  shop: { name: 'Grünkorb', domain: 'gruenkorb.example' },
  other: 'NO-1',
  begins: 1_767_690_300_000,
  goods: [{ name: 'Zelt' }, { name: 'Sack' }, { name: 'Stuhl' }],
}
const parts = { ...vocabulary.parts, link: 'https://{shop.domain}/{order}', loop: '{loop}' }

function fill(text: string): string {
  return String(compileTemplate(text, { ...vocabulary, parts })(facts))
}

describe('a template', () => {
  it.each([
    ['Order {order} from {shop.name}', 'Order NO-1 from Grünkorb'],
    ['{cents + 50 * 2:money}, {(cents + 50) * 2:money}', '1.250,50 €, 2.500,00 €'],
    ['{count * 1.5 - 0.5}', '4'],
    ['{begins:day} {begins + 3d - 2h:weekday} {begins:hour:00}', '6. Januar Freitag 09'],
    ['{gender ? male {Lieber} female {Liebe {order}} other {Hallo}}', 'Liebe NO-1'],
    ['{count ? 1 {one} 2..4 {a few} 5.. {many}}', 'a few'],
    ['{count + 90 ? 1 {one} other {{count} of them}}', '3 of them'],
    ['{order ? =other {same} other {different}}', 'same'],
    ['{order:lower:capital}', 'No-1'],
    ['See {link}.', 'See https://gruenkorb.example/NO-1.'],
    ['\\{no placeholder\\}', '{no placeholder}'],
  ])('renders %s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })

  it.each([
    ['{ordr}', 'there is no "ordr"; did you mean "order"?'],
    ['{shop.nam}', '"shop" has no "nam"; did you mean "name"?'],
    ['{order:capitl}', 'there is no format "capitl"; did you mean "capital"?'],
    ['{order', 'expected "}", found the end of the text'],
    ['{order}}', 'there is a "}" without a "{" before it'],
    ['{}', 'expected a name or a number, found "}"'],
    ['{gender ? }', 'expected a choice such as "female {ravie} other {ravi}", found "}"'],
    ['{6..1}', 'expected the smaller number first, found "6..1"'],
    ['{order:date}', 'expected a number or a time, found "NO-1"'],
    ['{1..6}', 'only facts are drawn; draw it under "facts" and mention that'],
    ['{goods}', '"goods" is a list; "any goods" is one of its items'],
    ['{any order}', '"order" is not a list'],
    ['{loop}', 'the part "loop" contains itself'],
  ])('is refused with %s', (text, message) => {
    expect(() => fill(text)).toThrow(message)
  })

  it('draws numbers, items, other items, and equal items for equal values', () => {
    const drawn = (text: string) =>
      Array.from({ length: 60 }, (_, seed) => {
        const template = compileTemplate(text, vocabulary)
        return template({ ...facts, first: facts['goods'] }, createRandom(seed, 'draws'))
      })
    expect(new Set(drawn('{2..4}'))).toEqual(new Set([2, 3, 4]))
    expect(new Set(drawn('{1..2d}'))).toEqual(new Set([86_400_000, 172_800_000]))
    for (const near of drawn('{100 * (0.85 + 0..0.3)}'))
      expect(Math.abs(Number(near) - 100)).toBeLessThanOrEqual(15)
    expect(new Set(drawn('{any goods}'))).toEqual(new Set(facts['goods'] as object[]))
    expect(new Set(drawn('{any goods by order}')).size).toBe(1)
    const [tent] = facts['goods'] as object[]
    const others = Array.from({ length: 60 }, (_, seed) => {
      const template = compileTemplate('{any goods but tent}', vocabulary)
      return template({ ...facts, tent }, createRandom(seed, 'draws'))
    })
    expect(others).not.toContain(tent)
    expect(new Set(others).size).toBe(2)
  })
})
