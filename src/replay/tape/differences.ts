import { formatMismatch } from '../../simulator/matching.js'
import type { TapedRequest } from './tape.js'

/** Lines that are shown, at most. */
const most = 10

/** What two requests do not have in common, a line each: `query.offset: expected "50", found "100"`. */
export function differencesBetween(expected: TapedRequest, found: TapedRequest): string[] {
  const lines = (['method', 'path', 'query', 'body'] as const).flatMap((part) => {
    return compare(part, expected[part], found[part])
  })
  return lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} more`] : lines
}

function compare(name: string, wanted: unknown, found: unknown): string[] {
  if (isObject(wanted) && isObject(found) && Array.isArray(wanted) === Array.isArray(found)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)])
    return [...names].flatMap((key) => compare(`${name}.${key}`, wanted[key], found[key]))
  }
  const same = JSON.stringify(wanted) === JSON.stringify(found)
  // What is not there is told as such; null is a value.
  return same ? [] : [formatMismatch({ name, wanted: wanted as never, found })]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
