import { describe, expect, it } from 'vitest'
import type { Body } from '../../service/model/base.js'
import { createRandom } from '../../service/time/random.js'
import { loadKinds, loadLocale } from '../compile/wording.js'
import type { GeneratedThread, MailKind } from './kinds.js'
import type { Language, Person } from './language.js'
import { attachmentFixtures, mailCategories } from './schema.js'
import { locales } from './shipped.js'
import { compileTemplate, renderText } from './template.js'

/** The expected letters of a language, in addition to the properties of all languages. */
interface ExpectedLetters {
  /** The first lines of a letter, up to the empty line. */
  readonly greeting: RegExp
  /** The line above a quote of Ann Lee from Tuesday, 6 January 2026, and from an unknown day. */
  readonly quotes?: readonly [day: string, noDay: string]
  /** Common words or letters of the language: every message of more than 200 characters has some. */
  readonly own: RegExp
  /** Untranslated words; not checked in bounces, whose reports are English. */
  readonly foreign: RegExp
  /** An amount of money, e.g. `1.249,50 €`, which some message has. */
  readonly money: RegExp
  /** Values with their format in the language. */
  readonly formats: readonly (readonly [expression: string, text: string])[]
}

const englishWords = /\b(?:the|and|with|your|you|please|thank|thanks|from|order|wrote|dear|hello)\b/i

/** The expectations for any language. */
const anyLetters: ExpectedLetters = {
  greeting: /\S/,
  own: /\S/,
  foreign: /(?!)/,
  money: /\d/,
  formats: [],
}

