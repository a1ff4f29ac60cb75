import type { Readings } from '../../contract/gaps.js'
import { parseInstant } from '../../world/index.js'
import { CalibrationError } from '../errors.js'
import { asFields, type Fields } from '../exchange.js'
import type { Anonymizer } from './anonymizer.js'

/** A value that is meant to be text. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A time as rows have it. @throws CalibrationError */
export function instantOf(value: unknown): number {
  const instant = parseInstant(words(value))
  if (instant === undefined) {
    throw new CalibrationError(
      'malformed',
      `The service shows ${JSON.stringify(value)} where a time belongs.`,
    )
  }
  return instant
}

/** The bodies of a message; null for one that it does not have. */
export function bodiesOf(
  { text, html }: Fields,
  { 'messages.empty-body': reading }: Readings,
): { readonly text: string | null; readonly html: string | null } {
  const body = (value: unknown): string | null => {
    if (typeof value !== 'string') return null
    return value === '' && reading === 'empty-string' ? null : value
  }
  return { text: body(text), html: body(html) }
}

/** Header fields that say nothing of people. */
const plainFields =
  /^(date|mime-version|content-transfer-encoding|precedence|importance|x-priority|auto-submitted)$/i

/** The header fields of a message, in whichever form it shows them; null where it shows none. */
export function headersOf(headers: unknown, people: Anonymizer | undefined): [string, string][] | null {
  const fields = Array.isArray(headers)
    ? headers.map(
        (field) => [words(asFields(field)?.['name']), words(asFields(field)?.['value'])] as [string, string],
      )
    : Object.entries(asFields(headers) ?? {}).flatMap(([name, value]) => {
        return [value].flat().map((one) => [name, words(one)] as [string, string])
      })
  if (headers === undefined) return null
  if (!people) return fields
  return fields.map(([name, value]) => {
    if (plainFields.test(name)) return [name, value]
    if (/^content-type$/i.test(name)) return [name, value.split(';', 1)[0] as string]
    if (/^subject$/i.test(name)) return [name, people.subject(value)]
    return [name, people.text(value)]
  })
}
