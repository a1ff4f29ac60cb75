import { isPattern, type Match, showValue } from '../matching.js'

/** What values must be, in words: `query.agent "support" and status 200`; nothing when there are none. */
export function describeValues(values: object): string {
  return Object.entries(values)
    .flatMap(([name, wanted]) => parts(name, wanted as Match | undefined))
    .join(' and ')
}

function parts(name: string, wanted: Match | undefined): string[] {
  if (wanted === undefined) return []
  const single = typeof wanted !== 'object' || wanted === null || Array.isArray(wanted) || isPattern(wanted)
  if (single) return [`${name} ${showValue(wanted)}`]
  return Object.entries(wanted).flatMap(([key, inner]) => parts(`${name}.${key}`, inner as Match))
}