/** The shipped languages. */
const expectedLetters: Readonly<Record<string, ExpectedLetters>> = {
  en: {
    greeting: /^[A-Z][^\n]*,$/,
    quotes: ['On Tuesday, 6 January, Ann Lee wrote:', 'Ann Lee wrote:'],
    own: /\b(?:the|a|I|you|is|it|to|we|for|of)\b/i,
    foreign: /\b(?:der|und|nicht|les|est|não|para)\b/,
    money: /(?:[€£$]|CHF )\d{1,3}(?:,\d{3})*\.\d{2}/,
    formats: [
      ['begins:day', 'Tuesday, 6 January'],
      ['begins:date', '6 January 2026'],
      ['begins:time', '09:05'],
      ['begins + 4d:workday_before:day', 'Friday, 9 January'],
      ['begins + 5d:workday_after:day', 'Monday, 12 January'],
      ['124950:amount', '1,249.50'],
    ],
  },
  de: {
    greeting: /^(?:Guten (?:Morgen|Tag|Abend)|Hallo|Sehr geehrte|Liebes Team)[^\n]*,$/,
    quotes: ['Am Dienstag, 6. Januar, schrieb Ann Lee:', 'Ann Lee schrieb:'],
    own: /\b(?:der|die|das|dem|den|und|ich|wir|Sie|nicht|ist|Ihre?n?|zu|an|auf|für|im|in|mit|bei|von|es)\b/,
    foreign: englishWords,
    money: /\d{1,3}(?:\.\d{3})*,\d{2} €/,
    formats: [
      ['begins:date', '6. Januar 2026'],
      ['5:money', '0,05 €'],
      ['124950:money', '1.249,50 €'],
    ],
  },
  fr: {
    greeting: /^(?:Bonjour|Bonsoir|Re-bonjour|Madame, Monsieur|Chère Madame|Cher Monsieur)[^\n]*,$/,
    quotes: ['Le mardi 6 janvier, Ann Lee a écrit :', 'Ann Lee a écrit :'],
    own: /\b(?:le|la|les|de|du|des|un|une|et|je|nous|vous|est|pour|que|ne|au|en|mon|il)\b/i,
    foreign: englishWords,
    money: /\d{1,3}(?: \d{3})*,\d{2} €/,
    formats: [
      ['begins - 5d:day', '1er janvier'],
      ['9h:hour_of_day', '9 h'],
      ['9h + 5min:hour_of_day', '9 h 05'],
    ],
  },
  ja: {
    greeting: /[。様中]$/,
    quotes: ['2026年1月6日、Lee Ann さんが書きました：', 'Lee Ann さんが書きました：'],
    own: /[\p{Script=Hiragana}]/u,
    foreign: englishWords,
    money: /(?<![\d,])\d{1,3}(?:,\d{3})*円/,
    formats: [
      ['begins:day', '1月6日（火）'],
      ['begins:month', '1月'],
      ['980:money', '980円'],
      ['1204050:money', '1,204,050円'],
    ],
  },
  ar: {
    greeting: /،$/,
    quotes: ['بتاريخ 6 يناير 2026، تمت كتابة ما يلي بواسطة Ann Lee:', 'تمت كتابة ما يلي بواسطة Ann Lee:'],
    own: /[ةأإ]/,
    foreign: englishWords,
    money: /(?:\d{1,3}(?:,\d{3})*\.\d{2}|[٠-٩]{1,3}(?:٬[٠-٩]{3})*٫[٠-٩]{2}) (?:ريال|درهم|جنيه|دينار)/,
    formats: [
      ['begins:day', 'الثلاثاء 6 يناير'],
      ['124950:amount:eastern', '١٬٢٤٩٫٥٠'],
      ['0h:hour_of_day', '12:00 صباحًا'],
      ['12h:hour_of_day', '12:00 ظهرًا'],
      ['15h:hour_of_day', '3:00 عصرًا'],
      ['18h:hour_of_day', '6:00 مساءً'],
      ['begins + 3d:workday_before:weekday', 'الخميس'],
      ['begins + 3d:workday_after:weekday', 'الأحد'],
    ],
  },
  pt_BR: {
    greeting: /^[^\n]+[,?!]$/,
    quotes: ['Em terça-feira, 6 de janeiro, Ann Lee escreveu:', 'Ann Lee escreveu:'],
    own: /\b(?:de|que|para|com|um|uma|em|do|da|na|no|os)\b/i,
    foreign: englishWords,
    money: /R\$ \d{1,3}(?:\.\d{3})*,\d{2}(?!\d)/,
    formats: [
      ['begins:date', '06/01/2026'],
      ['begins - 5d:short_date', '1º de janeiro'],
      ['14h + 30min:hour_of_day', '14h30'],
      ['100100900:money', 'R$ 1.001.009,00'],
    ],
  },
}

const tuesday = 1_767_690_300_000
const seeds = [1, 7, 41, 2026]
const indexes = [0, 1, 2, 3, 4, 5, 6, 7, 12]
const leftOver = /undefined|\bnull\b|NaN|[{}]|\[object|=>/
const reference = /\b[A-Z]{1,3}-(?:\d{4}-)?\d{4,}/g

/** The names contain characters that HTML must escape. */
const agent = { agentName: 'Desk <1>', agentAddress: 'desk@agents.example', company: 'Smith & "Sons" <Ltd>' }

/** A thread with its person and its messages. */
interface WrittenThread {
  readonly kind: MailKind
  readonly seed: number
  readonly thread: GeneratedThread
  readonly person: Person | undefined
  readonly bodies: readonly Body[]
  /** The text of each message, without quotes. */
  readonly words: readonly string[]
}

async function write(locale: string) {
  const { language, person: draw } = await loadLocale(locale)
  const kinds = await loadKinds(locale, language)
  const begin = (kind: MailKind, seed: number) => {
    let person: Person | undefined
    const thread = kind.begin(createRandom(seed, kind.name), {
      ...agent,
      begins: tuesday,
      person: (random) => {
        person = draw(random)
        return person
      },
    })
    return { thread, person }
  }
  const threads = kinds.flatMap((kind) =>
    seeds.map((seed): WrittenThread => {
      const { thread, person } = begin(kind, seed)
      const bodies = indexes.map((index) => compose(thread, seed, index))
      const words = bodies.map((body) => wordsOf(body).split(/\n\n[^\n]+\n> /)[0] ?? '')
      return { kind, seed, thread, person, bodies, words }
    }),
  )
  return { language, kinds, threads, begin }
}

function compose(thread: GeneratedThread, seed: number, index: number): Body {
  return thread.compose(index, createRandom(seed, `messages/${index}`))
}

function wordsOf({ text, html }: Body): string {
  return text ?? (html as string).replaceAll(/<title>[^<]*<\/title>|<[^>]*>/g, ' ').trim()
}

/** Throws when tags do not pair up, and returns the text between them. */
function textOfHtml(html: string): string {
  const open: string[] = []
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)(?: [^<>]*)?>/g)) {
    if (closing !== '') expect(open.pop(), `</${name}>`).toBe(name)
    else if (name !== 'meta' && name !== 'br') open.push(name)
  }
  expect(open).toEqual([])
  return html.replace('<!doctype html>', '').replaceAll(/<\/?[a-z0-9]+(?: [^<>]*)?>/g, '')
}

