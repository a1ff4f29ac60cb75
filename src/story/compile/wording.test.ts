import { describe, expect, it } from 'vitest'
import { MailboxStore } from '../../service/model/mailbox-store.js'
import { createRandom } from '../../service/time/random.js'
import { problemsOfKind } from '../letters/kinds.js'
import { createLanguage } from '../letters/language.js'
import { locales, shippedLetters } from '../letters/shipped.js'
import { loadScenario } from '../load.js'
import { createWordings, loadFaker, type Wording } from './wording.js'

const START = 1_767_690_300_000

function peopleOf({ person }: Wording) {
  return Array.from({ length: 300 }, (_, index) => person(createRandom(3, `people/${index}`)))
}

describe.each(locales)('the words of %s', async (locale) => {
  const wording = await createWordings(7, START)(locale)

  it('are filled in, which their users do only one by one', async () => {
    const letters = shippedLetters[locale]
    const language = createLanguage((await letters?.language()) as never)
    const kinds = Object.values((await letters?.kinds()) ?? {})
    expect(kinds.flatMap((kind) => problemsOfKind(language, kind))).toEqual([])
  })

  it('fill in a template by its path, regardless of earlier values', async () => {
    const [other, seeded] = [await createWordings(7, START)(locale), await createWordings(8, START)(locale)]
    await other.fill('{{lorem.paragraph}}', 'elsewhere')
    const template = '{{person.fullName}} <{{internet.email}}> {{date.recent}} {{string.numeric(6)}}'
    const filled = await wording.fill(template, 'a/b')
    expect(await other.fill(template, 'a/b')).toBe(filled)
    expect(await wording.fill(template, 'a/c')).not.toBe(filled)
    expect(await seeded.fill(template, 'a/b')).not.toBe(filled)
    expect(await wording.fill('Just { this }', 'a')).toBe('Just { this }')
    await expect(wording.fill('{{person.fulName}}', 'a')).rejects.toThrow('fulName')
  })

  it('write dates the same in every time zone', async () => {
    const iso = String.raw`2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const template = '{{date.recent}} {{date.betweens({"from":"2026-01-01","to":"2026-02-01"})}}'
    expect(await wording.fill(template, 'a')).toMatch(new RegExp(`^${iso} ${iso}(,${iso})*$`))
  })

  it('name people with plain addresses at reserved domains', async () => {
    const people = peopleOf(wording)
    for (const { fullName, firstName, lastName, address } of people) {
      expect(fullName).toContain(firstName)
      expect(fullName).toContain(lastName)
      expect(address).toMatch(/^[a-z]+[._]?[a-z]+\d{0,2}@[a-z-]+\.example$/)
    }
    expect(new Set(people.map(({ fullName }) => fullName)).size).toBeGreaterThan(150)
    for (let index = 0; index < 40; index++) {
      const address = await wording.fill('{{internet.email}}', `mail/${index}`)
      expect(address).toMatch(/^[\w.'-]+@[a-z-]+\.example$/)
    }
  })
})

it('spells German and French names without umlauts and accents, and knows the gender', async () => {
  const wordingOf = createWordings(7, START)
  for (const [locale, letter, spelt] of [
    ['de', 'ü', 'ue'],
    ['fr', 'é', 'e'],
  ] as const) {
    const people = peopleOf(await wordingOf(locale))
    const nameOf = ({ firstName, lastName }: (typeof people)[0]) => (locale === 'de' ? lastName : firstName)
    const found = people.find((person) => nameOf(person).slice(1).includes(letter)) as (typeof people)[0]
    expect(found.address).toContain(nameOf(found).toLowerCase().replaceAll(letter, spelt))
    expect(new Set(people.map(({ gender }) => gender))).toEqual(new Set(['female', 'male']))
  }
})

it('draws the names that Faker has where the file of a language lists none', async () => {
  const faker = (await loadFaker('en'))(START, { stream: () => createRandom(1, 'a') })
  const { first_name, last_name } = faker.rawDefinitions.person ?? {}
  for (const { firstName, lastName } of peopleOf(await createWordings(7, START)('en'))) {
    expect(first_name?.generic).toContain(firstName)
    expect(last_name?.generic).toContain(lastName)
  }
})

it('generates the mail of an identity in its language, without effect on others', async () => {
  const thread = { subject: '{{date.month}} {{person.jobTitle}}', messages: [{ text: '{{date.weekday}}' }] }
  const mailOf = async (locale: string) => {
    const generate = { threads: 30, kinds: ['support' as const] }
    const { base } = await loadScenario({
      scenario: 'languages',
      identities: [
        { handle: 'support', threads: [thread], generate },
        { handle: 'other', locale, threads: [thread], generate },
      ],
    })
    const store = new MailboxStore(base)
    return [...store.all('identity')].map(({ id }) =>
      [...store.all('message')]
        .filter((message) => message.identity_id === id)
        .map((message) => `${message.subject} ${message.from} ${store.bodyOf(message).text}`),
    )
  }
  const [english, german] = [await mailOf('en'), await mailOf('de')]
  expect(german[0]).toEqual(english[0])
  expect(german[1]?.[0]).toMatch(/Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag/)
  const isGerman = (text: string) => /\b(?:und|die|das|ich|nicht|Sie)\b/.test(text)
  expect(german[1]?.filter(isGerman).length).toBeGreaterThan(30)
  expect(english[1]?.filter(isGerman)).toEqual([])
})
