import { beforeEach, expect, it, vi } from 'vitest'
import { MailboxStore } from '../../model/index.js'
import type { ScenarioInput } from '../index.js'
import { type Locale, locales } from './locale-names.js'

const loaded = new Set<string>()

// Each module tells when it is loaded, and is then what it was.
beforeEach(() => {
  vi.resetModules()
  loaded.clear()
  for (const locale of locales) {
    const telling = (name: string) => (original: () => Promise<object>) => {
      loaded.add(`${locale} ${name}`)
      return original()
    }
    vi.doMock(`@faker-js/faker/locale/${locale}`, telling('words'))
    vi.doMock(`../stories/${locale.toLowerCase()}/index.js`, telling('stories'))
  }
})

async function load(scenario: Partial<ScenarioInput>) {
  const { loadScenario } = await import('../index.js')
  return loadScenario({ scenario: 'languages', ...scenario })
}

it('loads no language with the library itself', async () => {
  await import('../../index.js')
  expect([...loaded]).toEqual([])
})

it('loads nothing but English for a scenario that says nothing', async () => {
  await load({ identities: [{ handle: 'support', generate: { threads: 5 } }] })
  expect([...loaded].sort()).toEqual(['en stories', 'en words'])
})

it.each(locales)('loads nothing but %s for a scenario in it', async (locale) => {
  await load({ locale, identities: [{ handle: 'support', generate: { threads: 5 } }] })
  expect([...loaded].sort()).toEqual([`${locale} stories`, `${locale} words`])
})

it("loads the languages of a scenario's own identities and of other organizations'", async () => {
  await load({
    locale: 'de',
    identities: [
      { handle: 'support', generate: { threads: 1 } },
      { handle: 'aide', locale: 'fr' },
    ],
    organizations: [{ api_keys: ['k2'], identities: [{ handle: 'help', locale: 'en' }] }],
  })
  expect([...loaded].filter((name) => name.endsWith('words'))).toEqual(['de words', 'fr words', 'en words'])
})

it("writes an identity's mail in its own language, and leaves the others as they were", async () => {
  const mailOf = async (locale: Locale) => {
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
