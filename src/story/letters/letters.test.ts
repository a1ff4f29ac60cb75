import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Body } from '../../service/model/base.js'
import { createRandom } from '../../service/time/random.js'
import { loadKinds, loadLocale } from '../compile/wording.js'
import type { GeneratedThread, MailKind } from './kinds.js'
import type { Person } from './language.js'
import { locales } from './shipped.js'

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
  return { language, threads, begin }
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

describe.each(locales)('letters in %s', async (locale) => {
  const { language, threads, begin } = await write(locale)
  const conversations = threads.filter(({ kind }) => !kind.oneWay)

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

  it('have words and no placeholder in every message', () => {
    for (const { kind, thread, bodies, words } of threads) {
      expect(thread.subject).toMatch(/\S/)
      expect(thread.subject.length).toBeLessThanOrEqual(120)
      expect(thread.subject).not.toMatch(leftOver)
      expect(thread.from.address).toMatch(/^[\w.+-]+@[\w.-]+\.example$/)
      for (const [index, body] of bodies.entries()) {
        const all = `${kind.name}: ${body.text ?? ''}${(body.html ?? '').replaceAll(/ style="[^"]*"/g, '')}`
        expect(all).not.toMatch(leftOver)
        expect(words[index]?.length).toBeGreaterThan(10)
      }
    }
  })

  it('repeat their reference numbers and differ by seed', () => {
    for (const { kind, thread, words } of threads) {
      for (const [number] of thread.subject.matchAll(reference)) expect(words[0], kind.name).toContain(number)
    }
    const openings = new Set(threads.map(({ words }) => words[0]))
    expect(openings.size).toBe(threads.length)
  })

  it('are the same in every version', () => {
    const letters = threads.map(({ thread: { subject, from, headers }, bodies }) => [
      subject,
      from,
      headers,
      bodies,
    ])
    expect(createHash('sha256').update(JSON.stringify(letters)).digest('hex')).toMatchSnapshot()
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
})
