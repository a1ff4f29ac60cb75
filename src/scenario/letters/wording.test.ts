import { describe, expect, it } from 'vitest'
import { MailboxStore } from '../../model/index.js'
import { createRandom } from '../../world/index.js'
import { loadScenario, type ScenarioInput } from '../index.js'
import { locales } from './shipped.js'
import { createWordings, type Wording } from './wording.js'

const START = 1_767_690_300_000
const PEOPLE = 300

function templatesOf(locale: string, seed = 7): Promise<Wording> {
  return createWordings(seed, START)(locale)
}

function peopleOf(templates: Wording) {
  return Array.from({ length: PEOPLE }, (_, index) => templates.person(createRandom(3, `people/${index}`)))
}

describe.each(locales)('templates in %s', (locale) => {
  it('have a value for each path, regardless of earlier values', async () => {
    const [one, other, seeded] = [
      await templatesOf(locale),
      await templatesOf(locale),
      await templatesOf(locale, 8),
    ]
    other.fill('{{lorem.paragraph}}', 'elsewhere')
    const template = '{{person.fullName}} <{{internet.email}}> {{date.recent}} {{string.numeric(6)}}'
    const filled = one.fill(template, 'a/b')
    expect(other.fill(template, 'a/b')).toBe(filled)
    expect(one.fill(template, 'a/c')).not.toBe(filled)
    expect(seeded.fill(template, 'a/b')).not.toBe(filled)
    expect(filled).toMatch(/2026/)
  })

  it.each(['past', 'recent', 'betweens', 'birthdate'])(
    'format {{date.%s}} the same in every time zone',
    async (name) => {
      const iso = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
      const template =
        name === 'betweens'
          ? '{{date.betweens({"from":"2026-01-01","to":"2026-02-01"})}}'
          : `{{date.${name}}}`
      const filled = (await templatesOf(locale)).fill(template, 'a')
      expect(filled).toMatch(new RegExp(`^${iso}(,${iso})*$`))
    },
  )

  it('leave other texts unchanged and refuse unknown Faker methods', async () => {
    const templates = await templatesOf(locale)
    expect(templates.fill('Just { this }', 'a')).toBe('Just { this }')
    expect(() => templates.fill('{{person.fulName}}', 'a')).toThrow('fulName')
  })

  it('name people with plain addresses at reserved domains', async () => {
    const people = peopleOf(await templatesOf(locale))
    for (const { fullName, firstName, lastName, address } of people) {
      expect(fullName).toContain(firstName)
      expect(fullName).toContain(lastName)
      expect(address).toMatch(/^[a-z]+[._]?[a-z]+\d{0,2}@[a-z-]+\.example$/)
    }
    expect(new Set(people.map(({ fullName }) => fullName)).size).toBeGreaterThan(PEOPLE / 2)
  })
})

describe('people and mailboxes', () => {
  it.each([
    ['en', /^[\p{Script=Latin}' -]+$/u],
    ['de', /^[\p{Script=Latin}' .-]+$/u],
    ['fr', /^[\p{Script=Latin}' .-]+$/u],
  ] as const)('have names in the script of %s', async (locale, letters) => {
    for (const { fullName } of peopleOf(await templatesOf(locale))) expect(fullName).toMatch(letters)
  })

  it('never have a real provider', async () => {
    for (const locale of locales) {
      const templates = await templatesOf(locale)
      for (let index = 0; index < 40; index++) {
        expect(templates.fill('{{internet.email}}', `mail/${index}`)).toMatch(/^[\w.'-]+@[a-z-]+\.example$/)
      }
    }
  })

  it('have addresses with transcribed umlauts in German and without accents in French', async () => {
    const [german, french] = [peopleOf(await templatesOf('de')), peopleOf(await templatesOf('fr'))]
    const umlaut = german.find(({ lastName }) => lastName.includes('ü'))
    expect(umlaut?.address).toContain(umlaut?.lastName.toLowerCase().replaceAll('ü', 'ue'))
    const accent = french.find(({ firstName, address }) => firstName.endsWith('é') && address.length > 0)
    expect(accent?.address).toContain(accent?.firstName.toLowerCase().replaceAll('é', 'e'))
  })

  it('have a gender in German and French', async () => {
    for (const locale of ['de', 'fr'] as const) {
      const genders = new Set(peopleOf(await templatesOf(locale)).map(({ gender }) => gender))
      expect(genders).toEqual(new Set(['female', 'male']))
    }
  })
})

const load = (scenario: Partial<ScenarioInput>) => loadScenario({ scenario: 'languages', ...scenario })

it('loads the kinds of mail of a language on request', async () => {
  const wordingOf = createWordings(7, 0)
  const german = await wordingOf('de')
  expect(await wordingOf('de')).toBe(german)
  expect((await german.kinds()).length).toBeGreaterThan(10)
  await expect(wordingOf('tlh')).rejects.toThrow('There is no generated mail in "tlh"')
})

it('generates the mail of an identity in its language without effect on others', async () => {
  const mailOf = async (locale: string) => {
    const thread = {
      subject: '{{date.month}} {{person.jobTitle}}',
      messages: [{ at: '-1d', text: '{{date.weekday}}' }],
    }
    const { base } = await load({
      identities: [
        { handle: 'support', threads: [thread], generate: { threads: 30, kinds: ['support'] } },
        { handle: 'other', locale, threads: [thread], generate: { threads: 30, kinds: ['support'] } },
      ],
    })
    const store = new MailboxStore(base)
    const [support, other] = [...store.all('identity')]
    const textOf = (id: string | undefined) =>
      [...store.all('message')]
        .filter((message) => message.identity_id === id)
        .map((message) => `${message.subject} ${message.from} ${store.bodyOf(message).text}`)
    return { support: textOf(support?.id), other: textOf(other?.id) }
  }
  const [english, german] = [await mailOf('en'), await mailOf('de')]
  expect(german.support).toEqual(english.support)
  expect(german.other[0]).toMatch(/Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag/)
  expect(
    german.other.filter((text) => /\b(?:der|die|das|ich|nicht|Sie)\b/.test(text)).length,
  ).toBeGreaterThan(30)
  expect(english.other.filter((text) => /\b(?:und|nicht|Sie)\b/.test(text))).toEqual([])
})