function quotesOf({ style }: Language, writer: string): string[] {
  const facts = { writer, begins: tuesday }
  return [renderText(style.quotes.with_day, facts), renderText(style.quotes.without_day, facts)]
}

it('are only expected in languages that ship', () => {
  expect(locales).toEqual(expect.arrayContaining(Object.keys(expectedLetters)))
})

// A language without expectations is tested for the properties of all languages.
describe.each(locales)('letters in %s', async (locale) => {
  const expected = expectedLetters[locale] ?? anyLetters
  const { language, kinds, threads, begin } = await write(locale)
  const letters = threads.filter(({ kind }) => kind.category !== 'bounces')
  const conversations = threads.filter(({ kind }) => !kind.oneWay)

  it('are of every category and mostly conversations', () => {
    expect(new Set(kinds.map(({ category }) => category))).toEqual(new Set(mailCategories))
    expect(kinds.filter(({ category }) => category === 'support').length).toBeGreaterThanOrEqual(3)
    const sum = (some: readonly MailKind[]) => some.reduce((total, { weight }) => total + weight, 0)
    expect(sum(kinds.filter(({ oneWay }) => !oneWay))).toBeGreaterThan(sum(kinds) / 2)
  })

  it('say in their header that a machine has written them', () => {
    const expectedFields: Readonly<Record<string, object>> = {
      newsletters: { Precedence: 'bulk', 'List-Id': expect.stringMatching(/^<news\.[\w.-]+\.example>$/) },
      receipts: { 'Auto-Submitted': 'auto-generated' },
      bounces: { 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' },
    }
    for (const { kind, thread } of threads) {
      const fields = Object.fromEntries(thread.headers ?? [])
      expect([kind.name, fields]).toEqual([kind.name, expectedFields[kind.category] ?? {}])
    }
  })

  it('format days, times and sums in the language', () => {
    expect(language.source.formats).toHaveProperty('day')
    for (const [expression, text] of expected.formats) {
      const template = compileTemplate(`{${expression}}`, language.vocabulary)
      expect([expression, renderText(template, { begins: tuesday })]).toEqual([expression, text])
    }
  })

  it('quote with a day, if known', () => {
    const name = language.source.people.full_name.replace('{first_name}', 'Ann').replace('{last_name}', 'Lee')
    expect(quotesOf(language, name)).toEqual(expected.quotes ?? [expect.any(String), expect.any(String)])
  })

  it('have words of the language and no placeholder in every message', () => {
    for (const { kind, thread, bodies, words } of threads) {
      expect(thread.subject).toMatch(/\S/)
      expect(thread.subject.length).toBeLessThanOrEqual(120)
      expect(thread.subject).not.toMatch(leftOver)
      expect(thread.from.address).toMatch(/^[\w.+-]+@[\w.-]+\.example$/)
      for (const [index, body] of bodies.entries()) {
        const all = `${kind.name}: ${body.text ?? ''}${(body.html ?? '').replaceAll(/ style="[^"]*"/g, '')}`
        expect(all).not.toMatch(leftOver)
        expect(words[index]?.length).toBeGreaterThan(10)
        if (wordsOf(body).length > 200) expect(wordsOf(body)).toMatch(expected.own)
        if (kind.category !== 'bounces') expect(wordsOf(body)).not.toMatch(expected.foreign)
      }
    }
    expect(
      letters.filter(({ words }) => words.some((text) => expected.money.test(text))).length,
    ).toBeGreaterThan(3)
  })

  it('repeat their reference numbers and differ by seed', () => {
    for (const { kind, thread, words } of threads) {
      for (const [number] of thread.subject.matchAll(reference)) expect(words[0], kind.name).toContain(number)
    }
    const openings = new Set(threads.map(({ words }) => words[0]))
    expect(openings.size).toBe(threads.length)
  })

  it('are the same in any order', () => {
    for (const { kind, seed, bodies } of threads) {
      const { thread } = begin(kind, seed)
      const backwards = indexes.toReversed().map((index) => compose(thread, seed, index))
      expect(backwards.toReversed()).toEqual(bodies)
    }
  })

  it('have well-formed HTML with the words of the text in some messages', () => {
    const pages = threads.flatMap(({ bodies }) => bodies.filter(({ html }) => html !== null))
    const { tag, right_to_left } = language.source
    for (const { text, html } of pages as { text: string | null; html: string }[]) {
      expect(/<html lang="([\w-]+)"/.exec(html)?.[1]).toBe(tag)
      expect(html.includes(' dir="rtl"')).toBe(right_to_left)
      const inner = textOfHtml(html)
      expect(inner).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/)
      const plain = inner
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      if (text !== null) expect(plain).toContain(text.split('\n')[0])
    }
    const ofConversations = conversations.flatMap(({ bodies }) => bodies)
    const share = ofConversations.filter(({ html }) => html !== null).length / ofConversations.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.5)
  })

  it('have correct greetings, names and quotes', () => {
    let quoted = 0
    for (const { thread, person, bodies, words } of conversations) {
      for (const [place, index] of indexes.entries()) {
        const letter = words[place] ?? ''
        if (index === 0 || index % 2 === 1) expect(letter.split('\n\n')[0]).toMatch(expected.greeting)
        const names = [person?.firstName ?? '', person?.lastName ?? '']
        expect(names.some((name) => letter.includes(name))).toBe(true)
        if (index === 0) expect(letter).toContain(thread.from.name)
        if (index % 2 === 1)
          expect(letter.trimEnd().split('\n').slice(-4).join('\n')).toContain(agent.company)
        const intros = quotesOf(language, index % 2 === 1 ? thread.from.name : agent.agentName)
        const quotation = bodies[place]?.text?.split(`${intros[index === 1 ? 0 : 1]}\n> `)[1]
        if (quotation === undefined || index === 12) continue
        quoted++
        for (const line of `> ${quotation}`.trimEnd().split('\n')) {
          expect(bodies[place - 1]?.text).toContain(line.slice(2).replace('…', ''))
        }
      }
    }
    expect(quoted).toBeGreaterThan(conversations.length)
  })

  it('attach only existing files with plain names', () => {
    for (const { thread, seed } of threads) {
      for (const index of indexes) {
        const choice = thread.attachment(index, createRandom(seed, `files/${index}`))
        if (choice === undefined) continue
        expect(attachmentFixtures).toContain(choice.fixture)
        expect(choice.filename).toMatch(/^[\p{L}\p{M}\p{N}_-]+\.\w+$/u)
        expect(choice.filename.split('.')[1]).toBe(choice.fixture.split('.')[1])
      }
    }
  })
})
