import { calendarDay, HOUR, MINUTE, startOfDay, twoDigits, weekdayOf } from '../../facts/calendar.js'

const WEEKDAYS = [
  'domingo',
  'segunda-feira',
  'terça-feira',
  'quarta-feira',
  'quinta-feira',
  'sexta-feira',
  'sábado',
] as const
const MONTHS = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
] as const

/** Writes a day as people say it, e.g. `terça-feira, 6 de janeiro`; working days all take `a`. */
export function formatDay(at: number): string {
  return `${WEEKDAYS[weekdayOf(at)]}, ${formatShortDate(at)}`
}

/** Writes a date without its year, e.g. `6 de janeiro`, or `1º de janeiro`. */
export function formatShortDate(at: number): string {
  const { month, day } = calendarDay(at)
  return `${day === 1 ? '1º' : day} de ${MONTHS[month]}`
}

/** Writes a date in digits, e.g. `06/01/2026`. */
export function formatDate(at: number): string {
  const { year, month, day } = calendarDay(at)
  return `${twoDigits(day)}/${twoDigits(month + 1)}/${year}`
}

/** Names the month, e.g. `janeiro`. */
export function formatMonth(at: number): string {
  return MONTHS[calendarDay(at).month] as string
}

/** Writes the time of day, e.g. `14h30`, or `9h`. */
export function formatHour(at: number): string {
  const minutes = Math.floor((at - startOfDay(at)) / MINUTE)
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)}h${rest === 0 ? '' : twoDigits(rest)}`
}

/** What one wishes at that time of day, e.g. `Bom dia`. */
export function wishAt(at: number): string {
  const hour = (at - startOfDay(at)) / HOUR
  if (hour < 12) return 'Bom dia'
  return hour < 18 ? 'Boa tarde' : 'Boa noite'
}
