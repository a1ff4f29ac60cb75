import { z } from '../contract/schema.js'
import { formatInstant, parseInstant } from './time.js'

/** An instant in a document: ISO 8601, and with a year of four digits wherever it is written. */
export const instantSchema = () =>
  z.string().refine(isInstant, {
    error: 'expected an ISO 8601 instant such as 2026-01-05T09:00:00.000Z',
  })

function isInstant(text: string): boolean {
  const parsed = parseInstant(text)
  return parsed !== undefined && /^\d{4}-/.test(formatInstant(parsed))
}
