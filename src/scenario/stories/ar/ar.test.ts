import { describe, expect, it } from 'vitest'
import { proseOf, shareOf, writeThreads } from '../written-mail.fixture.js'
import { formatMoney, inDigits } from './facts/countries.js'
import { formatDate, formatDay, formatHour, formatMonth, workdayAfter, workdayBefore } from './facts/dates.js'
import { stories } from './index.js'
import { femaleNames, latinNames, maleNames } from './names.js'

const ARABIC = /\p{Script=Arabic}/u
const DAY = 86_400_000
const HOUR = 3_600_000
const TUESDAY = 1_767_690_309_000
const SUM = /[\d٠-٩][\d٠-٩.,٬٫]* (?:ريال|درهم|جنيه|دينار)/g
// The agent's organization is called Northwind, so its orders begin with an N.
const ORDER = /\bN-\d{6}/g
const FACT = /[A-Z]+-[\d-]+|PX\d+|[\d٠-٩]+ (?:يناير|فبراير)|[\d٠-٩.,٬٫]+ (?:ريال|درهم|جنيه|دينار)|\d{4}/g

const threads = writeThreads(stories, {}, 12)
const conversations = threads.filter(({ kind }) => kind.oneWay !== true)
// Bounces hold a report whose fields are English everywhere.
const letters = threads
  .filter(({ kind }) => kind.category !== 'bounces')
  .flatMap(({ messages }) => messages.map(({ words }) => words))

describe('days and sums in Arabic', () => {
  it('are written as people write them', () => {
    expect(formatDay(TUESDAY)).toBe('الثلاثاء 6 يناير')
    expect(formatDay(951_782_400_000)).toBe('الثلاثاء 29 فبراير')
    expect(formatDate(TUESDAY)).toBe('6 يناير 2026')
    expect(formatMonth(TUESDAY)).toBe('يناير')
    expect([0, 9.5, 12, 14.5, 15, 18].map((hour) => formatHour(hour * HOUR))).toEqual([
      '12:00 صباحًا',
      '9:30 صباحًا',
      '12:00 ظهرًا',
      '2:30 ظهرًا',
      '3:00 عصرًا',
      '6:00 مساءً',
    ])
  })

  it('have eastern digits where the country has them', () => {
    const [riyadh, cairo] = [
      { currency: 'ريال', rate: 100, eastern: false, cities: [] },
      { currency: 'جنيه', rate: 1_200, eastern: true, cities: [] },
    ]
    expect(formatMoney(124_950, riyadh)).toBe('1,249.50 ريال')
    expect(formatMoney(124_950, cairo)).toBe('١٬٢٤٩٫٥٠ جنيه')
    expect([inDigits('6 يناير', riyadh), inDigits('6 يناير', cairo)]).toEqual(['6 يناير', '٦ يناير'])
  })

  it('have their weekend on Friday and Saturday', () => {
    const days = [1, 2, 3, 4, 5].map((later) => TUESDAY + later * DAY)
    expect(days.map((day) => formatDay(workdayBefore(day)).split(' ')[0])).toEqual([
      'الأربعاء',
      'الخميس',
      'الخميس',
      'الخميس',
      'الأحد',
    ])
    expect(days.map((day) => formatDay(workdayAfter(day)).split(' ')[0])).toEqual([
      'الأربعاء',
      'الخميس',
      'الأحد',
      'الأحد',
      'الأحد',
    ])
  })
})

describe('letters in Arabic', () => {
  it('consist of Arabic letters, but for references and names of things', () => {
    for (const words of letters) expect(shareOf(ARABIC, proseOf(words)), words).toBeGreaterThan(0.8)
  })

  it('have no run of foreign words in them', () => {
    for (const words of letters) expect(proseOf(words)).not.toMatch(/[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}/)
  })

  it('set Arabic commas and question marks', () => {
    for (const words of letters) expect(words).not.toMatch(/\p{Script=Arabic}[,;?]/u)
    expect(letters.filter((words) => words.includes('؟')).length).toBeGreaterThan(letters.length / 10)
  })

  it('run from right to left in HTML', () => {
    const pages = threads.flatMap(({ messages }) => messages.flatMap(({ html }) => html ?? []))
    expect(pages.length).toBeGreaterThan(100)
    for (const html of pages) expect(html).toMatch(/^<!doctype html>\n<html lang="ar" dir="rtl">/)
  })

  it('mix no western and eastern digits in one sum', () => {
    const sums = letters.flatMap((words) => words.match(SUM) ?? [])
    expect(sums.filter((sum) => /[٠-٩]/.test(sum)).length).toBeGreaterThan(5)
    for (const sum of sums) expect(/[\d.,]/.test(sum)).not.toBe(/[٠-٩٬٫]/.test(sum))
  })
})

describe('people in Arabic letters', () => {
  it('have addresses that read like their names', () => {
    for (const { story, person } of conversations) {
      expect(story.from.address).toMatch(/^[\w.-]+@[a-z0-9.-]+\.example$/)
      expect(story.from.address).toContain(latinNames[person?.lastName ?? ''])
    }
  })

  it('are addressed as women or as men', () => {
    for (const { person, messages } of conversations) {
      const woman = femaleNames.includes(person?.firstName ?? '')
      expect(maleNames.includes(person?.firstName ?? '')).toBe(!woman)
      const greetings = messages.filter(({ inbound }) => !inbound).map(({ words }) => words.split('\n')[0])
      for (const greeting of greetings) {
        expect(greeting).toContain(person?.firstName)
        expect(greeting).toMatch(woman ? /^(?:السيدة|الأستاذة|عزيزتي) / : /^(?:السيد|الأستاذ|عزيزي) /)
      }
    }
  })
})

describe('facts in Arabic letters', () => {
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
})
