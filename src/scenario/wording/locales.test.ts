import { expect, it } from 'vitest'
import { MailboxStore } from '../../model/index.js'
import { loadScenario, type ScenarioInput } from '../index.js'
import { createWordings } from './locales.js'

const load = (scenario: Partial<ScenarioInput>) => loadScenario({ scenario: 'languages', ...scenario })

it('reads the kinds of mail of a language when they are asked for', async () => {
  const wordingOf = createWordings(7, 0)
  const german = await wordingOf('de')
  expect(await wordingOf('de')).toBe(german)
  expect((await german.kinds()).length).toBeGreaterThan(10)
  await expect(wordingOf('tlh')).rejects.toThrow('There are no letters in "tlh"')
})

it("writes an identity's mail in its own language, and leaves the others as they were", async () => {
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
