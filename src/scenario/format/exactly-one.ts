import type { z } from '../../contract/schema.js'

type Check = (context: { readonly value: object; readonly issues: z.core.$ZodRawIssue[] }) => void

/** Checks that an object has exactly one of some keys: the one that says what it is. */
export function exactlyOne(what: string, keys: readonly string[]): Check {
  return ({ value, issues }) => {
    const present = keys.filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    if (present.length === 1) return
    const found = present.length === 0 ? 'found none of them' : `found ${present.join(' and ')}`
    issues.push({
      code: 'custom',
      input: value,
      message: `${what}: expected one of ${keys.join(', ')}; ${found}`,
    })
  }
}
