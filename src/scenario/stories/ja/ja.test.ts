import { describe, expect, it } from 'vitest'
import { proseOf, shareOf, writeThreads } from '../written-mail.fixture.js'
import { formatDate, formatDay, formatMonth } from './facts/dates.js'
import { formatYen } from './facts/money.js'
import { stories } from './index.js'
import { familyNames, latinNames } from './names.js'

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u
const YEN = /[\d,]*\d円/g
// The agent's organization is called Northwind, so its orders begin with an N.
const ORDER = /\bN-\d{6}/g
const FACT = /[A-Z]+-[\d-]+|PX\d+|\d+月\d+日|[\d,]*\d円|\d{4}/g

const threads = writeThreads(stories, {}, 12)
const conversations = threads.filter(({ kind }) => kind.oneWay !== true)
const messages = threads.flatMap(({ messages }) => messages)
// Bounces hold a report whose fields are English everywhere.
const letters = threads
  .filter(({ kind }) => kind.category !== 'bounces')
  .flatMap(({ messages }) => messages.map(({ words }) => words))

it('writes days, months and sums as Japanese does', () => {
  const tuesday = 1_767_690_309_000
  expect(formatDay(tuesday)).toBe('1月6日（火）')
  expect(formatDay(951_782_400_000)).toBe('2月29日（火）')
  expect(formatDate(tuesday)).toBe('2026年1月6日')
  expect(formatMonth(tuesday)).toBe('1月')
  expect([980, 12_980, 1_204_050].map(formatYen)).toEqual(['980円', '12,980円', '1,204,050円'])
})

describe('letters in Japanese', () => {
  it('consist of Japanese characters, but for references and names of things', () => {
    for (const words of letters) expect(shareOf(JAPANESE, proseOf(words)), words).toBeGreaterThan(0.8)
  })

  it('have no run of foreign words in them', () => {
    for (const words of letters) expect(proseOf(words)).not.toMatch(/[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}/)
  })

  it('set full-width punctuation after Japanese words', () => {
    const narrow = /[\p{Script=Hiragana}\p{Script=Han}][.,!?:;()]/u
    for (const words of letters) expect(words).not.toMatch(narrow)
    expect(letters.filter((words) => words.includes('。')).length).toBeGreaterThan(letters.length * 0.98)
  })

  it('say so in HTML', () => {
    const pages = messages.flatMap(({ html }) => html ?? [])
    expect(pages.length).toBeGreaterThan(100)
    for (const html of pages) expect(html).toMatch(/^<!doctype html>\n<html lang="ja">/)
  })
})

describe('people in Japanese letters', () => {
  it('have their family name first, and an address that reads like it', () => {
    for (const { story, person } of conversations) {
      const [family = '', given = ''] = story.from.name.split(' ')
      expect(familyNames).toContain(family)
      expect(given).toBe(person?.firstName)
      expect(story.from.address).toMatch(/^[\w.-]+@[a-z0-9.-]+\.example$/)
      expect(story.from.address).toContain(latinNames[family])
    }
  })

  it('are greeted by family name with 様, and sign with it', () => {
    for (const { person, messages } of conversations) {
      for (const { inbound, words } of messages) {
        if (!inbound) expect(words).toMatch(new RegExp(`^${person?.lastName}(?: ${person?.firstName})?様\n`))
        else expect(words.split('\n').slice(-6).join('\n')).toContain(person?.lastName)
      }
    }
  })
})

describe('facts in Japanese letters', () => {
  it('are named by both sides of a conversation', () => {
    for (const { story, messages } of conversations) {
      const [asked, answered] = [true, false].map((side) =>
        messages.filter(({ inbound }) => inbound === side).flatMap(({ words }) => words.match(FACT) ?? []),
      )
      expect(
        asked?.filter((fact) => answered?.includes(fact)),
        story.subject,
      ).not.toEqual([])
    }
  })

  it('stay the same throughout a thread of support: one order, one sum', () => {
    for (const { messages } of conversations.filter(({ kind }) => kind.category === 'support')) {
      const orders = messages.flatMap(({ words }) => words.match(ORDER) ?? [])
      expect(new Set(orders).size).toBe(1)
      const sums = messages.flatMap(({ words }) => words.replaceAll('500円分のポイント', '').match(YEN) ?? [])
      expect(new Set(sums).size).toBeLessThanOrEqual(1)
    }
  })

  it('add up in receipts', () => {
    const bills = letters.filter((words) => words.includes('合計（税込）：'))
    expect(bills.length).toBeGreaterThan(10)
    for (const words of bills) {
      const yen = (label: string) =>
        Number(new RegExp(`${label}：([\\d,]+)円`).exec(words)?.[1]?.replaceAll(',', ''))
      const goods = [...words.matchAll(/ × \d+：([\d,]+)円/g)].map(([, sum = '']) =>
        Number(sum.replaceAll(',', '')),
      )
      expect(goods.length).toBe(2)
      expect(goods.reduce((sum, line) => sum + line, yen('送料'))).toBe(yen('合計（税込）'))
    }
  })
})
