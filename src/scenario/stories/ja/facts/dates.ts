import { calendarDay, weekdayOf } from '../../facts/calendar.js'

const WEEKDAYS = ['日', '月', '火', '水', '木', '金', '土'] as const

/** Writes a day as business mail does, e.g. `1月6日（火）`. */
export function formatDay(at: number): string {
  const { month, day } = calendarDay(at)
  return `${month + 1}月${day}日（${WEEKDAYS[weekdayOf(at)]}）`
}

/** Writes a date with its year, e.g. `2026年1月6日`. */
export function formatDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  return `${year}年${month + 1}月${day}日`
}

/** Names the month, e.g. `1月`. */
export function formatMonth(at: number): string {
  return `${calendarDay(at).month + 1}月`
}
