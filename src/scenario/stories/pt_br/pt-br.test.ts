import { faker } from '@faker-js/faker/locale/pt_BR'
import { describe, expect, it } from 'vitest'
import { plainLetters } from '../people.js'
import { proseOf, writeThreads } from '../written-mail.fixture.js'
import { formatDate, formatDay, formatHour, formatMonth, formatShortDate, wishAt } from './facts/dates.js'
import { formatReais } from './facts/money.js'
import { stories } from './index.js'

const HOUR = 3_600_000
const TUESDAY = 1_767_690_309_000
const SUM = /R\$ [\d.]+,\d{2}/g
// The agent's organization is called Northwind, so its orders begin with an N.
const ORDER = /\bN-\d{6}/g
const FACT = /[A-Z]+-[\d-]+|PX\d+|\d+ de \p{L}+|R\$ [\d.,]+\d|\d{4}/gu

const threads = writeThreads(stories, faker.rawDefinitions.person ?? {}, 12)
const conversations = threads.filter(({ kind }) => kind.oneWay !== true)
// Bounces hold a report whose fields are English everywhere.
const letters = threads
  .filter(({ kind }) => kind.category !== 'bounces')
  .flatMap(({ messages }) => messages.map(({ words }) => words))

it('writes days, times and sums as Brazilians do', () => {
  expect(formatDay(TUESDAY)).toBe('terça-feira, 6 de janeiro')
  expect(formatDay(951_868_800_000)).toBe('quarta-feira, 1º de março')
  expect(formatShortDate(TUESDAY)).toBe('6 de janeiro')
  expect(formatDate(TUESDAY)).toBe('06/01/2026')
  expect(formatMonth(TUESDAY)).toBe('janeiro')
  expect([9, 14.5].map((hour) => formatHour(hour * HOUR))).toEqual(['9h', '14h30'])
  expect([9, 14.5, 19].map((hour) => wishAt(hour * HOUR))).toEqual(['Bom dia', 'Boa tarde', 'Boa noite'])
  expect([5, 124_950, 100_100_900].map(formatReais)).toEqual(['R$ 0,05', 'R$ 1.249,50', 'R$ 1.001.009,00'])
})

describe('letters in Brazilian Portuguese', () => {
  it('have words of the language in every paragraph long enough to have some', () => {
    const common = /(?<!\p{L})(?:a|o|as|os|e|é|de|do|da|que|não|para|com|um|uma|em|na|no|se)(?!\p{L})/iu
    const paragraphs = letters.flatMap((words) => proseOf(words).split('\n\n'))
    const sentences = paragraphs.filter((words) => words.length > 60 && !words.includes('\n'))
    expect(sentences.length).toBeGreaterThan(1_000)
    for (const paragraph of sentences) expect(paragraph).toMatch(common)
  })

  it('have the accents of the language', () => {
    const accented = letters.filter((words) => /[ãõçáéíóúâêô]/.test(words))
    expect(accented.length).toBeGreaterThan(letters.length * 0.9)
  })

  it('say so in HTML', () => {
    const pages = threads.flatMap(({ messages }) => messages.flatMap(({ html }) => html ?? []))
    expect(pages.length).toBeGreaterThan(100)
    for (const html of pages) expect(html).toMatch(/^<!doctype html>\n<html lang="pt-BR">/)
  })

  it('write out no number that could be a CPF or a CNPJ', () => {
    const official = /\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}|(?<!PX)\b\d{11}\b|\b\d{14}\b/
    for (const words of letters) expect(words).not.toMatch(official)
  })
})

describe('people in Brazilian letters', () => {
  it('have addresses in plain letters that read like their names', () => {
    for (const { story, person } of conversations) {
      expect(story.from.address).toMatch(/^[a-z0-9._]+@[a-z0-9.-]+\.example$/)
      expect(story.from.address).toContain(plainLetters(person?.lastName ?? ''))
    }
  })

  it('thank as women or as men', () => {
    const thanks = { female: 0, male: 0, unknown: 0 }
    for (const { person, messages } of conversations) {
      const gender = person?.gender ?? 'unknown'
      const other = gender === 'female' ? /obrigado/i : /obrigada/i
      for (const { inbound, words } of messages) {
        if (!inbound) expect(words).not.toMatch(gender === 'female' ? /Prezado\b/ : /Prezada\b/)
        else expect(words).not.toMatch(other)
        if (inbound && /obrigad[ao]/i.test(words)) thanks[gender]++
      }
    }
    expect(thanks.female).toBeGreaterThan(20)
    expect(thanks.male).toBeGreaterThan(20)
    expect(thanks.unknown).toBe(0)
  })
})

describe('facts in Brazilian letters', () => {
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
      const sums = messages.flatMap(({ words }) => words.match(SUM) ?? [])
      expect(new Set(sums).size).toBeLessThanOrEqual(1)
    }
  })

  it('add up in receipts', () => {
    const cents = (sum: string) => Number(sum.replaceAll(/\D/g, ''))
    const bills = letters.filter((words) => /^Total: R\$/m.test(words))
    expect(bills.length).toBeGreaterThan(10)
    for (const words of bills) {
      const sums = [...words.matchAll(/^(?:\d x .+|Frete): (R\$ [\d.,]+)$/gm)].map(([, sum = '']) =>
        cents(sum),
      )
      expect(sums.length).toBe(3)
      expect(sums.reduce((total, sum) => total + sum)).toBe(cents(/^Total: (.+)$/m.exec(words)?.[1] ?? ''))
    }
  })
})
